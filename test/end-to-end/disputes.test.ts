import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { assertContains } from '../support/assert-contains.ts';
import { eventually } from '../support/eventually.ts';
import { listEvents } from '../support/money.ts';
import { createPayment, type Payment } from '../support/payments.ts';
import { request } from '../support/signed-request.ts';

interface Dispute {
  readonly id: string;
  readonly status: string;
}

describe('disputes', function () {
  this.timeout(2 * MINUTE_MS);

  const send = async (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
  ): Promise<{ status: number; data: never }> => {
    const answer = await request({ method, path: `/api/v1/disputes${path}`, ...(body === undefined ? {} : { body }) });
    return { status: answer.status, data: (answer.body as { readonly data: never }).data };
  };
  const disputed = async (): Promise<{ readonly payment: Payment; readonly id: string }> => {
    const payment = await createPayment({ amount: 2_000 });
    await payment.confirm(card('disputed'));
    const [dispute] = await eventually(async () => {
      const { data } = await send('GET', `?paymentIntentId=${payment.id}`);
      const found: readonly Dispute[] = data;
      assert.equal(found.length, 1);
      return found;
    });
    return { payment, id: dispute?.id ?? assert.fail('no dispute') };
  };
  const reaches = (id: string, expected: object): Promise<void> =>
    eventually(async () => assertContains((await send('GET', `/${id}`)).data, expected));

  it('are won with evidence and a PDF, which gives the money back', async () => {
    const { payment, id } = await disputed();
    const content = Buffer.from('%PDF-1.7 proof of the delivery').toString('base64');
    const file = { kind: 'shipping_documentation', contentType: 'application/pdf', content };
    assert.equal((await send('POST', `/${id}/files`, file)).status, 200);
    const another = { ...file, contentType: 'image/png' };
    assert.equal((await send('POST', `/${id}/files`, another)).status, 422);
    assert.equal((await send('PATCH', `/${id}`, { evidence: { explanation: 'winning_evidence' } })).status, 200);
    assertContains((await send('POST', `/${id}/submit`, {})).data, { status: 'submitting' });
    assert.equal((await send('POST', `/${id}/accept`, {})).status, 409);
    await reaches(id, { status: 'won', amountWithdrawn: 0, amountBlocked: 0, lastError: null });
    assert.equal((await payment.read()).amountDisputed, 0);
    await eventually(async () => {
      const types = (await listEvents(`resourceId=${id}`)).map(({ type }) => type);
      assert.ok(types.includes('dispute.funds_reinstated') && types.includes('dispute.closed'), types.join());
    });
  });

  it('are given up once, however often that is asked', async () => {
    const { id } = await disputed();
    assertContains((await send('POST', `/${id}/accept`, {})).data, { status: 'accepting' });
    await reaches(id, { status: 'lost', amountWithdrawn: 2_000 });
    assert.equal((await send('POST', `/${id}/accept`, {})).status, 409);
    assert.equal((await send('POST', `/${id}/submit`, {})).status, 400);
  });
});

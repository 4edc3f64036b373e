import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { intentOf, timelineOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf, settle, settleRefund } from '../support/ledger.ts';
import { getRefund, postRefund, refundOf } from '../support/money.ts';
import { createPayment, INTENTS, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import { card, type CARDS } from '../support/sandbox-inputs.ts';
import { request } from '../support/signed-request.ts';
import { withTemporal } from '../support/temporal-view.ts';

const NAMESPACE = 'default';

describe('what support staff have ended by hand', function () {
  this.timeout(2 * MINUTE_MS);

  const terminate = (workflowId: string): Promise<void> =>
    withTemporal(async (client) => {
      await client.workflow.getHandle(workflowId).terminate('by hand');
    });

  /** The workflow goes back to its beginning and does again what it was asked for. */
  const reset = (workflowId: string): Promise<void> =>
    withTemporal(async (client) => {
      const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
      const first = events?.find((event) => event.workflowTaskCompletedEventAttributes);
      await client.workflowService.resetWorkflowExecution({
        namespace: NAMESPACE,
        workflowExecution: { workflowId },
        reason: 'by hand',
        requestId: randomUUID(),
        workflowTaskFinishEventId: first?.eventId ?? null,
      });
    });

  const storyOf = async (id: string): Promise<string[]> =>
    timelineOf(await request({ method: 'GET', path: `${INTENTS}/${id}/timeline` })).map(({ summary }) => summary);

  /** Waits until another workflow has taken over and says so. */
  const takenOver = (id: string, endedAs = 'terminated'): Promise<void> =>
    eventually(async () => {
      const story = (await storyOf(id)).join('\n');
      assert.match(story, new RegExp(`workflow (of a refund )?had ended \\(${endedAs}\\)`));
    });

  /** The provider has the refund once its workflow waits for its end. */
  const assertAsked = (refundId: string): Promise<void> =>
    withTemporal(async (client) => {
      const { events } = await client.workflow.getHandle(refundId).fetchHistory();
      assert.ok(events?.some((event) => event.activityTaskCompletedEventAttributes));
    });

  async function begin(number: keyof typeof CARDS, status: 'processing' | 'requires_action'): Promise<Payment> {
    const payment = await createPayment();
    await payment.confirm(card(number), PREFER_ASYNC);
    await payment.reach(status);
    await eventually(async () => assert.match((await storyOf(payment.id)).join(), /has accepted|asks the customer/));
    return payment;
  }

  it('goes on in processing with what the provider says', async () => {
    const payment = await begin('silent', 'processing');
    await terminate(payment.id);
    await settle('alpha', payment.id, 'approved');
    await payment.reach('succeeded');
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999']);
    await takenOver(payment.id);
  });

  it('goes on waiting for the customer, once more asked of the provider', async () => {
    const payment = await begin('threeDSecure', 'requires_action');
    await terminate(payment.id);
    await takenOver(payment.id);
    assert.equal((await payment.read()).status, 'requires_action');
    await settle('alpha', payment.id, 'approved');
    await payment.reach('succeeded');
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999']);
  });

  it('goes on holding the money, which can be captured', async () => {
    const payment = await createPayment({ captureMethod: 'manual' });
    await payment.confirm(card('approved'));
    await terminate(payment.id);
    await takenOver(payment.id);
    assert.equal((await payment.read()).status, 'requires_capture');
    const path = `${INTENTS}/${payment.id}/capture`;
    assert.equal(intentOf(await request({ method: 'POST', path, body: {} })).status, 'succeeded');
    assert.deepEqual(await chargesOf(payment.id), ['alpha authorization 1999', 'alpha capture 1999']);
  });

  it('takes a confirm as soon as another workflow runs, and says so until then', async () => {
    const payment = await createPayment();
    await terminate(payment.id);
    const early = await payment.confirm(card('approved'));
    assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '2']);
    await takenOver(payment.id);
    assert.equal(intentOf(await payment.confirm(card('approved'))).status, 'succeeded');
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999']);
  });

  it('charges once though a workflow was reset', async () => {
    const payment = await begin('silent', 'processing');
    await reset(payment.id);
    await takenOver(payment.id, '(failed|terminated)');
    await settle('alpha', payment.id, 'approved');
    await payment.reach('succeeded');
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999']);
  });

  it('gives money back once though the refund was ended', async () => {
    const payment = await createPayment();
    await payment.confirm(card('refundSilent'));
    const refund = refundOf(await postRefund({ paymentIntentId: payment.id }, { headers: PREFER_ASYNC }));
    await eventually(() => assertAsked(refund.id));
    await terminate(refund.id);
    await takenOver(payment.id);
    await settleRefund('alpha', refund.id, 'approved');
    await eventually(async () => assert.equal((await getRefund(refund.id)).status, 'succeeded'));
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999', 'alpha refund 1999']);
  });
});

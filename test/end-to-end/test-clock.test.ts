import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { testClockResource } from '../../contract/schemas/test-clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { failureOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment } from '../support/payments.ts';
import { clientOf } from '../support/resources.ts';

const clockAnswer = z.object({ data: testClockResource });
const auditAnswer = z.object({
  data: z.array(z.object({ action: z.string(), resourceId: z.string(), after: z.unknown() })),
});

describe('the test clock of a sandbox account', function () {
  this.timeout(2 * MINUTE_MS);
  let merchant: TestMerchant;

  before(async () => {
    merchant = await createMerchant();
  });

  const send = (...request: Parameters<ReturnType<typeof clientOf>>) => clientOf(merchant.credentials)(...request);

  /** Advances the clock, and waits until every open payment has followed it. */
  async function advance(ms: number): Promise<void> {
    const { status, body } = await send('POST', '/test-clock/advance', { seconds: ms / SECOND_MS });
    assert.equal(status, 200, JSON.stringify(body));
    await eventually(async () => {
      const { data } = clockAnswer.parse((await send('GET', '/test-clock')).body);
      assert.equal(data.status, 'ready');
    });
  }

  it('ends what waits when it is advanced: the expiry, the advisory, the hold, the refund window', async () => {
    const create = (fields: object = {}) => createPayment(fields, merchant.credentials);
    const [open, waiting, silent, held, paid] = await Promise.all([
      create(),
      create(),
      create(),
      create({ captureMethod: 'manual' }),
      create(),
    ]);
    await Promise.all([
      waiting.confirm(card('threeDSecure')),
      silent.confirm(card('silent'), { Prefer: 'respond-async' }),
      held.confirm(card('approved')),
      paid.confirm(card('approved')),
    ]);
    await Promise.all([
      waiting.reach('requires_action'),
      silent.reach('processing'),
      held.reach('requires_capture'),
      paid.reach('succeeded'),
    ]);

    await advance(HOUR_MS);
    await Promise.all([open.reach('expired'), waiting.reach('expired')]);
    await eventually(async () => assert.equal((await silent.read()).advisory?.code, 'PAYMENT_STUCK'));
    assert.equal((await held.read()).status, 'requires_capture');

    await advance(7 * DAY_MS);
    assert.equal((await held.reach('canceled')).cancellationReason, 'authorization_lapsed');

    await advance(180 * DAY_MS);
    const refund = await send('POST', '/refunds', { paymentIntentId: paid.id });
    assert.equal(failureOf(refund).code, 'REFUND_WINDOW_CLOSED');
  });

  it('makes no payment older that is created later, and is in the audit log', async () => {
    await advance(DAY_MS);
    const later = await createPayment({}, merchant.credentials);
    await later.confirm(card('approved'));
    await later.reach('succeeded');
    assert.equal((await send('POST', '/refunds', { paymentIntentId: later.id })).status, 201);

    const audit = auditAnswer.parse((await send('GET', '/audit-events?action=test_clock.advanced')).body);
    const { data } = clockAnswer.parse((await send('GET', '/test-clock')).body);
    assert.deepEqual(audit.data[0], {
      action: 'test_clock.advanced',
      resourceId: merchant.merchantAccountId,
      after: { advancedSeconds: data.advancedSeconds },
    });
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { receiveProviderEvent } from '../../../api/provider-webhooks.ts';
import { attemptIdOf, strayChargeIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import type { ProviderEvent, RefundProviderEvent } from '../../../domain/provider-outcome.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import { TemporalUnavailableError } from '../../../workflows/client/temporal-errors.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  insertMerchantAccount,
  insertPaymentAttempt,
  insertPaymentIntent,
  insertRefund,
} from '../../support/payment-rows.ts';
import { insertProviderAccount } from '../../support/provider-accounts.ts';

type Delivery = 'delivered' | 'finished' | 'not_started' | TemporalUnavailableError;

interface RecordedAttempt {
  readonly outcome?: string;
  readonly startedAt?: Date;
  readonly status?: string;
}

const LONG_AGO = new Date(Date.now() - 60_000);

describe('provider webhooks', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    account = await insertMerchantAccount(test.database);
  });
  after(() => test.close());

  /** The dependencies with scripted workflows; `delivery` is the result of each signal. */
  function engine(delivery: Delivery) {
    const delivered: string[] = [];
    const warnings: string[] = [];
    const deliver = (id: string) => {
      delivered.push(id);
      return delivery instanceof Error ? Promise.reject(delivery) : Promise.resolve(delivery);
    };
    const dependencies = {
      database: test.database,
      workflows: { deliverProviderEvent: deliver },
      refundWorkflows: { deliverRefundEvent: deliver },
      logger: { warn: (_fields: object, message: string) => void warnings.push(message) },
    };
    return { take: receiveProviderEvent.bind(null, dependencies), delivered, warnings };
  }

  const approvalOf = (attemptId: string): ProviderEvent => ({
    provider: 'alpha',
    eventId: newId('event'),
    attemptId,
    outcome: { kind: 'approved', providerPaymentId: 'sim_1', captured: true, amountMinor: 1_000, currency: 'USD' },
  });

  /** Inserts an intent with one attempt. @returns also the event of the attempt's approval */
  async function insertAttempt({ outcome, startedAt = LONG_AGO, status = 'requires_action' }: RecordedAttempt = {}) {
    const paymentIntentId = await insertPaymentIntent(test.database, account, { status });
    const attempt = { outcome: outcome ?? null, startedAt };
    const id = await insertPaymentAttempt(test.database, paymentIntentId, attempt);
    return { paymentIntentId, event: approvalOf(id) };
  }

  async function refunding(overrides: Parameters<typeof insertRefund>[2] = {}) {
    const paymentIntentId = await insertPaymentIntent(test.database, account, { status: 'succeeded' });
    const row = { createdAt: LONG_AGO, provider: 'alpha', ...overrides };
    return { paymentIntentId, event: newsOf(await insertRefund(test.database, paymentIntentId, row)) };
  }

  const REFUSED = { kind: 'refused', providerRefundId: 'simre_1' } as const;

  const newsOf = (refundId: string): RefundProviderEvent => ({
    provider: 'alpha',
    eventId: newId('event'),
    refundId,
    refundOutcome: { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 300, currency: 'USD' },
  });

  const keptOf = ({ provider, eventId }: ProviderEvent | RefundProviderEvent) =>
    test.database.providerEvent.findUnique({ where: { provider_eventId: { provider, eventId } } });

  for (const delivery of ['delivered', 'finished'] as const) {
    const words =
      delivery === 'finished'
        ? 'leave an event to the sweeper when the workflow has ended'
        : 'note an event as done when the workflow has it';
    it(words, async () => {
      const { take, delivered } = engine(delivery);
      const { paymentIntentId, event } = await insertAttempt();
      await take(event);
      assert.deepEqual(delivered, [paymentIntentId]);
      const kept = await keptOf(event);
      assert.equal(kept?.deliveredAt !== null, delivery === 'delivered');
      assert.deepEqual(kept?.event, event);
    });
  }

  for (const [what, delivery] of [
    ['that arrives before its workflow starts', 'not_started'],
    ['while Temporal is unavailable', new TemporalUnavailableError('away')],
  ] as const) {
    it(`store an event ${what}, for later delivery`, async () => {
      const { paymentIntentId, event } = await insertAttempt();
      await engine(delivery).take(event);
      const kept = await keptOf(event);
      assert.deepEqual([kept?.paymentIntentId, kept?.deliveredAt], [paymentIntentId, null]);
    });
  }

  it('deliver an event once, however often it is sent', async () => {
    const { take, delivered } = engine('delivered');
    const { event } = await insertAttempt();
    await Promise.all([take(event), take(event), take(event)]);
    await take(event);
    assert.equal(delivered.length, 1);
  });

  for (const [what, attempt] of [
    ['an attempt whose end is recorded', { outcome: 'approved' }],
    [
      'an attempt whose reply is likely on its way',
      { status: 'processing', startedAt: new Date(Date.now() + HOUR_MS) },
    ],
  ] as const) {
    it(`leave an event about ${what} to the sweeper`, async () => {
      const { take, delivered } = engine('delivered');
      const { event } = await insertAttempt(attempt);
      await take(event);
      assert.deepEqual([delivered, (await keptOf(event))?.deliveredAt], [[], null]);
    });
  }

  it('leave an event about an attempt that is not recorded to the sweeper', async () => {
    const { take, delivered } = engine('delivered');
    const event = approvalOf(attemptIdOf(newId('paymentIntent'), 1));
    await take(event);
    assert.deepEqual([delivered, (await keptOf(event))?.deliveredAt], [[], null]);
  });

  it('deliver at once an event about an attempt that has waited long for its reply', async () => {
    const { take, delivered } = engine('delivered');
    const { event } = await insertAttempt({ status: 'processing' });
    await take(event);
    assert.equal(delivered.length, 1);
  });

  it('store no event about an attempt that does not exist', async () => {
    const { take, warnings } = engine('delivered');
    const event = approvalOf('order-42');
    await take(event);
    assert.deepEqual([await keptOf(event), warnings.length], [null, 1]);
  });

  it('deliver an event about a refund to the workflow of the refund', async () => {
    const { take, delivered } = engine('delivered');
    const { paymentIntentId, event } = await refunding();
    await take(event);
    await take(event);
    assert.deepEqual(delivered, [event.refundId]);
    assert.equal((await keptOf(event))?.paymentIntentId, paymentIntentId);
  });

  for (const [what, row] of [
    ['that has ended', { status: 'succeeded' }],
    ['whose reply is likely on its way', { createdAt: new Date(Date.now() + HOUR_MS) }],
  ] as const) {
    it(`leave an event about a refund ${what} to the sweeper`, async () => {
      const { take, delivered } = engine('delivered');
      const { event } = await refunding(row);
      await take(event);
      assert.deepEqual([delivered, (await keptOf(event))?.deliveredAt], [[], null]);
    });
  }

  it("store no event of an account at a provider about another merchant account's payment", async () => {
    const { take, delivered } = engine('delivered');
    const { event } = await insertAttempt();
    const { event: ofRefund } = await refunding();
    const foreign = await insertProviderAccount(test.database, await insertMerchantAccount(test.database));
    const unknown = approvalOf(attemptIdOf(newId('paymentIntent'), 1));
    for (const each of [event, unknown, { ...ofRefund, refundId: strayChargeIdOf(event.attemptId) }]) {
      const forged = { ...each, provider: foreign };
      await take(forged);
      assert.equal(await keptOf(forged), null);
    }
    assert.deepEqual(delivered, []);
    const own = { ...event, provider: await insertProviderAccount(test.database, account) };
    await take(own);
    assert.equal(delivered.length, 1);
  });

  it('store no event about an unknown refund, or a refund at another provider', async () => {
    const { take, warnings } = engine('delivered');
    const elsewhere = (await refunding({ provider: 'beta' })).event;
    const unknown = newsOf(newId('refund'));
    await take(elsewhere);
    await take(unknown);
    assert.deepEqual([await keptOf(elsewhere), await keptOf(unknown), warnings.length], [null, null, 2]);
  });

  it('keep an event about the refund of a stray charge for its workflow to read', async () => {
    const { take, delivered, warnings } = engine('delivered');
    const { paymentIntentId } = await insertAttempt();
    const attemptId = attemptIdOf(paymentIntentId, 1);
    const charge = { attemptId, paymentIntentId, merchantAccountId: account, environment: 'sandbox' };
    await test.database.strayCharge.create({ data: { ...charge, provider: 'alpha' } });
    const ofReversal = newsOf(strayChargeIdOf(attemptId));
    const elsewhere = { ...newsOf(strayChargeIdOf(attemptId)), provider: 'beta' };
    await take(ofReversal);
    await take(elsewhere);
    assert.ok((await keptOf(ofReversal))?.deliveredAt);
    assert.deepEqual([await keptOf(elsewhere), delivered, warnings.length], [null, [], 1]);
    const refusal = { ...ofReversal, eventId: newId('event'), refundOutcome: REFUSED };
    await take(refusal);
    assert.deepEqual([(await keptOf(refusal))?.deliveredAt, delivered], [null, []], 'it may come after a success');
  });

  it('leave the refusal of a refund to the sweeper even where its workflow has the signal', async () => {
    const { take, delivered } = engine('delivered');
    const refusal = { ...(await refunding()).event, refundOutcome: REFUSED };
    await take(refusal);
    assert.deepEqual([(await keptOf(refusal))?.deliveredAt, delivered], [null, [refusal.refundId]]);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { recordFailed } from '../../activities/record-webhook-attempt.ts';
import { recordChange } from '../../activities/record-change.ts';
import { recordRefund } from '../../activities/record-refund.ts';
import { reserveRefund } from '../../api/refunds/reserve.ts';
import { attemptIdOf, transactionIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent, insertRefund } from '../support/payment-rows.ts';
import { approval, RUN } from '../support/payment-steps.ts';
import { insertWebhookEndpoint } from '../support/webhook-rows.ts';

/** Every state that is told of. */
const STATES = `
  SELECT jsonb_build_object(
    'intents', (SELECT jsonb_agg(to_jsonb(i) ORDER BY id) FROM payment_intent i),
    'refunds', (SELECT jsonb_agg(to_jsonb(r) ORDER BY id) FROM refund r),
    'transactions', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM transaction t),
    'endpoints', (SELECT jsonb_agg(to_jsonb(w) ORDER BY id) FROM webhook_endpoint w))::text AS states`;

describe('a change whose event cannot be written', function () {
  this.timeout(60_000);
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
    await test.database.$executeRawUnsafe(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no events'; END $$`);
  });
  after(() => test.close());

  const paidIntent = async (): Promise<string> => {
    const account = await insertMerchantAccount(test.database);
    const money = { amountCapturedMinor: 1_000n, amountRefundingMinor: 300n, status: 'succeeded' };
    return insertPaymentIntent(test.database, account, money);
  };
  const at = '2026-06-01T12:00:00.000Z';

  const changes: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
    'a step of a payment': async () => {
      const intent = await insertPaymentIntent(test.database, await insertMerchantAccount(test.database));
      return () => recordChange(test.database, approval(intent), RUN);
    },
    'a refund that begins': async () => {
      const paymentIntentId = await paidIntent();
      const capture = {
        paymentIntentId,
        transactionId: transactionIdOf(paymentIntentId, 1),
        attemptId: attemptIdOf(paymentIntentId, 1),
        provider: 'alpha',
        providerPaymentId: 'sim_1',
      };
      const refund = { id: newId('refund'), capture, amountMinor: 100, reason: null, metadata: {} };
      return () => reserveRefund(test.database, refund);
    },
    'a refund that ends': async () => {
      const refundId = await insertRefund(test.database, await paidIntent());
      return () =>
        recordRefund(test.database, {
          refundId,
          status: 'succeeded',
          providerRefundId: 'simre_1',
          failure: null,
          tries: 1,
          at,
        });
    },
    'an endpoint that is disabled': async () => {
      const webhookEndpointId = await insertWebhookEndpoint(test.database, await insertMerchantAccount(test.database));
      const delivery = {
        id: newId('webhookDelivery'),
        eventId: newId('event'),
        webhookEndpointId,
        merchantAccountId: 'mer_1',
        environment: 'sandbox',
        eventType: 'refund.created',
        position: 1n,
      };
      await test.database.webhookDelivery.create({ data: delivery });
      const reply = { statusCode: 410, error: 'status_not_2xx', responseBody: '' } as const;
      const made = { number: 1, retryPauseMs: 5_000, startedAt: new Date(at), durationMs: 1, reply };
      return () => recordFailed(test.database, { deliveryId: delivery.id, webhookEndpointId, ...made });
    },
  };

  for (const [what, prepare] of Object.entries(changes)) {
    it(`is not made either: ${what}`, async () => {
      const change = await prepare();
      const before = await test.database.$queryRawUnsafe(STATES);
      await test.database.$executeRawUnsafe(
        'CREATE TRIGGER refuse_events BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse()',
      );
      try {
        await assert.rejects(change(), /no events/);
      } finally {
        await test.database.$executeRawUnsafe('DROP TRIGGER refuse_events ON event');
      }
      assert.deepEqual(await test.database.$queryRawUnsafe(STATES), before);
      await change();
      assert.notDeepEqual(await test.database.$queryRawUnsafe(STATES), before);
    });
  }
});

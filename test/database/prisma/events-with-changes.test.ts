import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { updatePayment } from '../../../activities/update-payment.ts';
import { recordRefund } from '../../../activities/record-refund.ts';
import { insertIntent } from '../../../api/resources/payment-intents/insert-intent.ts';
import { reserveRefund } from '../../../api/resources/refunds/reserve.ts';
import { createPaymentIntentBody } from '../../../contract/schemas/payment-intent-requests.ts';
import { attemptIdOf, transactionIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import { createPaymentStore } from '../../../prisma/stores/payment-store.ts';
import { recordFailed } from '../../../prisma/queries/webhook-attempt.ts';
import { useTestDatabase } from '../../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent, insertRefund } from '../../support/payment-rows.ts';
import { AT, opening, record, recordPaid, RUN } from '../../support/payment-steps.ts';
import { insertWebhookEndpoint } from '../../support/webhook-rows.ts';
import { principalWith } from '../../support/principal.ts';

/** Every state that events are about. */
const STATES = `
  SELECT jsonb_build_object(
    'intents', (SELECT jsonb_agg(to_jsonb(i) ORDER BY id) FROM payment_intent i),
    'refunds', (SELECT jsonb_agg(to_jsonb(r) ORDER BY id) FROM refund r),
    'transactions', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM transaction t),
    'endpoints', (SELECT jsonb_agg(to_jsonb(w) ORDER BY id) FROM webhook_endpoint w))::text AS states`;

describe('a change whose event cannot be written', function () {
  this.timeout(60_000);
  const test = useTestDatabase();

  before(async () => {
    await test.database.$executeRawUnsafe(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cannot be written'; END $$`);
  });

  const paidIntent = async (): Promise<string> => {
    const account = await insertMerchantAccount(test.database);
    const money = { amountCapturedMinor: 1_000n, amountRefundingMinor: 300n, status: 'succeeded' };
    return insertPaymentIntent(test.database, account, money);
  };
  const at = '2026-06-01T12:00:00.000Z';

  const changes: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
    'the creation of a payment': async () => {
      const merchantAccountId = await insertMerchantAccount(test.database);
      const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({
        where: { id: merchantAccountId },
      });
      const principal = principalWith({ merchantId, merchantAccountId });
      const id = newId('paymentIntent');
      const request = createPaymentIntentBody.parse({ amount: 1_999, currency: 'EUR' });
      const intent = { id, principal, request, country: null, paymentMethodId: null };
      return () => insertIntent(test.database, { ...intent, clientSecretHash: id });
    },
    'a step of a payment': async () => {
      const intent = await insertPaymentIntent(test.database, await insertMerchantAccount(test.database));
      return () => record(test.database, intent, opening(intent));
    },
    'a refund that begins': async () => {
      const paymentIntentId = await paidIntent();
      const capture = {
        paymentIntentId,
        transactionId: transactionIdOf(paymentIntentId, 1, 'capture'),
        attemptId: attemptIdOf(paymentIntentId, 1),
        provider: 'alpha',
        providerPaymentId: 'sim_1',
      };
      const { merchantAccountId } = await test.database.paymentIntent.findUniqueOrThrow({
        where: { id: paymentIntentId },
      });
      const account = { merchantAccountId, environment: 'sandbox' } as const;
      const refund = {
        id: newId('refund'),
        account,
        capture,
        amountMinor: 100,
        reason: null,
        reference: null,
        metadata: {},
        author: null,
      };
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
      const merchantAccountId = await insertMerchantAccount(test.database);
      const webhookEndpointId = await insertWebhookEndpoint(test.database, merchantAccountId);
      const delivery = {
        id: newId('webhookDelivery'),
        eventId: newId('event'),
        webhookEndpointId,
        merchantAccountId,
        environment: 'sandbox',
        eventType: 'refund.created',
        position: 1n,
      };
      await test.database.webhookDelivery.create({ data: delivery });
      const reply = { statusCode: 410, error: 'status_not_2xx', responseBody: '' } as const;
      const made = { number: 1, retryPauseMs: 5_000, isProbe: false, startedAt: new Date(at), durationMs: 1, reply };
      return () => test.database.direct.row(recordFailed({ deliveryId: delivery.id, webhookEndpointId, ...made }));
    },
  };

  /** Asserts that a change rolls back while no row can be inserted into `table`, and succeeds afterwards. */
  const assertNotMadeWithoutEvent = async (table: 'event' | 'timeline_entry', change: () => Promise<unknown>) => {
    const before = await test.database.$queryRawUnsafe(STATES);
    await test.database.$executeRawUnsafe(
      `CREATE TRIGGER refuse_rows BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    try {
      await assert.rejects(change(), /cannot be written/);
    } finally {
      await test.database.$executeRawUnsafe(`DROP TRIGGER refuse_rows ON ${table}`);
    }
    assert.deepEqual(await test.database.$queryRawUnsafe(STATES), before);
    await change();
    assert.notDeepEqual(await test.database.$queryRawUnsafe(STATES), before);
  };

  for (const [what, prepare] of Object.entries(changes)) {
    it(`is rolled back: ${what}`, async () => assertNotMadeWithoutEvent('event', await prepare()));
  }

  it('is rolled back: a PATCH of a payment, which writes only to the timeline', async () => {
    const id = await insertPaymentIntent(test.database, await insertMerchantAccount(test.database));
    const paymentUpdateId = newId('paymentUpdate');
    const changes = { amountMinor: 2_500 };
    await test.database.paymentIntentUpdate.create({ data: { id: paymentUpdateId, paymentIntentId: id, changes } });
    const store = createPaymentStore(test.database);
    const request = { paymentIntentId: id, knownVersion: 0, paymentUpdateId, at: AT };
    const update = () => updatePayment(store, request, { runId: RUN, stepId: paymentUpdateId });
    await assertNotMadeWithoutEvent('timeline_entry', update);
    await recordPaid(test.database, id);
    const events = await test.database.event.findMany({ where: { paymentIntentId: id } });
    assert.ok(events.length > 0);
    const schema = z.object({ intent: z.object({ amount_minor: z.number() }) });
    for (const { snapshot } of events) assert.equal(schema.parse(snapshot).intent.amount_minor, 2_500);
  });
});

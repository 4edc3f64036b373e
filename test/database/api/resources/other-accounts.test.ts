import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { listDeliveries, readDeliveries } from '../../../../api/resources/events/read-deliveries.ts';
import { redeliver } from '../../../../api/resources/events/redeliver.ts';
import { newId } from '../../../../domain/new-id.ts';
import type { AccountScope } from '../../../../prisma/fragments/conditions.ts';
import { selectIntentEvents, selectIntentState } from '../../../../prisma/queries/event.ts';
import { insertIntentUpdate, selectIntent, selectTimeline } from '../../../../prisma/queries/payment-intent.ts';
import { reserveRefund } from '../../../../prisma/queries/refund-reservation.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertEvent, insertMerchantAccount, insertPaymentIntent } from '../../../support/payment-rows.ts';
import { insertWebhookEndpoint } from '../../../support/webhook-rows.ts';

const PAGE = { page: 1, limit: 10 };

describe('what belongs to one account', () => {
  const test = useTestDatabase();
  let own: AccountScope;
  let ids: { readonly intent: string; readonly event: string; readonly delivery: string };

  before(async () => {
    own = { merchantAccountId: await insertMerchantAccount(test.database), environment: 'sandbox' };
    ids = await insertRows(own);
  });

  /** A paid intent with a line in its timeline, a numbered event, and a delivery whose workflow was started. */
  async function insertRows({ merchantAccountId, environment }: AccountScope) {
    const { database } = test;
    const amounts = { status: 'succeeded', amountCapturedMinor: 1_000n };
    const intent = await insertPaymentIntent(database, merchantAccountId, amounts);
    await database.timelineEntry.create({
      data: { paymentIntentId: intent, version: 0, ordinal: 0, kind: 'created', summary: 'Created', at: new Date() },
    });
    const event = await insertEvent(database, { merchantAccountId, paymentIntentId: intent });
    await database.event.update({ where: { id: event }, data: { position: 1n, sequence: 1n } });
    await database.webhookCursor.updateMany({ data: { position: 1n } });
    const delivery = newId('webhookDelivery');
    await database.webhookDelivery.create({
      data: {
        id: delivery,
        eventId: event,
        webhookEndpointId: await insertWebhookEndpoint(database, merchantAccountId),
        merchantAccountId,
        environment,
        eventType: 'payment_intent.processing',
        position: 1n,
        workflowStartedAt: new Date(),
      },
    });
    return { intent, event, delivery };
  }

  const capture = () => ({
    transactionId: 'txn_1',
    paymentIntentId: ids.intent,
    attemptId: 'att_1',
    provider: 'alpha',
    providerPaymentId: 'sim_1',
  });

  /** Reads and writes by the id of a row. Each resolves with how many rows it found or changed. */
  const READS: Readonly<Record<string, (scope: AccountScope) => Promise<number>>> = {
    'an intent': async (scope) => (await test.database.direct.rows(selectIntent(ids.intent, scope))).length,
    'the timeline of an intent': async (scope) =>
      (await test.database.direct.rows(selectTimeline(ids.intent, scope, 10))).length,
    'the deliveries of an event': async (scope) => {
      const { rows, total } = await listDeliveries(test.database, scope, ids.event, PAGE);
      return rows.length + total;
    },
    'deliveries by their ids': async (scope) => (await readDeliveries(test.database, scope, [ids.delivery])).length,
    'deliveries to repeat': async (scope) => {
      const webhookWorkflows = { attemptNow: () => Promise.resolve('delivered' as const) };
      return (await redeliver({ database: test.database, webhookWorkflows }, scope, ids.event, undefined)).length;
    },
    "the state of a page's intent": async ({ merchantAccountId }) => {
      const page = { paymentIntentId: ids.intent, merchantAccountId };
      return (await test.database.direct.rows(selectIntentState(page, null))).length;
    },
    "the events of a page's intent": async ({ merchantAccountId }) => {
      const after = { paymentIntentId: ids.intent, merchantAccountId, insertion: 0, position: 0, limit: 10 };
      return (await test.database.direct.rows(selectIntentEvents(after))).length;
    },
    'an intent to update': (scope) => {
      const update = { id: newId('paymentUpdate'), paymentIntentId: ids.intent, changes: {}, customerId: null };
      return test.database.direct.execute(insertIntentUpdate({ ...update, ...scope }));
    },
    'an intent to refund': async (account) => {
      const refund = {
        id: newId('refund'),
        account,
        capture: capture(),
        amountMinor: 1,
        reason: null,
        reference: null,
        metadata: {},
        author: null,
      };
      const at = new Date().toISOString();
      return (await test.database.direct.rows(reserveRefund({ ...refund, at }))).length;
    },
  };
  for (const [what, find] of Object.entries(READS)) {
    it(`is found by that account alone: ${what}`, async () => {
      assert.ok((await find(own)) > 0);
      const another = await insertMerchantAccount(test.database);
      assert.equal(await find({ ...own, merchantAccountId: another }), 0);
    });
  }
});

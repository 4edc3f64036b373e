import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { sequenceEvents } from '../../../../worker/jobs/event-sequencer.ts';
import { unblockDeliveries } from '../../../../prisma/queries/webhook-delivery.ts';
import { planDeliveries } from '../../../../worker/jobs/plan-deliveries.ts';
import { startDeliveries } from '../../../../worker/jobs/start-deliveries.ts';
import { TemporalUnavailableError } from '../../../../workflow-client/temporal-errors.ts';
import type { WebhookDeliveryInput } from '../../../../protocol/messages.ts';
import { useTestDatabase } from '../../../support/database.ts';
import {
  insertEvent,
  insertMerchantAccount,
  insertPaymentIntent,
  type NewEventRow,
} from '../../../support/payment-rows.ts';
import { deliveryIdOf, insertWebhookEndpoint } from '../../../support/webhook-rows.ts';

const NEVER = new AbortController().signal;

describe('planning of webhook deliveries', function () {
  this.timeout(60_000);
  const test = useTestDatabase();
  let account: string;
  let intent: string;

  beforeEach(async () => {
    account = await insertMerchantAccount(test.database);
    intent = await insertPaymentIntent(test.database, account);
  });

  const recordEvent = async (
    type = 'payment_intent.processing',
    subject: Partial<Pick<NewEventRow, 'paymentIntentId' | 'otherResourceId'>> = {},
  ): Promise<string> => {
    const event = { merchantAccountId: account, paymentIntentId: intent, type, ...subject };
    const id = await insertEvent(test.database, event);
    await sequenceEvents(test.database);
    return id;
  };
  const planAll = async (): Promise<void> => {
    while ((await planDeliveries(test.database)) > 0) continue;
  };
  const deliveriesTo = (webhookEndpointId: string) =>
    test.database.webhookDelivery.findMany({ where: { webhookEndpointId }, orderBy: { position: 'asc' } });

  it('inserts a delivery for each endpoint of the account that subscribes to the event, and for no other', async () => {
    const { database } = test;
    const all = await insertWebhookEndpoint(database, account);
    const some = await insertWebhookEndpoint(database, account, { enabledEvents: ['payment_intent.succeeded'] });
    const off = await insertWebhookEndpoint(database, account, { status: 'disabled' });
    const foreign = await insertWebhookEndpoint(database, await insertMerchantAccount(database));
    const begun = await recordEvent();
    const paid = await recordEvent('payment_intent.succeeded');
    await planAll();
    const eventsAt = async (id: string) => (await deliveriesTo(id)).map(({ eventId }) => eventId);
    assert.deepEqual(await eventsAt(all), [begun, paid]);
    assert.deepEqual(await eventsAt(some), [paid]);
    assert.deepEqual([await eventsAt(off), await eventsAt(foreign)], [[], []]);
    const [delivery] = await deliveriesTo(some);
    assert.equal(delivery?.id, deliveryIdOf(paid, some));
    assert.equal(delivery.blockedBy, null);
  });

  it('sends a test event to its endpoint only, whatever the endpoint subscribes to', async () => {
    const { database } = test;
    const other = await insertWebhookEndpoint(database, account);
    const tested = await insertWebhookEndpoint(database, account, { enabledEvents: ['payment_intent.succeeded'] });
    const id = await recordEvent('webhook_endpoint.test', { otherResourceId: tested });
    await planAll();
    assert.deepEqual(
      (await deliveriesTo(tested)).map(({ eventId }) => eventId),
      [id],
    );
    assert.deepEqual(await deliveriesTo(other), []);
  });

  it('skips no event and plans none twice with concurrent writers, sequencers and planners', async () => {
    const { database } = test;
    const endpoints = [await insertWebhookEndpoint(database, account), await insertWebhookEndpoint(database, account)];
    let writing = true;
    const numbering = keep(
      () => sequenceEvents(database, 7),
      () => writing,
    );
    const planning = [3, 5, 11].map((size) =>
      keep(
        () => planDeliveries(database, size),
        () => writing,
      ),
    );
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const paymentIntentId = await insertPaymentIntent(database, account);
        for (let version = 1; version <= 10; version += 1) {
          await insertEvent(database, { merchantAccountId: account, paymentIntentId, version });
        }
      }),
    );
    writing = false;
    await Promise.all([numbering, ...planning]);
    while ((await sequenceEvents(database)) > 0) continue;
    await planAll();
    const events = await database.event.findMany({
      where: { merchantAccountId: account },
      orderBy: { position: 'asc' },
    });
    assert.equal(events.length, 60);
    for (const endpoint of endpoints) {
      assert.deepEqual(
        (await deliveriesTo(endpoint)).map(({ eventId }) => eventId),
        events.map(({ id }) => id),
      );
    }
  });

  async function keep(work: () => Promise<number>, isGoingOn: () => boolean): Promise<void> {
    while (isGoingOn()) await work();
  }

  describe("of one payment's events", () => {
    it('blocks each by the one before it, within a batch and across batches', async () => {
      const endpoint = await insertWebhookEndpoint(test.database, account);
      await recordEvent();
      await recordEvent();
      await planAll();
      await recordEvent();
      const paymentIntentId = await insertPaymentIntent(test.database, account);
      await recordEvent('payment_intent.created', { paymentIntentId });
      await planAll();
      const [first, second, third, other] = await deliveriesTo(endpoint);
      assert.deepEqual(
        [first?.blockedBy, second?.blockedBy, third?.blockedBy, other?.blockedBy],
        [null, first?.id, second?.id, null],
      );
    });

    it('blocks none by one that has ended, or has failed often enough', async () => {
      const { database } = test;
      for (const change of [{ status: 'delivered' }, { status: 'canceled' }, { attemptCount: 3 }]) {
        const endpoint = await insertWebhookEndpoint(database, account, {
          enabledEvents: ['payment_intent.succeeded'],
        });
        await recordEvent('payment_intent.succeeded');
        await planAll();
        await database.webhookDelivery.updateMany({ where: { webhookEndpointId: endpoint }, data: change });
        await recordEvent('payment_intent.succeeded');
        await planAll();
        assert.deepEqual(
          (await deliveriesTo(endpoint)).map(({ blockedBy }) => blockedBy),
          [null, null],
        );
      }
    });

    it('unblocks a delivery whose blocking delivery has ended in the meantime', async () => {
      const { database } = test;
      const endpoint = await insertWebhookEndpoint(database, account);
      await recordEvent();
      await recordEvent();
      await planAll();
      assert.equal(
        (await database.direct.row(unblockDeliveries({ isHeld: false, after: '', limit: 1_000 })))?.last,
        null,
      );
      const [first] = await deliveriesTo(endpoint);
      await database.webhookDelivery.update({ where: { id: first?.id ?? '' }, data: { status: 'delivered' } });
      await database.direct.row(unblockDeliveries({ isHeld: false, after: '', limit: 1_000 }));
      assert.deepEqual(
        (await deliveriesTo(endpoint)).map(({ blockedBy }) => blockedBy),
        [null, null],
      );
    });
  });

  describe('and their start', () => {
    beforeEach(() => test.database.webhookDelivery.deleteMany());

    const startInto = (started: WebhookDeliveryInput[]) => ({
      database: test.database,
      webhookWorkflows: {
        start: async (input: WebhookDeliveryInput) => {
          started.push(input);
        },
      },
    });

    it('happens once, in the worker that claims the delivery, and not for blocked deliveries', async () => {
      const endpoint = await insertWebhookEndpoint(test.database, account);
      const first = await recordEvent();
      await recordEvent();
      await planAll();
      const started: WebhookDeliveryInput[] = [];
      const counts = await Promise.all([1, 2, 3].map(() => startDeliveries(startInto(started), NEVER)));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        1,
      );
      assert.deepEqual(started, [
        {
          deliveryId: deliveryIdOf(first, endpoint),
          eventId: first,
          eventType: 'payment_intent.processing',
          webhookEndpointId: endpoint,
          merchantAccountId: account,
          environment: 'sandbox',
          paymentIntentId: intent,
          attemptsMade: 0,
        },
      ]);
      assert.equal(await startDeliveries(startInto(started), NEVER), 0);
    });

    it('happens in another worker if the claim expires', async () => {
      await insertWebhookEndpoint(test.database, account);
      await recordEvent();
      await planAll();
      const away = { start: () => Promise.reject(new TemporalUnavailableError('away')) };
      await assert.rejects(
        startDeliveries({ database: test.database, webhookWorkflows: away }, NEVER),
        TemporalUnavailableError,
      );
      const started: WebhookDeliveryInput[] = [];
      assert.equal(await startDeliveries(startInto(started), NEVER), 0);
      await test.database.webhookDelivery.updateMany({ data: { claimedAt: new Date(Date.now() - 11_000) } });
      assert.equal(await startDeliveries(startInto(started), NEVER), 1);
      assert.equal(started.length, 1);
    });
  });
});

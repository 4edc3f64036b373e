import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { listEndpointDeliveries } from '../../../../../api/resources/events/read-deliveries.ts';
import { redeliver, redeliverMissed } from '../../../../../api/resources/events/redeliver.ts';
import { presentEndpoints } from '../../../../../accounts/webhook-endpoints/stored-endpoint.ts';
import type { WebhookDeliveryStatus } from '../../../../../domain/webhook.ts';
import { sequenceEvents } from '../../../../../worker/jobs/event-sequencer.ts';
import { planDeliveries } from '../../../../../worker/jobs/plan-deliveries.ts';
import { useTestDatabase } from '../../../../support/database.ts';
import { insertEvent, insertMerchantAccount, insertPaymentIntent } from '../../../../support/payment-rows.ts';
import { deliveryIdOf, insertWebhookEndpoint } from '../../../../support/webhook-rows.ts';

describe('a redelivery', () => {
  const test = useTestDatabase();
  let account: string;
  let event: string;
  let deliveries: readonly string[];

  beforeEach(async () => {
    account = await insertMerchantAccount(test.database);
    const endpoints = [
      await insertWebhookEndpoint(test.database, account),
      await insertWebhookEndpoint(test.database, account),
    ];
    const paymentIntentId = await insertPaymentIntent(test.database, account);
    event = await insertEvent(test.database, { merchantAccountId: account, paymentIntentId });
    await sequenceEvents(test.database);
    while ((await planDeliveries(test.database)) > 0) continue;
    deliveries = endpoints.map((endpoint) => deliveryIdOf(event, endpoint)).sort();
  });

  const end = (id: string) =>
    test.database.webhookDelivery.update({ where: { id }, data: { status: 'delivered', finishedAt: new Date() } });
  const redeliverWith = async (attemptNow: (id: string) => Promise<unknown>) => {
    const webhookWorkflows = {
      attemptNow: async (id: string) => {
        await attemptNow(id);
        return 'delivered' as const;
      },
    };
    const scope = { merchantAccountId: account, environment: 'sandbox' } as const;
    return (await redeliver({ database: test.database, webhookWorkflows }, scope, event, undefined)).toSorted();
  };

  it('of pending deliveries is their next attempt, and no delivery more, even if they end at once', async () => {
    assert.deepEqual(await redeliverWith(end), deliveries);
    assert.equal(await test.database.webhookDelivery.count({ where: { eventId: event } }), 2);
  });

  it('of ended deliveries is one more to each endpoint, also for requests at the same time', async () => {
    await Promise.all(deliveries.map(end));
    const again = deliveries.map((id) => `${id}_2`);
    const redelivered = await Promise.all([1, 2, 3].map(() => redeliverWith(() => Promise.resolve())));
    assert.deepEqual(redelivered, [again, again, again]);
  });

  describe('of all that an endpoint has missed', () => {
    const scope = () => ({ merchantAccountId: account, environment: 'sandbox' as const });
    const missed = (webhookEndpointId: string, since = new Date(0)) =>
      redeliverMissed(test.database, scope(), { webhookEndpointId, since });
    const fail = (id: string) =>
      test.database.webhookDelivery.update({ where: { id }, data: { status: 'failed', finishedAt: new Date() } });
    const endpointOf = async (id = '') =>
      (await test.database.webhookDelivery.findUniqueOrThrow({ where: { id } })).webhookEndpointId;

    it('leaves out what it has got and what is under way, and is not repeated', async () => {
      const [pending, ended] = [await endpointOf(deliveries[0]), await endpointOf(deliveries[1])];
      const none = { redelivered: 0, isComplete: true };
      assert.deepEqual(await missed(pending), none);
      await end(deliveries[1] ?? '');
      assert.deepEqual(await missed(ended), none);
      await fail(deliveries[0] ?? '');
      assert.deepEqual(await missed(pending), { redelivered: 1, isComplete: true });
      assert.deepEqual(await missed(pending), none);
      const again = await test.database.webhookDelivery.findUniqueOrThrow({ where: { id: `${deliveries[0]}_2` } });
      assert.deepEqual([again.status, again.isHeld], ['pending', false]);
    });

    it('includes events of before the endpoint existed, within the time and the account, and those wait while it fails', async () => {
      const recoveryDueAt = null;
      const nextProbeAt = new Date(Date.now() + 60_000);
      const endpoint = await insertWebhookEndpoint(test.database, account, { nextProbeAt, recoveryDueAt });
      assert.equal((await missed(endpoint, new Date(Date.now() + 60_000))).redelivered, 0);
      assert.equal((await missed(endpoint)).redelivered, 1);
      const delivery = await test.database.webhookDelivery.findUniqueOrThrow({
        where: { id: deliveryIdOf(event, endpoint) },
      });
      assert.deepEqual([delivery.isHeld, delivery.round], [true, 1]);
      const row = await test.database.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint } });
      assert.deepEqual(row.recoveryDueAt, nextProbeAt);
    });

    it('needs an enabled endpoint of the account', async () => {
      const disabled = await insertWebhookEndpoint(test.database, account, { status: 'disabled' });
      await assert.rejects(missed(disabled), { code: 'STATE_CONFLICT' });
      const foreign = await insertWebhookEndpoint(test.database, await insertMerchantAccount(test.database));
      await assert.rejects(missed(foreign), { code: 'RESOURCE_NOT_FOUND' });
    });
  });

  it('can be found by the endpoint and the status, and counts', async () => {
    const [endpoint = ''] = (
      await test.database.webhookEndpoint.findMany({ where: { merchantAccountId: account } })
    ).map(({ id }) => id);
    const id = deliveryIdOf(event, endpoint);
    const list = async (status: WebhookDeliveryStatus) => {
      const page = { status, page: 1, limit: 10, startingAfter: undefined };
      const owner = { merchantAccountId: account, environment: 'sandbox' } as const;
      return (await listEndpointDeliveries(test.database, owner, endpoint, page)).rows.map((row) => row.id);
    };
    const counts = async () => {
      const row = await test.database.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint } });
      const [shown] = await presentEndpoints(test.database, [row]);
      return [shown?.pendingDeliveries, shown?.recentDeliveries];
    };
    assert.deepEqual([await list('pending'), await list('delivered')], [[id], []]);
    assert.deepEqual(await counts(), [1, { total: 1, delivered: 0 }]);
    await end(id);
    assert.deepEqual([await list('pending'), await list('delivered')], [[], [id]]);
    assert.deepEqual(await counts(), [0, { total: 1, delivered: 1 }]);
  });
});

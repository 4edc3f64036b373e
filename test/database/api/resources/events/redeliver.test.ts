import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { redeliver } from '../../../../../api/resources/events/redeliver.ts';
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
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createEndpointSlots } from '../../../../activities/endpoint-slots.ts';
import { deliverHeld, probeEndpoint } from '../../../../activities/recover-endpoint.ts';
import { newId } from '../../../../domain/new-id.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../../domain/time.ts';
import { FAILURES_UNTIL_FAILING, PROBE_PAUSES_MS } from '../../../../domain/webhook.ts';
import { type MadeAttempt, recordFailed } from '../../../../prisma/queries/webhook-attempt.ts';
import { insertRedeliveries, SHARE_PER_ENDPOINT } from '../../../../prisma/queries/webhook-delivery.ts';
import { Prisma } from '../../../../prisma/generated/client.ts';
import { webhookEndpointJson } from '../../../../prisma/fragments/webhook-endpoint-json.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { newWebhookSecret, sealWebhookSecret } from '../../../../vault/webhook-secret.ts';
import { createTargetPolicies } from '../../../../webhooks/target-policy.ts';
import { sequenceEvents } from '../../../../worker/jobs/event-sequencer.ts';
import { planDeliveries } from '../../../../worker/jobs/plan-deliveries.ts';
import { recoverEndpoints, settleHeldDeliveries } from '../../../../worker/jobs/recover-endpoints.ts';
import { startDeliveries } from '../../../../worker/jobs/start-deliveries.ts';
import { inActivity } from '../../../support/activity-context.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertEvent, insertMerchantAccount, insertPaymentIntent } from '../../../support/payment-rows.ts';
import { insertWebhookEndpoint } from '../../../support/webhook-rows.ts';
import { startReceiver, type WebhookReceiver } from '../../../support/webhook-receiver.ts';

const { signal } = new AbortController();
const keyring = parseKeyring(`test:${Buffer.alloc(32, 7).toString('base64')}`);
const FAILED = { statusCode: 500, error: 'status_not_2xx', responseBody: '' } as const;

describe('a failing webhook endpoint', function () {
  this.timeout(60_000);
  const test = useTestDatabase();
  let account: string;
  let endpoint: string;

  beforeEach(async () => {
    await test.database.webhookDelivery.deleteMany();
    await test.database.webhookEndpoint.deleteMany();
    account = await insertMerchantAccount(test.database);
    endpoint = await insertWebhookEndpoint(test.database, account, { lastSuccessAt: new Date() });
  });

  /** Records an event, of a payment of its own by default, and plans its deliveries. */
  const recordEvents = async (count: number, paymentIntentId?: string): Promise<void> => {
    for (let number = 1; number <= count; number += 1) {
      const ofPayment = paymentIntentId ?? (await insertPaymentIntent(test.database, account));
      await insertEvent(test.database, { merchantAccountId: account, paymentIntentId: ofPayment, version: number });
    }
    await sequenceEvents(test.database);
    await planDeliveries(test.database);
    // Their snapshots have no whole payment, which could be sent.
    await test.database.$executeRaw`
      UPDATE event SET type = 'webhook_endpoint.test',
        snapshot = (SELECT jsonb_build_object('webhookEndpoint', ${webhookEndpointJson('w')}) FROM webhook_endpoint w WHERE id = ${endpoint})
      WHERE merchant_account_id = ${account} AND payment_intent_id IS NOT NULL`;
  };
  const start = async (): Promise<readonly string[]> => {
    const started: string[] = [];
    const webhookWorkflows = {
      start: async (input: { readonly deliveryId: string }) => void started.push(input.deliveryId),
    };
    await startDeliveries({ database: test.database, webhookWorkflows }, signal);
    return started;
  };
  const recoveries = async (): Promise<readonly string[]> => {
    const started: string[] = [];
    const webhookWorkflows = {
      recover: async (input: { readonly webhookEndpointId: string }) => void started.push(input.webhookEndpointId),
    };
    await recoverEndpoints({ database: test.database, webhookWorkflows }, signal);
    return started;
  };
  const fail = async (deliveryId: string, change: Partial<MadeAttempt> = {}) =>
    test.database.direct.row(
      recordFailed({
        deliveryId,
        webhookEndpointId: endpoint,
        number: 1,
        retryPauseMs: 5 * SECOND_MS,
        isProbe: false,
        reply: FAILED,
        startedAt: new Date(),
        durationMs: 0,
        ...change,
      }),
    );
  const readEndpoint = () => test.database.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint } });
  const deliveries = () => test.database.webhookDelivery.findMany({ orderBy: { position: 'asc' } });
  const heldCount = () => test.database.webhookDelivery.count({ where: { isHeld: true, status: 'pending' } });
  const eventTypes = async () =>
    (await test.database.event.findMany({ where: { resourceId: endpoint }, orderBy: { insertion: 'asc' } })).map(
      ({ type }) => type,
    );
  const makeFail = async (): Promise<void> => {
    await recordEvents(FAILURES_UNTIL_FAILING);
    for (const id of await start()) await fail(id);
  };
  const makeDue = () =>
    test.database.webhookEndpoint.update({ where: { id: endpoint }, data: { recoveryDueAt: new Date(0) } });

  it('keeps its deliveries as rows after five failures in a row, says so, and gets one probe', async () => {
    await recordEvents(FAILURES_UNTIL_FAILING);
    const started = await start();
    const results = [];
    for (const id of started) results.push((await fail(id))?.isHeld);
    assert.deepEqual(results, [false, false, false, false, true]);
    assert.deepEqual(await eventTypes(), ['webhook_endpoint.failing']);
    await recordEvents(20);
    assert.deepEqual(await start(), []);
    // The endpoint gets the event that it fails, too.
    assert.equal(await heldCount(), 22);
    const { nextProbeAt, lastFailureAt, recoveryDueAt } = await readEndpoint();
    assert.equal((nextProbeAt?.getTime() ?? 0) - (lastFailureAt?.getTime() ?? 0), PROBE_PAUSES_MS[0]);
    assert.deepEqual(recoveryDueAt, nextProbeAt);
    assert.deepEqual(await recoveries(), []);
    await makeDue();
    assert.deepEqual(await recoveries(), [endpoint]);
    assert.deepEqual(await recoveries(), []);
  });

  it('holds what was planned before it began to fail, but not what somebody asked for', async () => {
    await recordEvents(SHARE_PER_ENDPOINT + 5);
    for (const id of (await start()).slice(0, FAILURES_UNTIL_FAILING)) await fail(id);
    assert.deepEqual(await start(), []);
    const held = (await deliveries()).filter(({ isHeld }) => isHeld);
    assert.equal(held.length, 6);
    const [delivered] = await deliveries();
    assert.ok(delivered);
    await test.database.webhookDelivery.update({ where: { id: delivered.id }, data: { status: 'delivered' } });
    const owner = { merchantAccountId: account, environment: 'sandbox' } as const;
    const [redelivery] = await test.database.direct.rows(
      insertRedeliveries({ eventId: delivered.eventId, webhookEndpointId: endpoint, ...owner }),
    );
    assert.deepEqual(await start(), [redelivery?.id]);
  });

  it('gets probes with growing pauses, and is disabled after five days', async () => {
    await makeFail();
    const [first] = await deliveries();
    const id = first?.id ?? '';
    const { failingSince } = await readEndpoint();
    for (const [number, pauseMs] of [...PROBE_PAUSES_MS.slice(1), PROBE_PAUSES_MS.at(-1) ?? 0].entries()) {
      const startedAt = new Date();
      await fail(id, { number: number + 2, isProbe: true, startedAt });
      assert.equal(((await readEndpoint()).nextProbeAt?.getTime() ?? 0) - startedAt.getTime(), pauseMs);
    }
    const late = new Date((failingSince?.getTime() ?? 0) + 5 * DAY_MS + SECOND_MS);
    assert.equal((await fail(id, { number: 9, isProbe: true, startedAt: late }))?.status, 'failed');
    const { status, nextProbeAt, recoveryDueAt } = await readEndpoint();
    assert.deepEqual([status, nextProbeAt, recoveryDueAt], ['disabled', null, null]);
    assert.ok((await heldCount()) === 0 || (await settleHeldDeliveries({ database: test.database })) > 0);
    assert.equal(await heldCount(), 0);
  });

  it('has its held deliveries canceled once it is deleted', async () => {
    await makeFail();
    await recordEvents(3);
    await test.database.webhookEndpoint.delete({ where: { id: endpoint } });
    assert.equal(await settleHeldDeliveries({ database: test.database }), 5);
    const reasons = (await deliveries()).filter(({ status }) => status === 'canceled').map(({ reason }) => reason);
    assert.deepEqual(new Set(reasons), new Set(['endpoint_deleted']));
  });

  it('is looked at again if deliveries were held while it recovered', async () => {
    await recordEvents(1);
    await test.database.webhookDelivery.updateMany({ data: { isHeld: true } });
    assert.deepEqual(await recoveries(), []);
    await settleHeldDeliveries({ database: test.database });
    assert.deepEqual(await recoveries(), [endpoint]);
  });

  it('gets what was held before those of an account of which many get theirs already', async () => {
    const others = [];
    const busy = await insertMerchantAccount(test.database);
    for (let number = 0; number < 9; number += 1) others.push(await insertWebhookEndpoint(test.database, busy));
    const recoveryDueAt = new Date(Date.now() - MINUTE_MS);
    await test.database.webhookEndpoint.updateMany({ where: { id: { in: others } }, data: { recoveryDueAt } });
    assert.equal((await recoveries()).length, 8);
    await test.database.webhookEndpoint.update({ where: { id: endpoint }, data: { recoveryDueAt: new Date() } });
    const [ended = ''] = await test.database.webhookEndpoint
      .findMany({ where: { recoveryDueAt: { gt: new Date() } } })
      .then((rows) => rows.map(({ id }) => id));
    await test.database.webhookEndpoint.update({ where: { id: ended }, data: { recoveryDueAt: null } });
    assert.deepEqual(await recoveries(), [endpoint]);
  });

  describe('and its receiver', () => {
    let receiver: WebhookReceiver;
    const dependencies = () => ({
      database: test.database,
      keyring,
      targets: createTargetPolicies({ allowPrivateInSandbox: true }),
      proxy: null,
      slots: createEndpointSlots(),
    });
    const probe = () => inActivity(() => probeEndpoint(dependencies(), { webhookEndpointId: endpoint }));
    const deliver = (isLast = false) =>
      inActivity(() => deliverHeld(dependencies(), { webhookEndpointId: endpoint, isLast }));

    beforeEach(async () => {
      receiver = await startReceiver();
      const owner = { webhookEndpointId: endpoint, merchantAccountId: account, environment: 'sandbox' } as const;
      const { keyId: secretKeyId, ciphertext: secretCiphertext } = sealWebhookSecret(
        keyring,
        owner,
        newWebhookSecret(),
      );
      const data = { url: receiver.url, secretKeyId, secretCiphertext };
      await test.database.webhookEndpoint.update({ where: { id: endpoint }, data });
    });
    afterEach(() => receiver.close());

    it('sends one event for a probe, a new one first, and counts no attempt of the others', async () => {
      await makeFail();
      receiver.answerWith(() => ({ status: 500 }));
      await recordEvents(2);
      assert.deepEqual(await probe(), { kind: 'failing', summary: 'status 500' });
      assert.equal(receiver.received.length, 1);
      assert.deepEqual(
        (await deliveries()).slice(-2).map(({ attemptCount }) => attemptCount),
        [0, 1],
      );
    });

    it('gets everything in order, once it answers a probe, and says that it has recovered', async () => {
      await makeFail();
      const paymentIntentId = await insertPaymentIntent(test.database, account);
      await recordEvents(3, paymentIntentId);
      assert.deepEqual(await probe(), { kind: 'answers' });
      assert.ok((await eventTypes()).includes('webhook_endpoint.recovered'));
      const { nextProbeAt, failingSince, consecutiveFailures } = await readEndpoint();
      assert.deepEqual([nextProbeAt, failingSince, consecutiveFailures], [null, null, 0]);
      assert.deepEqual(await recoveries(), [endpoint]);
      for (let batch = 0; (await deliver()).kind === 'more'; batch += 1) assert.ok(batch < 10);
      assert.equal(await heldCount(), 0);
      const ofPayment = (await deliveries()).filter((each) => each.paymentIntentId === paymentIntentId);
      const finished = ofPayment.map(({ finishedAt }) => finishedAt?.getTime() ?? 0);
      assert.deepEqual(
        finished,
        finished.toSorted((a, b) => a - b),
      );
      assert.ok(ofPayment.every(({ status }) => status === 'delivered'));
      assert.equal((await readEndpoint()).recoveryDueAt, null);
    });

    it('gets what waited for a held delivery with what was held, without workflows', async () => {
      await recordEvents(3, await insertPaymentIntent(test.database, account));
      const [first] = await deliveries();
      await test.database.webhookDelivery.update({ where: { id: first?.id ?? '' }, data: { isHeld: true } });
      for (let sent = 1; sent <= 3; sent += 1) {
        assert.deepEqual(await deliver(), { kind: 'more', delivered: 1, failed: 0 });
        assert.deepEqual(await start(), []);
      }
      assert.ok((await deliveries()).every(({ status }) => status === 'delivered'));
    });

    it('keeps what it refuses for a later attempt, while it takes the rest', async () => {
      await recordEvents(3);
      await test.database.webhookDelivery.updateMany({ data: { isHeld: true } });
      receiver.answerWith((count) => ({ status: count === 1 ? 500 : 204 }));
      assert.deepEqual(await deliver(), { kind: 'more', delivered: 2, failed: 1 });
      const [refused] = (await deliveries()).filter(({ status }) => status === 'pending');
      assert.equal(refused?.isHeld, false);
      assert.deepEqual(await start(), []);
      assert.deepEqual(await deliver(), { kind: 'emptied', delivered: 0, failed: 0 });
      await test.database.webhookDelivery.updateMany({ data: { nextAttemptAt: new Date(0) } });
      assert.deepEqual(await start(), [refused?.id]);
    });

    it('gets no more once it fails again, and waits for its next probe', async () => {
      await recordEvents(30);
      await test.database.webhookDelivery.updateMany({ data: { isHeld: true } });
      receiver.answerWith(() => ({ status: 500 }));
      assert.equal((await deliver()).kind, 'stopped');
      assert.ok(receiver.received.length <= 2 * FAILURES_UNTIL_FAILING);
      assert.notEqual((await readEndpoint()).nextProbeAt, null);
      assert.deepEqual(await deliver(), { kind: 'stopped', delivered: 0, failed: 0 });
    });

    it('makes no probe before the attempt of its only delivery is due', async () => {
      await recordEvents(1);
      const [only] = await deliveries();
      const nextAttemptAt = new Date(Date.now() + 30 * MINUTE_MS);
      await test.database.webhookDelivery.updateMany({ data: { isHeld: true, attemptCount: 3, nextAttemptAt } });
      await test.database.webhookEndpoint.updateMany({ data: { nextProbeAt: new Date(0), failingSince: new Date() } });
      assert.deepEqual(await probe(), { kind: 'nothing_due' });
      assert.equal(receiver.received.length, 0);
      assert.deepEqual((await readEndpoint()).recoveryDueAt, nextAttemptAt);
      assert.equal(only?.isHeld, false);
    });
  });

  it('gets no more deliveries at a time than show that it fails, until it has answered', async () => {
    const startedOf = async (change: object): Promise<number> => {
      await test.database.webhookEndpoint.update({ where: { id: endpoint }, data: change });
      const started = await start();
      await test.database.webhookDelivery.updateMany({
        where: { id: { in: [...started] } },
        data: { status: 'delivered' },
      });
      return started.length;
    };
    await recordEvents(3 * SHARE_PER_ENDPOINT);
    assert.equal(await startedOf({ lastSuccessAt: null }), FAILURES_UNTIL_FAILING);
    assert.equal(await startedOf({ lastSuccessAt: new Date() }), SHARE_PER_ENDPOINT);
    assert.equal(await startedOf({ failingSince: new Date(), consecutiveFailures: 1 }), FAILURES_UNTIL_FAILING);
    assert.equal(await startedOf({ failingSince: null, consecutiveFailures: 0 }), SHARE_PER_ENDPOINT);
  });

  it('keeps nobody waiting behind a thousand others whose deliveries are under way', async () => {
    await recordEvents(1);
    const [own] = await deliveries();
    const last = `whe_${'z'.repeat(32)}`;
    const busy = Prisma.sql`'whe_' || lpad(n::text, 32, '0')`;
    await test.database.$executeRaw`
      INSERT INTO webhook_endpoint (id, merchant_account_id, environment, url, enabled_events, secret_key_id, secret_ciphertext)
      SELECT ${busy}, merchant_account_id, environment, url, enabled_events, secret_key_id, secret_ciphertext
      FROM webhook_endpoint, generate_series(1, 1000) n WHERE id = ${endpoint}`;
    await test.database.$executeRaw`
      INSERT INTO webhook_delivery (id, event_id, webhook_endpoint_id, merchant_account_id, environment, event_type, position, claimed_at)
      SELECT 'whd_' || n, event_id, ${busy}, merchant_account_id, environment, event_type, position, now()
      FROM webhook_delivery, generate_series(1, 1000) n WHERE id = ${own?.id}`;
    await test.database.webhookEndpoint.update({ where: { id: endpoint }, data: { id: last } });
    await test.database.webhookDelivery.update({ where: { id: own?.id ?? '' }, data: { webhookEndpointId: last } });
    const started: string[] = [];
    for (let time = 1; time <= 100 && started.length === 0; time += 1) started.push(...(await start()));
    assert.deepEqual(started, [own?.id]);
  });

  it('costs the deliveries of others nothing, nor does one with many of them', async () => {
    await recordEvents(150);
    const other = await insertMerchantAccount(test.database);
    const otherEndpoint = await insertWebhookEndpoint(test.database, other);
    const paymentIntentId = await insertPaymentIntent(test.database, other);
    await insertEvent(test.database, { merchantAccountId: other, paymentIntentId });
    await sequenceEvents(test.database);
    await planDeliveries(test.database);
    const [first = [], second = []] = [await start(), await start()];
    assert.equal(first.length, SHARE_PER_ENDPOINT + 1);
    const [ofOther] = await test.database.webhookDelivery.findMany({ where: { webhookEndpointId: otherEndpoint } });
    assert.ok(first.includes(ofOther?.id ?? newId('webhookDelivery')));
    assert.deepEqual(second, []);
    const all = (await deliveries()).filter(({ webhookEndpointId }) => webhookEndpointId === endpoint);
    assert.ok(first.includes(all.at(-1)?.id ?? ''), 'the newest does not wait for all older ones');
    assert.ok(first.includes(all[0]?.id ?? ''));
  });
});

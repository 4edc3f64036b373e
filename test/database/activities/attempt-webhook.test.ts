import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { attemptWebhook } from '../../../activities/attempt-webhook.ts';
import { createEndpointSlots } from '../../../activities/endpoint-slots.ts';
import { readDelivery } from '../../../activities/read-delivery.ts';
import { sequenceEvents } from '../../../worker/jobs/event-sequencer.ts';
import { planDeliveries } from '../../../worker/jobs/plan-deliveries.ts';
import { DAY_MS, SECOND_MS } from '../../../domain/time.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import {
  cancelDelivery,
  type MadeAttempt,
  recordDelivered,
  recordFailed,
} from '../../../prisma/queries/webhook-attempt.ts';
import { presentWebhookEndpoint } from '../../../contract/presenters/webhook-endpoint.ts';
import { webhookEndpointJson, webhookEndpointRowOf } from '../../../prisma/fragments/webhook-endpoint-json.ts';
import { parseKeyring } from '../../../vault/keyring.ts';
import { newWebhookSecret, sealWebhookSecret } from '../../../vault/webhook-secret.ts';
import { createTargetPolicies } from '../../../webhooks/target-policy.ts';
import { inActivity } from '../../support/activity-context.ts';
import { useTestDatabase } from '../../support/database.ts';
import { insertEvent, insertMerchantAccount, insertPaymentIntent } from '../../support/payment-rows.ts';
import { insertWebhookEndpoint } from '../../support/webhook-rows.ts';

const keyring = parseKeyring(`test:${Buffer.alloc(32, 7).toString('base64')}`);

describe('webhook attempts', function () {
  this.timeout(60_000);
  const test = useTestDatabase();
  let account: string;
  let endpoint: string;

  beforeEach(async () => {
    account = await insertMerchantAccount(test.database);
    endpoint = await insertWebhookEndpoint(test.database, account);
  });

  /** Inserts two events of one payment with a delivery each to the endpoint. */
  const twoDeliveries = async (): Promise<readonly [string, string]> => {
    const { database } = test;
    const paymentIntentId = await insertPaymentIntent(database, account);
    for (const version of [1, 2]) await insertEvent(database, { merchantAccountId: account, paymentIntentId, version });
    await sequenceEvents(database);
    await planDeliveries(database);
    const rows = await database.webhookDelivery.findMany({
      where: { paymentIntentId, webhookEndpointId: endpoint },
      orderBy: { position: 'asc' },
    });
    return [rows[0]?.id ?? '', rows[1]?.id ?? ''];
  };
  const attempt = (deliveryId: string, change: Partial<MadeAttempt> = {}): MadeAttempt => ({
    deliveryId,
    webhookEndpointId: endpoint,
    number: 1,
    retryPauseMs: 5 * SECOND_MS,
    isProbe: false,
    reply: { statusCode: 500, error: 'status_not_2xx', responseBody: 'oh' },
    startedAt: new Date('2026-06-01T12:00:00.000Z'),
    durationMs: 40,
    ...change,
  });
  const succeed = (made: MadeAttempt) => test.database.direct.execute(recordDelivered(made));
  /** The status of the delivery afterwards; undefined where it had ended before. */
  const fail = async (made: MadeAttempt) => (await test.database.direct.row(recordFailed(made)))?.status;
  const good = { reply: { statusCode: 204, error: null, responseBody: '' } } as const;
  const read = (id: string) =>
    test.database.webhookDelivery.findUniqueOrThrow({ where: { id }, include: { attempts: true } });
  const readEndpoint = () => test.database.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint } });
  const disabledEvents = () =>
    test.database.event.findMany({ where: { merchantAccountId: account, type: 'webhook_endpoint.disabled' } });

  it('are made later, without a line in the log, while the endpoint has as many requests open as it may', async () => {
    const dependencies = {
      database: test.database,
      keyring,
      targets: createTargetPolicies({ allowPrivateInSandbox: true }),
      proxy: null,
      slots: { acquire: () => null },
    };
    const request = { deliveryId: 'whd_1', webhookEndpointId: endpoint, number: 1, retryPauseMs: null };
    const logged: string[] = [];
    await assert.rejects(
      inActivity(() => attemptWebhook(dependencies, request), { onLog: ({ message }) => void logged.push(message) }),
      { type: 'ENDPOINT_BUSY', nonRetryable: false },
    );
    assert.deepEqual(logged, []);
  });

  it('that succeed end the delivery and unblock the next event of the payment', async () => {
    const [first, second] = await twoDeliveries();
    assert.equal((await read(second)).blockedBy, first);
    await succeed(attempt(first, good));
    const { status, attemptCount, finishedAt, attempts } = await read(first);
    assert.deepEqual([status, attemptCount, finishedAt?.toISOString()], ['delivered', 1, '2026-06-01T12:00:00.040Z']);
    assert.deepEqual(
      attempts.map(({ statusCode, durationMs, error, responseBody }) => [statusCode, durationMs, error, responseBody]),
      [[204, 40, null, '']],
    );
    assert.equal((await read(second)).blockedBy, null);
    assert.equal((await readEndpoint()).lastSuccessAt?.toISOString(), '2026-06-01T12:00:00.040Z');
  });

  it('that fail record the time of the next one, and the response', async () => {
    const [first, second] = await twoDeliveries();
    assert.equal(await fail(attempt(first)), 'pending');
    const { status, reason, nextAttemptAt, attempts } = await read(first);
    assert.deepEqual([status, reason, nextAttemptAt?.toISOString()], ['pending', null, '2026-06-01T12:00:05.040Z']);
    assert.equal(attempts[0]?.responseBody, 'oh');
    assert.equal((await read(second)).blockedBy, first);
    const { lastFailure, failingSince, status: endpointStatus } = await readEndpoint();
    assert.deepEqual(
      [lastFailure, failingSince?.toISOString(), endpointStatus],
      ['status 500', '2026-06-01T12:00:00.040Z', 'enabled'],
    );
  });

  it('that fail three times unblock the next event of the payment', async () => {
    const [first, second] = await twoDeliveries();
    for (const number of [1, 2, 3]) await fail(attempt(first, { number }));
    assert.deepEqual([(await read(first)).status, (await read(second)).blockedBy], ['pending', null]);
  });

  it('end the delivery when no attempt is left', async () => {
    const [first, second] = await twoDeliveries();
    assert.equal(await fail(attempt(first, { number: 10, retryPauseMs: null })), 'failed');
    const { status, reason, nextAttemptAt } = await read(first);
    assert.deepEqual([status, reason, nextAttemptAt], ['failed', 'attempts_used_up', null]);
    assert.equal((await read(second)).blockedBy, null);
    assert.equal((await readEndpoint()).status, 'enabled');
  });

  it('are recorded once by a repeated call', async () => {
    const [first] = await twoDeliveries();
    await succeed(attempt(first, good));
    await succeed(attempt(first, good));
    assert.equal((await read(first)).attempts.length, 1);
  });

  it('that fail after another worker has delivered leave the delivery delivered', async () => {
    const [first] = await twoDeliveries();
    await succeed(attempt(first, good));
    assert.equal(await fail(attempt(first)), undefined);
    const { status, nextAttemptAt, attempts } = await read(first);
    assert.deepEqual([status, nextAttemptAt, attempts[0]?.statusCode], ['delivered', null, 204]);
  });

  it('that a paused worker records late take nothing back of later ones', async () => {
    const [first] = await twoDeliveries();
    const later = attempt(first, { number: 3, startedAt: new Date('2026-06-01T12:35:00.000Z') });
    await fail(attempt(first, { number: 2 }));
    assert.equal(await fail(later), 'pending');
    assert.equal(await fail(attempt(first)), 'pending');
    const failed = await read(first);
    assert.deepEqual([failed.attemptCount, failed.nextAttemptAt?.toISOString()], [3, '2026-06-01T12:35:05.040Z']);
    await succeed(attempt(first, { ...good, number: 2 }));
    const { status, attemptCount } = await read(first);
    assert.deepEqual([status, attemptCount], ['delivered', 3]);
  });

  it('disable an endpoint that answers 410, with an event that does not contain its secret', async () => {
    const [first] = await twoDeliveries();
    const reply = { statusCode: 410, error: 'status_not_2xx', responseBody: '' } as const;
    assert.equal(await fail(attempt(first, { reply })), 'failed');
    const { status, disabledReason, disabledAt, version } = await readEndpoint();
    assert.deepEqual(
      [status, disabledReason, disabledAt?.toISOString(), version],
      ['disabled', 'gone', '2026-06-01T12:00:00.040Z', 1],
    );
    assert.deepEqual([(await read(first)).status, (await read(first)).reason], ['failed', 'endpoint_disabled']);
    const [event, ...others] = await disabledEvents();
    assert.deepEqual([event?.resourceId, others.length], [endpoint, 0]);
    const snapshot = JSON.stringify(event?.snapshot);
    assert.ok(snapshot.includes('"disabled_reason":"gone"') || snapshot.includes('"disabled_reason": "gone"'));
    assert.ok(!/secret_(ciphertext|key_id)/.test(snapshot) && !snapshot.includes('is_over'));
  });

  it('that disable an endpoint write an audit event of the system, in the same statement', async () => {
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: account } });
    const resource = async () => presentWebhookEndpoint(webhookEndpointRowOf(await readEndpoint()), null);
    const [first, second] = await twoDeliveries();
    await test.database.webhookEndpoint.update({
      where: { id: endpoint },
      data: { description: 'Shop', previousSecretExpiresAt: new Date(Date.now() + DAY_MS), lastSuccessAt: new Date(0) },
    });
    await fail(attempt(first));
    assert.equal(await test.database.auditEvent.count({ where: { resourceId: endpoint } }), 0);
    const before = await resource();
    await fail(attempt(second, { reply: { statusCode: 410, error: 'status_not_2xx', responseBody: '' } }));
    const [audited, ...others] = await test.database.auditEvent.findMany({ where: { resourceId: endpoint } });
    const { id, createdAt: _createdAt, ...event } = audited ?? {};
    assert.match(id ?? '', /^aud_/);
    assert.deepEqual(event, {
      merchantId,
      environment: 'sandbox',
      merchantAccountId: account,
      action: 'webhook_endpoint.disabled',
      resourceId: endpoint,
      actorType: 'system',
      actorId: 'worker',
      actorAddress: 'internal',
      before,
      after: await resource(),
    });
    assert.equal(others.length, 0);
  });

  it('disable an endpoint that has been failing for five days, not before', async () => {
    const [first, second] = await twoDeliveries();
    const start = Date.parse('2026-06-01T12:00:00.000Z');
    const failAt = (id: string, afterMs: number, number: number) =>
      fail(attempt(id, { number, startedAt: new Date(start + afterMs) }));
    assert.equal(await failAt(first, 0, 1), 'pending');
    assert.equal(await failAt(first, 5 * DAY_MS - SECOND_MS, 2), 'pending');
    assert.equal((await readEndpoint()).status, 'enabled');
    assert.equal(await failAt(second, 5 * DAY_MS + SECOND_MS, 1), 'failed');
    assert.deepEqual([(await readEndpoint()).status, (await readEndpoint()).disabledReason], ['disabled', 'failing']);
    assert.equal((await disabledEvents()).length, 1);
    assert.equal(await failAt(first, 6 * DAY_MS, 3), 'pending');
    assert.equal((await disabledEvents()).length, 1);
  });

  it('that succeed reset the five days', async () => {
    const [first, second] = await twoDeliveries();
    const start = Date.parse('2026-06-01T12:00:00.000Z');
    await fail(attempt(first, { startedAt: new Date(start) }));
    await succeed(attempt(first, { ...good, number: 2, startedAt: new Date(start + DAY_MS) }));
    assert.equal((await readEndpoint()).failingSince, null);
    await fail(attempt(second, { startedAt: new Date(start + 6 * DAY_MS) }));
    assert.equal((await readEndpoint()).status, 'enabled');
  });

  describe('are not made', () => {
    const stateOfDelivery = (deliveryId: string, number = 1) =>
      readDelivery(test.database, keyring, { deliveryId, webhookEndpointId: endpoint, number, retryPauseMs: null });

    it('when the endpoint was deleted or disabled', async () => {
      const [first, second] = await twoDeliveries();
      await test.database.webhookEndpoint.update({ where: { id: endpoint }, data: { status: 'disabled' } });
      assert.deepEqual(await stateOfDelivery(first), { kind: 'canceled', reason: 'endpoint_disabled' });
      await test.database.webhookEndpoint.delete({ where: { id: endpoint } });
      assert.deepEqual(await stateOfDelivery(first), { kind: 'canceled', reason: 'endpoint_deleted' });
      await test.database.direct.execute(cancelDelivery(first, 'endpoint_deleted'));
      assert.deepEqual([(await read(first)).status, (await read(second)).blockedBy], ['canceled', null]);
    });

    it('when the event was purged', async () => {
      const [first] = await twoDeliveries();
      await test.database.event.deleteMany({ where: { merchantAccountId: account } });
      assert.deepEqual(await stateOfDelivery(first), { kind: 'canceled', reason: 'event_not_kept' });
    });

    it('when a paused worker has recorded meanwhile that an earlier one succeeded', async () => {
      const [first] = await twoDeliveries();
      await fail(attempt(first));
      await succeed(attempt(first, good));
      const { kind, result } = await stateOfDelivery(first, 2).then((state) =>
        state.kind === 'done' ? state : assert.fail(`the delivery is ${state.kind}`),
      );
      assert.deepEqual([kind, result.kind], ['done', 'delivered']);
    });

    it('when they were made already, and only their result was lost', async () => {
      const [first, second] = await twoDeliveries();
      await fail(attempt(first));
      assert.deepEqual(await stateOfDelivery(first), {
        kind: 'done',
        result: { kind: 'failed', summary: 'status 500', isFinal: false, isHeld: false },
      });
      await succeed(attempt(second, good));
      assert.deepEqual(await stateOfDelivery(second), {
        kind: 'done',
        result: { kind: 'delivered', summary: 'status 204' },
      });
    });
  });

  it('are signed with the current secret, and with each earlier one until it expires', async () => {
    const [first] = await twoDeliveries();
    const owner = { webhookEndpointId: endpoint, merchantAccountId: account, environment: 'sandbox' } as const;
    const secrets = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()] as const;
    const [newest, ...earlier] = secrets.map((secret) => {
      const { keyId: secretKeyId, ciphertext: secretCiphertext } = sealWebhookSecret(keyring, owner, secret);
      return { secretKeyId, secretCiphertext };
    });
    assert.ok(newest);
    for (const [expiriesMs, expected] of [
      [[120 * SECOND_MS, 60 * SECOND_MS], secrets],
      [
        [-SECOND_MS, 60 * SECOND_MS],
        [secrets[0], secrets[2]],
      ],
      [[-SECOND_MS, -SECOND_MS], [secrets[0]]],
    ] as const) {
      await test.database.webhookPreviousSecret.deleteMany({ where: { webhookEndpointId: endpoint } });
      const previousSecrets = earlier.map((secret, index) => ({
        ...secret,
        rotationId: `rotation ${index}`,
        expiresAt: new Date(Date.now() + (expiriesMs[index] ?? 0)),
      }));
      await test.database.webhookEndpoint.update({
        where: { id: endpoint },
        data: { ...newest, previousSecrets: { create: previousSecrets } },
      });
      await test.database.event.updateMany({
        where: { merchantAccountId: account },
        data: { type: 'webhook_endpoint.test', snapshot: { webhookEndpoint: await endpointJson() } },
      });
      const state = await readDelivery(test.database, keyring, {
        ...owner,
        deliveryId: first,
        number: 1,
        retryPauseMs: null,
      });
      assert.equal(state.kind, 'ready');
      assert.deepEqual(state.kind === 'ready' && state.content.secrets, expected);
    }
  });

  it('count for the endpoint of their delivery, whichever endpoint their workflow names', async () => {
    const [first] = await twoDeliveries();
    const owner = { webhookEndpointId: endpoint, merchantAccountId: account, environment: 'sandbox' } as const;
    const { keyId: secretKeyId, ciphertext: secretCiphertext } = sealWebhookSecret(keyring, owner, newWebhookSecret());
    await test.database.webhookEndpoint.update({ where: { id: endpoint }, data: { secretKeyId, secretCiphertext } });
    await test.database.event.updateMany({
      where: { merchantAccountId: account },
      data: { type: 'webhook_endpoint.test', snapshot: { webhookEndpoint: await endpointJson() } },
    });
    const other = await insertWebhookEndpoint(test.database, await insertMerchantAccount(test.database));
    const dependencies = {
      database: test.database,
      keyring,
      targets: createTargetPolicies({ allowPrivateInSandbox: false }),
      proxy: null,
      slots: createEndpointSlots(),
    };
    const forged = { deliveryId: first, webhookEndpointId: other, number: 1, retryPauseMs: 5 * SECOND_MS };
    assert.equal((await inActivity(() => attemptWebhook(dependencies, forged))).kind, 'failed');
    const { lastFailure } = await test.database.webhookEndpoint.findUniqueOrThrow({ where: { id: other } });
    assert.deepEqual([(await readEndpoint()).lastFailure, lastFailure], ['address not allowed', null]);
  });

  async function endpointJson(): Promise<Prisma.InputJsonObject> {
    const [row] = await test.database.$queryRaw<{ endpoint: Prisma.InputJsonObject }[]>`
      SELECT ${webhookEndpointJson('r')} AS endpoint FROM webhook_endpoint r WHERE id = ${endpoint}`;
    assert.ok(row);
    return row.endpoint;
  }
});

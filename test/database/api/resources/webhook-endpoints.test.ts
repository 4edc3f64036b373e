import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Principal } from '../../../../domain/principal.ts';
import { MAXIMUM_PREVIOUS_SECRETS, rotateSecret } from '../../../../accounts/webhook-endpoints/rotate.ts';
import {
  insertEndpoint,
  MAXIMUM_ENDPOINTS,
  updateEndpoint,
  writeTestEvent,
} from '../../../../accounts/webhook-endpoints/write.ts';
import { newId } from '../../../../domain/new-id.ts';
import { MINUTE_MS } from '../../../../domain/time.ts';
import { presentWebhookEndpoint } from '../../../../contract/presenters/webhook-endpoint.ts';
import {
  webhookEndpointJson,
  type WebhookEndpointRow,
  webhookEndpointRowOf,
} from '../../../../prisma/fragments/webhook-endpoint-json.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { openWebhookSecret } from '../../../../vault/webhook-secret.ts';
import { createTargetPolicies } from '../../../../webhooks/target-policy.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';
import { principalWith } from '../../../support/principal.ts';
import { insertWebhookEndpoint } from '../../../support/webhook-rows.ts';
import { scopesOfEvents } from '../../../../accounts/webhook-endpoints/event-scopes.ts';
import { EVENT_TYPES } from '../../../../domain/events.ts';
import { ALL_SCOPES } from '../../../../domain/scopes.ts';

const FIELDS = { url: 'http://127.0.0.1:9/hooks', description: null, enabledEvents: ['*' as const] };

describe('webhook endpoints in the database', function () {
  this.timeout(MINUTE_MS);
  const keyring = parseKeyring(`test:${Buffer.alloc(32, 7).toString('base64')}`);
  const test = useTestDatabase();
  let owner: Principal;

  beforeEach(async () => {
    owner = principalWith({ merchantAccountId: await insertMerchantAccount(test.database) });
  });

  const dependencies = () => ({
    database: test.database,
    keyring,
    webhookTargets: createTargetPolicies({ allowPrivateInSandbox: true }),
  });
  const insert = (id = newId('webhookEndpoint')) => insertEndpoint(dependencies(), owner, { id, fields: FIELDS });
  const rotate = (id: string, rotationId: string, overlapSeconds = 600) =>
    rotateSecret(dependencies(), owner, { id, rotationId, overlapSeconds });
  const find = (id: string) => test.database.webhookEndpoint.findUniqueOrThrow({ where: { id } });

  /** The current secret, then the earlier ones that are kept, newest first. */
  async function secretsOf(id: string): Promise<readonly string[]> {
    const endpoint = await find(id);
    const secretOwner = {
      webhookEndpointId: id,
      merchantAccountId: endpoint.merchantAccountId,
      environment: owner.environment,
    };
    const previous = await test.database.webhookPreviousSecret.findMany({
      where: { webhookEndpointId: id },
      orderBy: { rotationId: 'desc' },
    });
    return [endpoint, ...previous].map(({ secretKeyId: keyId, secretCiphertext: ciphertext }) =>
      openWebhookSecret(keyring, secretOwner, { keyId, ciphertext }),
    );
  }

  it('are limited in number, also when the last ones are created at once', async () => {
    for (let made = 0; made < MAXIMUM_ENDPOINTS - 2; made += 1) {
      await insertWebhookEndpoint(test.database, owner.merchantAccountId);
    }
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => insert()));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    assert.deepEqual(refused, ['STATE_CONFLICT', 'STATE_CONFLICT', 'STATE_CONFLICT']);
    const where = { merchantAccountId: owner.merchantAccountId };
    assert.equal(await test.database.webhookEndpoint.count({ where }), MAXIMUM_ENDPOINTS);
  });

  it('are pointed somewhere only by who may read what they receive', async () => {
    const { endpoint } = await insert();
    const update = (scopes: readonly string[], fields: Parameters<typeof updateEndpoint>[2]['fields']) =>
      updateEndpoint(dependencies(), { ...owner, scopes }, { id: endpoint.id, fields });
    const writer = ['webhook-endpoints:write'];
    const elsewhere = { url: 'http://127.0.0.1:9/elsewhere' };
    for (const fields of [elsewhere, { enabledEvents: ['refund.created' as const] }, { active: true }]) {
      await assert.rejects(update(writer, fields), { code: 'INSUFFICIENT_PERMISSIONS' });
    }
    // Who may write endpoints may always stop one.
    assert.equal((await update(writer, { active: false, description: 'Stopped' })).status, 'disabled');
    await assert.rejects(update([...writer, 'payment-intents:read'], { active: true }), /refunds:read/);
    await update([...writer, 'refunds:read'], { ...elsewhere, enabledEvents: ['refund.created'] });
    await update([...writer, 'refunds:read'], { active: true });
    await update([...writer, 'events:read'], { enabledEvents: ['*'] });
  });

  it('name a scope of a resource for every type of event, so that a new type is not open to every writer', () => {
    for (const type of EVENT_TYPES) {
      const [scope = ''] = scopesOfEvents([type]);
      assert.ok(ALL_SCOPES.includes(scope) && scope.endsWith(':read') && scope !== 'events:read', type);
    }
    assert.ok(scopesOfEvents(['*']).length > 4);
  });

  it('get a new secret where their creation is repeated, even the last one allowed', async () => {
    for (let made = 1; made < MAXIMUM_ENDPOINTS; made += 1) {
      await insertWebhookEndpoint(test.database, owner.merchantAccountId);
    }
    const first = await insert();
    const second = await insert(first.endpoint.id);
    assert.deepEqual([second.endpoint.id, second.endpoint.version], [first.endpoint.id, 0]);
    assert.notEqual(second.secret, first.secret);
    assert.deepEqual(await secretsOf(first.endpoint.id), [second.secret]);
  });

  it('keep each secret until its own overlap ends, also where a rotation is repeated', async () => {
    const { endpoint, secret } = await insert();
    await rotate(endpoint.id, 'rotation 1', 3_600);
    const repeated = await rotate(endpoint.id, 'rotation 1', 3_600);
    assert.deepEqual(await secretsOf(endpoint.id), [repeated.secret, secret]);
    const lastEnd = repeated.endpoint.previousSecretExpiresAt;
    const next = await rotate(endpoint.id, 'rotation 2', 60);
    assert.deepEqual(await secretsOf(endpoint.id), [next.secret, repeated.secret, secret]);
    assert.deepEqual(next.endpoint.previousSecretExpiresAt, lastEnd);
    const atOnce = await rotate(endpoint.id, 'rotation 3', 0);
    assert.deepEqual(await secretsOf(endpoint.id), [atOnce.secret, repeated.secret, secret]);
    await test.database.webhookPreviousSecret.updateMany({
      where: { rotationId: 'rotation 2' },
      data: { expiresAt: new Date() },
    });
    const last = await rotate(endpoint.id, 'rotation 4', 60);
    assert.deepEqual(await secretsOf(endpoint.id), [last.secret, atOnce.secret, secret]);
  });

  it('have a limited number of secrets that sign', async () => {
    const { endpoint } = await insert();
    for (let made = 0; made < MAXIMUM_PREVIOUS_SECRETS; made += 1) await rotate(endpoint.id, `rotation ${made}`);
    const before = await secretsOf(endpoint.id);
    await assert.rejects(rotate(endpoint.id, 'too many'), { code: 'STATE_CONFLICT', message: /earlier secrets/ });
    assert.deepEqual(await secretsOf(endpoint.id), before);
    await rotate(endpoint.id, 'at once', 0);
    assert.equal((await secretsOf(endpoint.id)).length, before.length);
  });

  it('are rotated one at a time', async () => {
    const { endpoint } = await insert();
    const results = await Promise.allSettled(Array.from({ length: 5 }, (_, index) => rotate(endpoint.id, `${index}`)));
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.endpoint.version] : []));
    assert.deepEqual(
      done.toSorted((a, b) => a - b),
      done.map((_, index) => index + 1),
    );
    assert.equal((await find(endpoint.id)).version, done.length);
  });

  it('are the same as JSON, whoever reads them, and without secrets', async () => {
    const { endpoint } = await insert();
    await rotate(endpoint.id, 'rotation 1');
    const [row] = await test.database.$queryRaw<{ endpoint: WebhookEndpointRow }[]>`
      SELECT ${webhookEndpointJson('r')} AS endpoint FROM webhook_endpoint r WHERE id = ${endpoint.id}`;
    assert.ok(row);
    const read = webhookEndpointRowOf(await find(endpoint.id));
    assert.deepEqual(Object.keys(read).sort(), Object.keys(row.endpoint).sort());
    assert.deepEqual(presentWebhookEndpoint(read, null), presentWebhookEndpoint(row.endpoint, null));
    assert.doesNotMatch(JSON.stringify(read), /secret_key_id|ciphertext/);
  });

  it('get one test event for each request, however often it is repeated', async () => {
    const { endpoint } = await insert();
    const eventId = newId('event');
    const at = await writeTestEvent(test.database, owner, endpoint.id, eventId);
    assert.equal(await writeTestEvent(test.database, owner, endpoint.id, eventId), at);
    const [event, ...others] = await test.database.event.findMany({ where: { resourceId: endpoint.id } });
    assert.deepEqual([event?.id, event?.type, others.length], [eventId, 'webhook_endpoint.test', 0]);
    assert.deepEqual(event?.snapshot, { webhookEndpoint: webhookEndpointRowOf(endpoint) });
  });
});

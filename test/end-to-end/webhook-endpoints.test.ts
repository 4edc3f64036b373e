import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { deletedWebhookEndpoint, webhookEndpointResource } from '../../contract/schemas/webhook-endpoint.ts';
import { MAXIMUM_ENDPOINTS } from '../../accounts/webhook-endpoints/write.ts';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertRefused } from '../support/envelopes.ts';
import { createAccount, useMerchant } from '../support/merchants.ts';
import { clientOf, problemsOf, resourceOf, resourcePageOf } from '../support/resources.ts';
import { queryStack } from '../support/stack-database.ts';
import { endpointWithSecret } from '../support/responses-with-secrets.ts';

const URL_OF_NOBODY = 'http://127.0.0.1:9/hooks';
const PATH = '/webhook-endpoints';

describe('webhook endpoints over REST', function () {
  this.timeout(2 * MINUTE_MS);
  const { merchant, send } = useMerchant();

  const create = async (fields: object = {}, by = send, headers = {}) =>
    resourceOf(await by('POST', PATH, { url: URL_OF_NOBODY, ...fields }, headers), endpointWithSecret, 201);
  const read = async (id: string) => resourceOf(await send('GET', `${PATH}/${id}`), webhookEndpointResource);

  it('are created with a secret that is returned only once', async () => {
    const { secret, ...made } = await create({ description: 'Shop' });
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(made, {
      id: made.id,
      object: 'webhook_endpoint',
      merchantId: merchant.merchantAccountId,
      environment: 'sandbox',
      url: URL_OF_NOBODY,
      description: 'Shop',
      enabledEvents: ['*'],
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      nextProbeAt: null,
      pendingDeliveries: 0,
      oldestPendingAt: null,
      recentDeliveries: { total: 0, delivered: 0 },
      lastSuccessAt: null,
      lastFailureAt: null,
      lastFailure: null,
      previousSecretExpiresAt: null,
      createdBy: { type: 'api_key', id: merchant.apiKeyId },
      createdAt: made.createdAt,
      updatedAt: made.updatedAt,
    });
    assert.deepEqual(await read(made.id), made);
    const [row] = await queryStack<{ row: string }>(
      'SELECT webhook_endpoint::text AS row FROM webhook_endpoint WHERE id = $1',
      [made.id],
    );
    assert.ok(!row?.row.includes(secret.slice(6, 30)));
  });

  it('are listed newest first, for one account only', async () => {
    const other = clientOf((await createAccount(merchant.merchantId)).credentials);
    const [first, second] = [await create({}, other), await create({}, other)];
    const { data, pagination } = resourcePageOf(await other('GET', PATH), webhookEndpointResource);
    assert.deepEqual(
      data.map(({ id }) => id),
      [second.id, first.id],
    );
    assert.equal(pagination.total, 2);
    assertRefused(await send('GET', `${PATH}/${first.id}`), 404, 'RESOURCE_NOT_FOUND');
  });

  it('are updated, disabled and enabled', async () => {
    const { id } = await create();
    const changes = { url: 'https://localhost/other', description: null, enabledEvents: ['payment_intent.succeeded'] };
    const changed = resourceOf(await send('PATCH', `${PATH}/${id}`, changes), webhookEndpointResource);
    assert.deepEqual({ ...changed, ...changes }, changed);
    const off = resourceOf(await send('PATCH', `${PATH}/${id}`, { active: false }), webhookEndpointResource);
    assert.deepEqual([off.status, off.disabledReason, off.disabledAt !== null], ['disabled', 'by_merchant', true]);
    assertRefused(await send('POST', `${PATH}/${id}/test`, {}), 409, 'STATE_CONFLICT');
    const on = resourceOf(await send('PATCH', `${PATH}/${id}`, { active: true }), webhookEndpointResource);
    assert.deepEqual([on.status, on.disabledReason, on.disabledAt], ['enabled', null, null]);
  });

  it('are deleted for good', async () => {
    const { id } = await create();
    assert.deepEqual(resourceOf(await send('DELETE', `${PATH}/${id}`, {}), deletedWebhookEndpoint), {
      id,
      object: 'webhook_endpoint',
      deleted: true,
    });
    for (const method of ['GET', 'DELETE'] as const) {
      const body = method === 'GET' ? undefined : {};
      assertRefused(await send(method, `${PATH}/${id}`, body), 404, 'RESOURCE_NOT_FOUND');
    }
  });

  it('get a new secret, while the previous one stays valid for the overlap', async () => {
    const { id, secret } = await create();
    const before = Date.now();
    const path = `${PATH}/${id}/rotate-secret`;
    const rotated = resourceOf(await send('POST', path, { overlapSeconds: 600 }), endpointWithSecret);
    assert.notEqual(rotated.secret, secret);
    const left = Date.parse(rotated.previousSecretExpiresAt ?? '') - before;
    assert.ok(left > 590_000 && left < 660_000, String(left));
    // A further rotation ends no overlap but its own.
    const again = resourceOf(await send('POST', path, { overlapSeconds: 0 }), endpointWithSecret);
    assert.equal(again.previousSecretExpiresAt, rotated.previousSecretExpiresAt);
  });

  it('have no previous secret after a rotation without an overlap', async () => {
    const { id } = await create();
    const path = `${PATH}/${id}/rotate-secret`;
    const rotated = resourceOf(await send('POST', path, { overlapSeconds: 0 }), endpointWithSecret);
    assert.equal(rotated.previousSecretExpiresAt, null);
  });

  it('are rotated once by a repeated request', async () => {
    const { id } = await create();
    const headers = { 'X-Idempotency-Key': randomUUID() };
    const answers = [1, 2].map(() => send('POST', `${PATH}/${id}/rotate-secret`, {}, headers));
    const bodies = (await Promise.all(answers)).filter(({ status }) => status === 200).map(({ body }) => body);
    assert.ok(bodies.length > 0);
    const again = await send('POST', `${PATH}/${id}/rotate-secret`, {}, headers);
    for (const body of bodies) assert.deepEqual(again.body, body);
  });

  it('are rejected for an invalid address or event type, or an unknown id', async () => {
    for (const [fields, problems] of [
      [{ url: 'ftp://shop.example' }, ['url:invalid']],
      [{ url: 'nonsense' }, ['url:invalid']],
      [{ enabledEvents: [] }, ['enabledEvents:too_short']],
      [{ enabledEvents: ['payment.done'] }, ['enabledEvents.0:invalid']],
      [{ enabledEvents: ['webhook_endpoint.test'] }, ['enabledEvents.0:invalid']],
      [{ enabledEvents: ['refund.created', 'refund.created'] }, ['enabledEvents:invalid']],
      [{ secret: 'whsec_mine' }, ['secret:unknown']],
    ] as const) {
      const answer = await send('POST', PATH, { url: URL_OF_NOBODY, ...fields });
      assertRefused(answer, 422, 'VALIDATION_ERROR');
      assert.deepEqual(problemsOf(answer), problems, JSON.stringify(fields));
    }
    assertRefused(await send('POST', PATH, {}), 400, 'INVALID_REQUEST');
  });

  it('are rejected for private targets in production, and for link-local ones also in the sandbox', async () => {
    const production = clientOf((await createAccount(merchant.merchantId, 'production')).credentials);
    for (const [by, url, reason] of [
      [production, 'http://1.1.1.1/hooks', 'https_required'],
      [production, 'https://127.0.0.1/hooks', 'address_not_allowed'],
      [production, 'https://localhost/hooks', 'address_not_allowed'],
      [production, 'https://10.1.2.3/hooks', 'address_not_allowed'],
      [production, 'https://[::ffff:192.168.0.1]/hooks', 'address_not_allowed'],
      [production, 'https://user:word@1.1.1.1/hooks', 'credentials_in_url'],
      [send, 'http://169.254.169.254/latest/meta-data', 'address_not_allowed'],
    ] as const) {
      const { details } = assertRefused(await by('POST', PATH, { url }), 422, 'VALIDATION_ERROR');
      assert.equal(details?.['reason'], reason, url);
    }
    const { id } = await create({ url: 'https://1.1.1.1/hooks' }, production);
    assertRefused(await production('PATCH', `${PATH}/${id}`, { url: 'https://127.1/' }), 422, 'VALIDATION_ERROR');
  });

  it(`are at most ${MAXIMUM_ENDPOINTS} for one account, also under concurrent creations`, async () => {
    const crowded = clientOf((await createAccount(merchant.merchantId)).credentials);
    const answers = await Promise.all(
      Array.from({ length: MAXIMUM_ENDPOINTS + 5 }, () => crowded('POST', PATH, { url: URL_OF_NOBODY })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, MAXIMUM_ENDPOINTS);
    for (const answer of answers.filter(({ status }) => status !== 201)) assertRefused(answer, 409, 'STATE_CONFLICT');
  });

  it('require their scopes', async () => {
    const { id } = await create();
    const reader = clientOf(
      (await createAccount(merchant.merchantId, 'sandbox', ['webhook-endpoints:read'])).credentials,
    );
    assert.equal((await reader('GET', PATH)).status, 200);
    assertRefused(await reader('POST', PATH, { url: URL_OF_NOBODY }), 403, 'INSUFFICIENT_PERMISSIONS');
    assertRefused(await send('GET', `${PATH}/${newId('webhookEndpoint')}`), 404, 'RESOURCE_NOT_FOUND');
    assertRefused(await send('POST', `${PATH}/${id}`, {}), 405, 'METHOD_NOT_ALLOWED');
  });
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { MAXIMUM_LIVE_KEYS } from '../../accounts/api-keys/issue.ts';
import { apiKeyResource, issuedApiKeyResource } from '../../contract/schemas/api-key.ts';
import { auditEventResource } from '../../contract/schemas/audit-event.ts';
import { apiKeyReport } from '../../contract/schemas/security.ts';
import { webhookEndpointWithSecret } from '../../contract/schemas/webhook-endpoint.ts';
import { ALL_SCOPES } from '../../domain/scopes.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { assertStatus, createMember } from '../support/dashboard.ts';
import { assertRefused, failureOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { credentialsOf, keyWithSecrets } from '../support/responses-with-secrets.ts';
import { createAccount, createMerchant, useMerchant } from '../support/merchants.ts';
import { clientOf, problemsOf, resourceOf, resourcePageOf } from '../support/resources.ts';
import type { Answer } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';

const idIn = z.object({ data: z.object({ id: z.string() }) });
const READER = { name: 'Reader', scopes: ['customers:read'] };

describe('API keys', function () {
  this.timeout(MINUTE_MS);
  const { merchant, send } = useMerchant();

  const create = async (fields: object = {}) =>
    resourceOf(await send('POST', '/api-keys', { ...READER, ...fields }), keyWithSecrets, 201);
  const read = async (id: string) => resourceOf(await send('GET', `/api-keys/${id}`), apiKeyResource);
  const update = (id: string, changes: object) => send('PATCH', `/api-keys/${id}`, changes);
  const clientWith = (issued: unknown) => clientOf(credentialsOf(merchant.credentials.baseUrl, issued));

  it('are created with secrets that are returned once, work at once, and are stored as hashes', async () => {
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
    const settings = { ...READER, expiresAt, ipAllowlist: ['127.0.0.1', '2001:db8::/32'], ipRestricted: true };
    const { apiKey, secretSalt, ...shown } = await create(settings);
    assert.match(apiKey, /^svc_test_[\w-]{43}$/);
    assert.match(secretSalt, /^[\w-]{43}$/);
    assert.deepEqual(
      { ...shown, ...settings, status: 'active', prefix: apiKey.slice(0, 13), merchantId: merchant.merchantAccountId },
      shown,
    );
    assert.deepEqual(await read(shown.id), shown);
    assert.equal((await clientWith({ ...shown, apiKey, secretSalt })('GET', '/customers')).status, 200);
    const [row] = await queryStack<{ text: string }>('SELECT k::text AS text FROM api_key k WHERE id = $1', [shown.id]);
    assert.ok(row !== undefined && !row.text.includes(apiKey) && !row.text.includes(secretSalt));
  });

  it('have the prefix of their environment', async () => {
    const live = clientOf((await createMerchant('production')).credentials);
    const issued = resourceOf(await live('POST', '/api-keys', READER), keyWithSecrets, 201);
    assert.match(issued.apiKey, /^svc_live_[\w-]{43}$/);
    assert.equal(issued.environment, 'production');
  });

  it('replay a response with secrets only to a key that could have created the same key', async () => {
    const headers = { 'X-Idempotency-Key': randomUUID() };
    const rotateHeaders = { 'X-Idempotency-Key': randomUUID() };
    const body = { name: 'Rich', scopes: ['refunds:write'] };
    const { id } = resourceOf(await send('POST', '/api-keys', body, headers), keyWithSecrets, 201);
    resourceOf(await send('POST', `/api-keys/${id}/rotate`, {}, rotateHeaders), keyWithSecrets);
    const officer = clientWith(await create({ scopes: ['api-keys:write'] }));
    assertRefused(await officer('POST', '/api-keys', body, headers), 403, 'INSUFFICIENT_PERMISSIONS');
    const stolen = await officer('POST', `/api-keys/${id}/rotate`, {}, rotateHeaders);
    assertRefused(stolen, 403, 'INSUFFICIENT_PERMISSIONS');
  });

  it('show their secrets to no other key that repeats the creation, and store them unreadable', async () => {
    const other = clientWith(await create({ scopes: [...ALL_SCOPES] }));
    const headers = { 'X-Idempotency-Key': randomUUID() };
    const first = await send('POST', '/api-keys', READER, headers);
    const { apiKey, secretSalt, ...rest } = resourceOf(first, keyWithSecrets, 201);
    const repeat = resourceOf(await other('POST', '/api-keys', READER, headers), issuedApiKeyResource, 201);
    const { notice, ...hidden } = repeat;
    assert.deepEqual(hidden, { ...rest, apiKey: null, secretSalt: null });
    assert.match(notice ?? '', /shown once/);
    assert.deepEqual((await send('POST', '/api-keys', READER, headers)).body, first.body);
    assert.ok(apiKey !== '' && secretSalt !== '');
  });

  it('get new secrets if the first execution of a creation was interrupted', async () => {
    const headers = { 'X-Idempotency-Key': randomUUID() };
    const first = resourceOf(await send('POST', '/api-keys', READER, headers), keyWithSecrets, 201);
    await queryStack(
      `UPDATE idempotency_record SET response_status = NULL, response_key_id = NULL, response_body = NULL WHERE key = $1`,
      [headers['X-Idempotency-Key']],
    );
    const second = resourceOf(await send('POST', '/api-keys', READER, headers), keyWithSecrets, 201);
    assert.equal(second.id, first.id);
    assert.equal((await clientWith(second)('GET', '/customers')).status, 200);
    assertRefused(await clientWith(first)('GET', '/customers'), 401, 'UNAUTHORIZED');
  });

  it('cannot grant scopes that they do not have', async () => {
    const officer = clientWith(await create({ scopes: ['api-keys:read', 'api-keys:write', 'customers:read'] }));
    const ask = (scopes: readonly string[]) => officer('POST', '/api-keys', { name: 'More', scopes });
    const refused = await ask(['customers:read', 'refunds:write']);
    assert.deepEqual(assertRefused(refused, 403, 'INSUFFICIENT_PERMISSIONS').details, { scopes: ['refunds:write'] });
    const { id } = resourceOf(await ask(['customers:read']), keyWithSecrets, 201);
    const grab = await officer('PATCH', `/api-keys/${id}`, { scopes: ['customers:write'] });
    assertRefused(grab, 403, 'INSUFFICIENT_PERMISSIONS');
    const steal = await officer('POST', `/api-keys/${merchant.apiKeyId}/rotate`, {});
    assertRefused(steal, 403, 'INSUFFICIENT_PERMISSIONS');
    assert.deepEqual((await read(id)).scopes, ['customers:read']);
    assert.equal((await read(merchant.apiKeyId)).replacedBy, null);
    const { id: rich } = await create({ scopes: [...ALL_SCOPES] });
    const longer = await officer('PATCH', `/api-keys/${rich}`, { expiresAt: null });
    assertRefused(longer, 403, 'INSUFFICIENT_PERMISSIONS');
    const narrowed = await officer('PATCH', `/api-keys/${rich}`, { scopes: ['customers:read'] });
    assertRefused(narrowed, 403, 'INSUFFICIENT_PERMISSIONS');
    assertRefused(await officer('POST', `/api-keys/${rich}/revoke`, {}), 403, 'INSUFFICIENT_PERMISSIONS');
    assert.equal((await read(rich)).status, 'active');
  });

  it('give the keys that they create no wider limits than their own', async () => {
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
    const limits = { accountBound: true, ipRestricted: true, ipAllowlist: ['127.0.0.0/8', '::1'], expiresAt };
    const officer = clientWith(await create({ scopes: ['api-keys:write', 'customers:read'], ...limits }));
    const inherited = resourceOf(await officer('POST', '/api-keys', READER), keyWithSecrets, 201);
    assert.deepEqual({ ...inherited, ...limits }, inherited);
    const wider = { accountBound: false, ipAllowlist: ['127.0.0.1', '10.0.0.1'], expiresAt: null };
    const problems = ['accountBound:invalid', 'expiresAt:max', 'ipAllowlist.1:invalid'];
    assert.deepEqual(problemsOf(await officer('POST', '/api-keys', { ...READER, ...wider })), problems);
    assert.deepEqual(problemsOf(await officer('PATCH', `/api-keys/${inherited.id}`, wider)), problems);
    const unlimited = await create();
    assertRefused(await officer('POST', `/api-keys/${unlimited.id}/rotate`, {}), 403, 'INSUFFICIENT_PERMISSIONS');
    const { merchantAccountId } = await createAccount(merchant.merchantId);
    const elsewhere = { 'X-Merchant-ID': merchantAccountId };
    assertRefused(await clientWith(inherited)('GET', '/customers', undefined, elsewhere), 403, 'FORBIDDEN');
    assert.equal((await clientWith(unlimited)('GET', '/customers', undefined, elsewhere)).status, 200);
  });

  it('have their changes in the audit log, with the key and the address that made them', async () => {
    const { id } = await create();
    await update(id, { name: 'Renamed' });
    const page = resourcePageOf(await send('GET', `/audit-events?resourceId=${id}`), auditEventResource);
    const actor = { type: 'api_key', id: merchant.apiKeyId, name: 'Key of a test', address: '127.0.0.1' };
    assert.deepEqual(
      page.data.map((entry) => [entry.action, entry.before?.name, entry.after?.name, entry.actor]),
      [
        ['api_key.updated', 'Reader', 'Renamed', actor],
        ['api_key.created', undefined, 'Reader', actor],
      ],
    );
    const [newest] = page.data;
    assert.deepEqual(resourceOf(await send('GET', `/audit-events/${newest?.id}`), auditEventResource), newest);
  });

  it('are updated with effect from the next request', async () => {
    const issued = await create();
    const use = clientWith(issued);
    assert.equal((await use('GET', '/customers')).status, 200);
    resourceOf(await update(issued.id, { scopes: ['refunds:read'] }), apiKeyResource);
    assertRefused(await use('GET', '/customers'), 403, 'INSUFFICIENT_PERMISSIONS');
    const restricted = { scopes: ['customers:read'], ipAllowlist: ['203.0.113.0/24'], ipRestricted: true };
    resourceOf(await update(issued.id, restricted), apiKeyResource);
    assertRefused(await use('GET', '/customers'), 403, 'IP_NOT_WHITELISTED');
    resourceOf(await update(issued.id, { ipRestricted: false, name: 'Open' }), apiKeyResource);
    assert.equal((await use('GET', '/customers')).status, 200);
    const soon = new Date(Date.now() + MINUTE_MS).toISOString();
    assert.equal(resourceOf(await update(issued.id, { expiresAt: soon }), apiKeyResource).expiresAt, soon);
    assert.equal(resourceOf(await update(issued.id, { expiresAt: null }), apiKeyResource).expiresAt, null);
  });

  it('are rejected with every field error, and stay unchanged', async () => {
    const wrong = {
      name: '',
      scopes: ['customers:read', 'everything'],
      expiresAt: '2020-01-01T00:00:00Z',
      ipAllowlist: ['10.0.0.0/33', 'example.com', '10.0.0.1'],
      ipRestricted: 'yes',
      prefix: 'svc_',
    };
    const problems = [
      'expiresAt:min',
      'ipAllowlist.0:invalid',
      'ipAllowlist.1:invalid',
      'ipRestricted:type',
      'name:too_short',
      'prefix:unknown',
      'scopes.1:invalid',
    ];
    const { id } = await create();
    for (const answer of [await send('POST', '/api-keys', wrong), await update(id, wrong)]) {
      assertRefused(answer, 422, 'VALIDATION_ERROR');
      assert.deepEqual(problemsOf(answer), problems);
    }
    const nobody = { ...READER, name: '', ipRestricted: true };
    assert.deepEqual(problemsOf(await send('POST', '/api-keys', nobody)), ['ipAllowlist:too_short', 'name:too_short']);
    assert.deepEqual(problemsOf(await update(id, { ipRestricted: true })), ['ipAllowlist:too_short']);
    const tooLong = await send('POST', `/api-keys/${id}/rotate`, { overlapSeconds: 604_801 });
    assert.deepEqual(problemsOf(tooLong), ['overlapSeconds:max']);
    assert.deepEqual((await read(id)).scopes, READER.scopes);
  });

  it('are revoked for good, by themselves too, and any number of times', async () => {
    const issued = await create({ scopes: ['api-keys:write', 'customers:read'] });
    const use = clientWith(issued);
    const revoked = resourceOf(await use('POST', `/api-keys/${issued.id}/revoke`, {}), apiKeyResource);
    assert.ok(revoked.status === 'revoked' && revoked.revokedAt !== null);
    assertRefused(await use('GET', '/customers'), 401, 'API_KEY_REVOKED');
    assert.deepEqual(resourceOf(await send('POST', `/api-keys/${issued.id}/revoke`, {}), apiKeyResource), revoked);
    assertRefused(await update(issued.id, { name: 'Back' }), 409, 'STATE_CONFLICT');
    assertRefused(await send('POST', `/api-keys/${issued.id}/rotate`, {}), 409, 'STATE_CONFLICT');
  });

  describe('that are rotated', () => {
    const rotate = (id: string, body: object, headers = {}) => send('POST', `/api-keys/${id}/rotate`, body, headers);

    it('are both valid for the overlap, the new one with the settings of the old one', async () => {
      const settings = { ipAllowlist: ['127.0.0.0/8', '::1'], ipRestricted: true };
      const old = await create(settings);
      const before = Date.now();
      const headers = { 'X-Idempotency-Key': randomUUID() };
      const answer = await rotate(old.id, { overlapSeconds: 3_600 }, headers);
      const fresh = resourceOf(answer, keyWithSecrets);
      assert.deepEqual({ ...fresh, ...READER, ...settings, expiresAt: null, status: 'active' }, fresh);
      assert.notEqual(fresh.apiKey, old.apiKey);
      for (const key of [old, fresh]) assert.equal((await clientWith(key)('GET', '/customers')).status, 200);
      const kept = await read(old.id);
      const endsInMs = Date.parse(kept.expiresAt ?? '') - before;
      assert.ok(endsInMs >= 3_600 * SECOND_MS && endsInMs < 3_660 * SECOND_MS, `${endsInMs}`);
      assert.equal(kept.replacedBy, fresh.id);
      assert.deepEqual((await rotate(old.id, { overlapSeconds: 3_600 }, headers)).body, answer.body);
      assertRefused(await rotate(old.id, {}), 409, 'STATE_CONFLICT');
    });

    it('expire at once without an overlap, and never later than their own expiry', async () => {
      const short = await create();
      const fresh = resourceOf(await rotate(short.id, { overlapSeconds: 0 }), keyWithSecrets);
      const refused = await clientWith(short)('GET', '/customers');
      assertRefused(refused, 401, 'API_KEY_EXPIRED');
      assert.match(failureOf(refused).message, /rotated and its overlap has ended/);
      assert.equal((await clientWith(fresh)('GET', '/customers')).status, 200);
      const expiresAt = new Date(Date.now() + MINUTE_MS).toISOString();
      const expiring = await create({ expiresAt });
      assert.equal(resourceOf(await rotate(expiring.id, {}), keyWithSecrets).expiresAt, expiresAt);
      assert.equal((await read(expiring.id)).expiresAt, expiresAt);
    });

    it('leave their successor valid when they are revoked', async () => {
      const old = await create();
      const fresh = resourceOf(await rotate(old.id, {}), keyWithSecrets);
      assert.equal((await send('POST', `/api-keys/${old.id}/revoke`, {})).status, 200);
      assertRefused(await clientWith(old)('GET', '/customers'), 401, 'API_KEY_REVOKED');
      assert.equal((await clientWith(fresh)('GET', '/customers')).status, 200);
    });

    it('have one successor under concurrent rotations', async () => {
      const old = await create();
      const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(old.id, {})));
      const done = answers.filter(({ status }) => status === 200);
      assert.equal(done.length, 1);
      assert.ok(answers.every((one) => one.status === 200 || failureOf(one).code === 'STATE_CONFLICT'));
      const [winner] = done.map((answer) => resourceOf(answer, keyWithSecrets));
      assert.equal((await read(old.id)).replacedBy, winner?.id);
    });
  });

  it('have a report that says what was read with a lost one, what it changed, and what still stands', async () => {
    const owner = await createMerchant();
    const asOwner = clientOf(owner.credentials);
    const endpoint = { url: 'http://127.0.0.1:9/hooks', enabledEvents: ['payment_intent.expired'] };
    const changed = resourceOf(await asOwner('POST', '/webhook-endpoints', endpoint), webhookEndpointWithSecret, 201);
    const fields = { name: 'Lost', scopes: [...ALL_SCOPES] };
    const issued = resourceOf(await asOwner('POST', '/api-keys', fields), keyWithSecrets, 201);
    const thief = clientOf(credentialsOf(owner.credentials.baseUrl, issued));

    const [link, second, deleted] = await Promise.all([
      thief('POST', '/payment-links', { amount: 1_000, currency: 'USD', description: 'Of the thief' }),
      thief('POST', '/api-keys', { ...READER, name: 'Second' }),
      thief('POST', '/webhook-endpoints', endpoint),
      ...[1, 2, 3].map(() => thief('GET', '/customers')),
      thief('GET', `/customers/${'x'.repeat(10)}`),
    ]);
    const idOf = (answer: Answer | undefined) => idIn.parse(answer?.body).data.id;
    await thief('PATCH', `/webhook-endpoints/${changed.id}`, { description: 'changed' });
    await thief('DELETE', `/webhook-endpoints/${idOf(deleted)}`);
    await asOwner('POST', `/api-keys/${issued.id}/revoke`, {});

    const path = `/security/api-keys/${issued.id}`;
    const person = (await createMember(owner.merchantId, 'owner')).browser;
    const place = { 'X-Merchant-ID': owner.merchantAccountId, 'X-Environment': 'sandbox' };
    await eventually(async () => {
      const report = apiKeyReport.strict().parse((await person.get(`/api/v1${path}`, place)).data);
      assert.equal(report.apiKey.status, 'revoked');
      const reads = report.operations.find(({ operation }) => operation === 'GET /customers');
      assert.deepEqual([reads?.requests, reads?.refused], [3, 0]);
      const refused = report.operations.find(({ operation }) => operation === 'GET /customers/{id}');
      assert.deepEqual([refused?.requests, refused?.refused], [1, 1]);
      assert.deepEqual(
        report.places.map(({ address }) => address),
        ['127.0.0.1'],
      );
      assert.equal(report.changeCount, report.changes.length);
      assert.deepEqual(report.changes.map(({ action }) => action).sort(), [
        'api_key.created',
        'payment_link.created',
        'webhook_endpoint.created',
        'webhook_endpoint.deleted',
        'webhook_endpoint.updated',
      ]);
      const remaining = report.remaining.map(({ resource, id, isMade }) => [resource, id, isMade]);
      assert.deepEqual(remaining.sort(), [
        ['api_key', idOf(second), true],
        ['payment_link', idOf(link), true],
        ['webhook_endpoint', changed.id, false],
      ]);
    });
    const stranger = (await createMember(merchant.merchantId, 'owner')).browser;
    assertStatus(await stranger.get(`/api/v1${path}`), 404, 'RESOURCE_NOT_FOUND');
    assertRefused(await asOwner('GET', path), 403, 'INSUFFICIENT_PERMISSIONS');
  });

  it('are limited in number while they are live', async () => {
    const { credentials, merchantId, merchantAccountId, apiKeyId } = await createMerchant();
    const ask = clientOf(credentials);
    await queryStack(
      `INSERT INTO api_key (id, merchant_id, merchant_account_id, environment, name, prefix, key_hash, salt_hash, scopes,
         ip_allowlist)
       SELECT 'key_' || md5($2 || n), $1, $2, 'sandbox', 'Many', 'svc_test_', md5($2 || n), 'x', '{}', '{}'
       FROM generate_series(3, $3) n`,
      [merchantId, merchantAccountId, MAXIMUM_LIVE_KEYS],
    );
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', '/api-keys', READER)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
    assertRefused(await ask('POST', `/api-keys/${apiKeyId}/rotate`, { overlapSeconds: 1 }), 409, 'STATE_CONFLICT');
    const rotated = await ask('POST', `/api-keys/${apiKeyId}/rotate`, { overlapSeconds: 0 });
    const next = clientWith(resourceOf(rotated, keyWithSecrets));
    const { data } = resourcePageOf(await next('GET', '/api-keys?limit=1'), apiKeyResource);
    assert.equal((await next('POST', `/api-keys/${data[0]?.id}/revoke`, {})).status, 200);
  });
});

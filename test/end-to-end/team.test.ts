import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { newId } from '../../domain/new-id.ts';
import { ROLES, SCOPES_OF_ROLE } from '../../domain/roles.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { OPERATIONS_OF_API, methodOf, nameOf, pathOf } from '../support/api-operations.ts';
import {
  assertStatus,
  Browser,
  type BrowserAnswer,
  countMails,
  createMember,
  linkInMail,
  newEmail,
  PASSWORD,
  type SignedInMember,
  signIn,
  signUp,
} from '../support/dashboard.ts';
import { failureOf } from '../support/envelopes.ts';
import { fingerprintOf } from '../support/merchant-fingerprint.ts';
import { createRows, type MerchantRows } from '../support/merchant-rows.ts';
import { createAccount, createMerchant, type TestMerchant } from '../support/merchants.ts';
import { bodyFor, parametersFor, scopesOf } from '../support/operation-samples.ts';
import { SESSION_OPERATIONS } from '../support/session-operations.ts';
import { createPayment } from '../support/payments.ts';
import { request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { credentialsOf } from '../support/responses-with-secrets.ts';

const withId = z.object({ id: z.string() });
const savedViews = z.object({
  data: z.array(z.object({ id: z.string(), name: z.string(), filter: z.record(z.string(), z.string()) })),
});

describe('people in a team', function () {
  this.timeout(2 * MINUTE_MS);
  let merchant: TestMerchant;
  let rows: MerchantRows;
  let owner: SignedInMember;

  before(async () => {
    merchant = await createMerchant();
    rows = await createRows(merchant);
    owner = await createMember(merchant.merchantId, 'owner');
  });

  it('may do exactly what their role has the scope for, and a reader changes nothing', async () => {
    const everything = [...OPERATIONS_OF_API, ...SESSION_OPERATIONS];
    // Readers first, while nothing is changed.
    for (const role of ROLES.toReversed()) {
      const { browser } = await createMember(merchant.merchantId, role);
      const earlier = await fingerprintOf(merchant.merchantId);
      const refused = await Promise.all(
        everything.map(async (operation) => {
          const ofTeam = SESSION_OPERATIONS.includes(operation);
          const parameters = ofTeam ? { id: newId('person') } : parametersFor(operation, rows);
          const body = ofTeam ? {} : bodyFor(operation, rows);
          const path = `/api/v1${pathOf(operation, parameters)}`;
          const method = methodOf(operation);
          const answer = await browser.send(method, path, method === 'GET' ? undefined : body);
          assert.ok(![401, 429, 500].includes(answer.status), `${role}: ${nameOf(operation)}: ${answer.text}`);
          return answer.code === 'INSUFFICIENT_PERMISSIONS' ? [nameOf(operation)] : [];
        }),
      );
      const scopes = SCOPES_OF_ROLE[role];
      const expected = everything
        .filter((operation) => !scopesOf(operation).every((scope) => scopes.some((own) => own === scope)))
        .map(nameOf);
      assert.deepEqual(refused.flat().sort(), expected.sort(), role);
      if (role === 'read_only') assert.deepEqual(await fingerprintOf(merchant.merchantId), earlier);
    }
  });

  it('are no API keys: keys get no scope of people, and none of their operations', async () => {
    for (const operation of SESSION_OPERATIONS) {
      const path = `/api/v1${pathOf(operation, { id: newId('person') })}`;
      const method = methodOf(operation);
      const answer = await request({ method, path, ...(method === 'GET' ? {} : { body: {} }) }, merchant.credentials);
      assert.equal(failureOf(answer).code, 'INSUFFICIENT_PERMISSIONS', nameOf(operation));
    }
    for (const scope of ['security:read', 'team:write', 'team:read', 'me:read', 'me:write']) {
      const answer = await owner.browser.post('/api/v1/api-keys', { name: 'Key', scopes: [scope] });
      assertStatus(answer, 422, 'VALIDATION_ERROR');
    }
  });

  it('make keys with the scopes of their role at most', async () => {
    const developer = await createMember(merchant.merchantId, 'developer');
    const create = (scopes: readonly string[]) => developer.browser.post('/api/v1/api-keys', { name: 'Key', scopes });
    assertStatus(await create(['payment-intents:read', 'webhook-endpoints:write']), 201);
    assertStatus(await create(['refunds:write']), 403, 'INSUFFICIENT_PERMISSIONS');
  });

  it('get the secrets of a key that they make in their own session only, also where the request is repeated', async () => {
    const other = await createMember(merchant.merchantId, 'owner');
    const headers = { 'X-Idempotency-Key': randomUUID() };
    const create = ({ browser }: SignedInMember) =>
      browser.post('/api/v1/api-keys', { name: 'Key', scopes: ['customers:read'] }, headers);
    const [first, again, ofOther] = [await create(owner), await create(owner), await create(other)];
    const { secretSalt } = first.data;
    assert.ok(typeof secretSalt === 'string' && secretSalt.length > 20, first.text);
    assert.equal(again.data.secretSalt, secretSalt);
    assert.deepEqual([ofOther.status, ofOther.data.secretSalt], [201, null]);
  });

  it('act for accounts of their merchant alone, in the environment that they name', async () => {
    const [other, production] = await Promise.all([createMerchant(), createAccount(merchant.merchantId, 'production')]);
    const me = (headers: Readonly<Record<string, string>>) => owner.browser.get('/api/v1/me', headers);
    assertStatus(await me({ 'X-Merchant-ID': other.merchantAccountId }), 403, 'FORBIDDEN');
    assertStatus(await me({ 'X-Merchant-ID': production.merchantAccountId }), 403, 'FORBIDDEN');
    assertStatus(await me({ 'X-Environment': 'elsewhere' }), 422, 'VALIDATION_ERROR');
    const both = { 'X-Environment': 'production', 'X-Merchant-ID': production.merchantAccountId };
    assert.equal((await me(both)).data.account, production.merchantAccountId);
    const forged = { Authorization: `Bearer ${merchant.credentials.apiKey}`, 'X-Forwarded-For': '192.0.2.1' };
    assert.equal((await me(forged)).data.role, 'owner', 'the credentials of the browser count for nothing');
  });

  it('save their own views of lists, which end with their place in the team', async () => {
    const [finance, other] = [
      await createMember(merchant.merchantId, 'read_only'),
      await createMember(merchant.merchantId, 'owner'),
    ];
    const view = (name: string, fields: object = {}) => ({
      list: 'payment-intents',
      name,
      filter: { status: 'succeeded' },
      ...fields,
    });
    const save = (body: object, browser = finance.browser) => browser.post('/api/v1/saved-views', body);
    const namesOf = async (browser = finance.browser, headers = {}) => {
      const { text } = await browser.get('/api/v1/saved-views?list=payment-intents&limit=100', headers);
      return savedViews.parse(JSON.parse(text)).data.map(({ name }) => name);
    };
    const hostile = '<img src=x onerror=alert(1)>';
    const saved = await save(view(hostile));
    assertStatus(saved, 201);
    assertStatus(await save(view(hostile, { filter: { q: 'a@example.com' } })), 201);
    assertStatus(await save(view('4242 4242 4242 4242')), 422, 'VALIDATION_ERROR');
    assertStatus(await save(view('Nested', { filter: { a: { b: 'c' } } })), 422, 'VALIDATION_ERROR');
    const [kept] = savedViews.parse(JSON.parse((await finance.browser.get('/api/v1/saved-views')).text)).data;
    assert.deepEqual([kept?.name, kept?.filter], [hostile, { q: 'a@example.com' }], 'the same name replaces');
    assert.deepEqual(await namesOf(other.browser), []);
    const { merchantAccountId } = await createAccount(merchant.merchantId, 'production');
    const elsewhere = { 'X-Environment': 'production', 'X-Merchant-ID': merchantAccountId };
    assert.deepEqual(await namesOf(finance.browser, elsewhere), []);
    const remove = (id: unknown, browser = finance.browser) =>
      browser.send('DELETE', `/api/v1/saved-views/${String(id)}`, {});
    assertStatus(await remove(kept?.id, other.browser), 404, 'RESOURCE_NOT_FOUND');
    for (let index = 0; index < 44; index += 1) assertStatus(await save(view(`View ${index}`)), 201);
    const last = await Promise.all(Array.from({ length: 8 }, (_, index) => save(view(`Last view ${index}`))));
    assert.deepEqual(
      last.filter(({ status }) => status !== 201).map(({ code }) => code),
      Array(3).fill('STATE_CONFLICT'),
    );
    assertStatus(await remove(kept?.id), 200);
    assert.equal((await namesOf()).length, 49);
    assertStatus(await owner.browser.send('DELETE', `/api/v1/team-members/${finance.personId}`), 200);
    const left = await queryStack('SELECT count(*)::int AS n FROM saved_view WHERE person_id = $1', [finance.personId]);
    assert.deepEqual(left, [{ n: 0 }]);
  });

  it('are refused at the next request when the session, the membership or the account ends', async () => {
    const [first, second, third] = await Promise.all(
      ['support', 'support', 'support'].map(() => createMember(merchant.merchantId, 'support')),
    );
    assert.ok(first && second && third);
    assertStatus(await first.browser.get('/api/v1/refunds'), 200);
    assertStatus(await owner.browser.send('DELETE', `/api/v1/team-members/${first.personId}`), 200);
    assertStatus(await first.browser.get('/api/v1/refunds'), 401, 'UNAUTHORIZED');
    await queryStack('DELETE FROM membership WHERE person_id = $1', [second.personId]);
    assertStatus(await second.browser.get('/api/v1/refunds'), 403, 'FORBIDDEN');
    assertStatus(await third.browser.get('/api/v1/refunds'), 200);
    assertStatus(await third.browser.post('/auth/sign-out'), 200);
    assertStatus(await third.browser.get('/api/v1/refunds'), 401, 'UNAUTHORIZED');

    const merchantToSuspend = await createMerchant();
    const { browser } = await createMember(merchantToSuspend.merchantId, 'owner');
    await queryStack(`UPDATE merchant_account SET status = 'suspended' WHERE merchant_id = $1`, [
      merchantToSuspend.merchantId,
    ]);
    assertStatus(await browser.get('/api/v1/me'), 200);
    assertStatus(await browser.post('/api/v1/customers', {}), 403, 'MERCHANT_SUSPENDED');
  });

  it('leave in the audit log what they refund, capture and cancel, once each', async () => {
    const { browser, personId } = await createMember(merchant.merchantId, 'support');
    const terms = { currency: 'EUR', confirm: true, paymentMethod: card('approved') };
    const [paid, held, open] = await Promise.all([
      createPayment(terms, merchant.credentials),
      createPayment({ ...terms, captureMethod: 'manual' }, merchant.credentials),
      createPayment({ currency: 'EUR' }, merchant.credentials),
    ]);
    await Promise.all([paid.reach('succeeded'), held.reach('requires_capture')]);
    const requests = [
      ['/api/v1/refunds', { paymentIntentId: paid.id, amount: 500 }],
      [`/api/v1/payment-intents/${held.id}/capture`, { amount: 1_000 }],
      [`/api/v1/payment-intents/${open.id}/cancel`, {}],
    ] as const;
    for (const [path, body] of requests) {
      const headers = { 'X-Idempotency-Key': randomUUID() };
      assert.ok((await browser.post(path, body, headers)).status < 300);
      assert.equal((await browser.post(path, body, headers)).headers.get('idempotent-replayed'), 'true');
    }
    const tooMuch = await browser.post('/api/v1/refunds', { paymentIntentId: paid.id, amount: 1_500 });
    assert.equal(tooMuch.code, 'REFUND_AMOUNT_EXCEEDED');
    await request({ method: 'POST', path: '/api/v1/refunds', body: requests[0][1] }, merchant.credentials);
    const entries = await queryStack<{ action: string; actor_id: string; amount: number | null; payment: string }>(
      `SELECT action, actor_id, (after->>'amount')::int AS amount, COALESCE(after->>'paymentIntentId', resource_id) AS payment
         FROM audit_event WHERE merchant_id = $1 AND environment = 'sandbox' AND action = ANY($2) ORDER BY created_at`,
      [merchant.merchantId, ['refund.created', 'payment_intent.capture_requested', 'payment_intent.cancel_requested']],
    );
    assert.deepEqual(
      entries.filter(({ payment }) => [paid.id, held.id, open.id].includes(payment)),
      [
        { action: 'refund.created', actor_id: personId, amount: 500, payment: paid.id },
        { action: 'payment_intent.capture_requested', actor_id: personId, amount: 1_000, payment: held.id },
        { action: 'payment_intent.cancel_requested', actor_id: personId, amount: null, payment: open.id },
      ],
    );
  });

  it('are removed with the keys that they made, if an owner says so', async () => {
    const { merchantId } = await createMerchant();
    const production = await createAccount(merchantId, 'production');
    const head = await createMember(merchantId, 'owner');
    const [leaving, staying] = await Promise.all([
      createMember(merchantId, 'developer'),
      createMember(merchantId, 'developer'),
    ]);
    const make = ({ browser }: SignedInMember, name: string, headers = {}) =>
      browser.post('/api/v1/api-keys', { name, scopes: ['payment-intents:read'] }, headers);
    const headers = { 'X-Environment': 'production', 'X-Merchant-ID': production.merchantAccountId };
    const [own, live, revoked, rotated, foreign] = [
      await make(leaving, 'Own'),
      await make(leaving, 'Live', headers),
      await make(leaving, 'Revoked'),
      await make(leaving, 'Rotated'),
      await make(staying, 'Foreign'),
    ];
    const keyPath = ({ data }: BrowserAnswer, action: string) => `/api/v1/api-keys/${String(data.id)}/${action}`;
    assertStatus(await head.browser.post(keyPath(revoked, 'revoke')), 200);
    assertStatus(await staying.browser.post(keyPath(rotated, 'rotate'), { overlapSeconds: 0 }), 200);
    const path = `/api/v1/team-members/${leaving.personId}`;
    const listed = await head.browser.get(`${path}/api-keys`);
    const names = z.object({ data: z.array(z.object({ name: z.string() })) }).parse(JSON.parse(listed.text));
    assert.deepEqual(names.data.map(({ name }) => name).sort(), ['Live', 'Own']);
    assertStatus(await staying.browser.get(`${path}/api-keys`), 403, 'INSUFFICIENT_PERMISSIONS');

    assertStatus(await head.browser.send('DELETE', path, { revokeApiKeys: true }), 200);
    const statusOf = async ({ data }: BrowserAnswer, environment = {}) =>
      (await head.browser.get(`/api/v1/api-keys/${String(data.id)}`, environment)).data.status;
    assert.deepEqual(
      [await statusOf(own), await statusOf(live, headers), await statusOf(foreign)],
      ['revoked', 'revoked', 'active'],
    );
    const entries = await queryStack<{ environment: string; resource_id: string }>(
      `SELECT environment, resource_id FROM audit_event
         WHERE merchant_id = $1 AND action = 'api_key.revoked' AND actor_id = $2 ORDER BY created_at, environment`,
      [merchantId, head.personId],
    );
    assert.deepEqual(entries.map(({ environment, resource_id }) => `${environment} ${resource_id}`).sort(), [
      `production ${String(live.data.id)}`,
      `sandbox ${String(own.data.id)}`,
      `sandbox ${String(revoked.data.id)}`,
    ]);

    const kept = await make(staying, 'Kept');
    assertStatus(await head.browser.send('DELETE', `/api/v1/team-members/${staying.personId}`), 200);
    assert.equal(await statusOf(kept), 'active');
  });

  it('are removed with the keys that their keys have made or become', async () => {
    const {
      merchantId,
      credentials: { baseUrl },
    } = await createMerchant();
    const [head, leaving] = [await createMember(merchantId, 'owner'), await createMember(merchantId, 'developer')];
    const made = await leaving.browser.post('/api/v1/api-keys', {
      name: 'Made',
      scopes: ['api-keys:read', 'api-keys:write'],
    });
    const keyOf = (data: unknown) => ({ ...credentialsOf(baseUrl, data), ...withId.parse(data) });
    const credentials = keyOf(made.data);
    const post = async (path: string, body: object) =>
      keyOf((await request({ method: 'POST', path: `/api/v1/api-keys${path}`, body }, credentials)).body.data);
    const ofKey = await post('', { name: 'Of a key', scopes: ['api-keys:read'] });
    const rotated = await post(`/${credentials.id}/rotate`, {});
    assertStatus(
      await head.browser.send('DELETE', `/api/v1/team-members/${leaving.personId}`, { revokeApiKeys: true }),
      200,
    );
    for (const key of [credentials, ofKey, rotated]) {
      const answer = await request({ method: 'GET', path: '/api/v1/api-keys' }, key);
      assert.equal(failureOf(answer).code, 'API_KEY_REVOKED');
    }
  });

  it('have a limit of requests of their own, which leaves those of others and of keys alone', async () => {
    const [busy, calm] = await Promise.all([
      createMember(merchant.merchantId, 'support'),
      createMember(merchant.merchantId, 'support'),
    ]);
    const first = await busy.browser.get('/api/v1/refunds');
    assert.equal(first.headers.get('x-ratelimit-limit'), '600');
    await queryStack('UPDATE rate_limit SET points = 1000000000 WHERE key = $1', [`person:${busy.personId}`]);
    for (const environment of ['sandbox', 'production']) {
      const refused = await busy.browser.get('/api/v1/refunds', { 'X-Environment': environment });
      assertStatus(refused, 429, 'RATE_LIMIT_EXCEEDED');
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
    }
    assertStatus(await calm.browser.get('/api/v1/refunds'), 200);
    assert.equal((await request({ method: 'GET', path: '/api/v1/refunds' }, merchant.credentials)).status, 200);
  });

  it('are refused until they have confirmed the e-mail address', async () => {
    const { browser, personId } = await createMember(merchant.merchantId, 'owner');
    await queryStack('UPDATE person SET email_verified = false WHERE id = $1', [personId]);
    assertStatus(await browser.get('/api/v1/me'), 403, 'FORBIDDEN');
  });

  it('are invited by e-mail, and join with that address alone', async () => {
    const email = newEmail();
    const invited = await owner.browser.post('/api/v1/invitations', { email: email.toUpperCase(), role: 'finance' });
    assertStatus(invited, 201);
    assert.equal(invited.data.email, email);
    assertStatus(await owner.browser.post('/api/v1/invitations', { email, role: 'owner' }), 409, 'STATE_CONFLICT');
    const first = (await linkInMail(email, 'Join the team')).searchParams.get('token');
    assertStatus(await owner.browser.post(`/api/v1/invitations/${String(invited.data.id)}/resend`), 200);
    let token = first;
    while (token === first) token = (await linkInMail(email, 'Join the team')).searchParams.get('token');
    const browser = new Browser();
    assertStatus(await browser.post('/auth/invitation', { token: first }), 404, 'RESOURCE_NOT_FOUND');
    assert.equal((await browser.post('/auth/invitation', { token })).data.email, email);

    const person = { name: 'Invited', password: PASSWORD, invitationToken: token };
    const stranger = { ...person, email: newEmail() };
    assertStatus(await browser.post('/auth/sign-up/email', stranger), 404, 'RESOURCE_NOT_FOUND');
    const sender = { ...person, invitationToken: undefined, email, merchantName: 'Shop of a stranger' };
    assertStatus(await new Browser().post('/auth/sign-up/email', sender), 200);
    assertStatus(await browser.post('/auth/sign-up/email', { ...person, email }), 200);
    assertStatus(await signIn(browser, email), 200);
    assertStatus(await browser.get('/api/v1/me'), 403, 'FORBIDDEN');

    const thief = await createMember(null, 'owner');
    assertStatus(await thief.browser.post('/auth/accept-invitation', { token }), 404, 'RESOURCE_NOT_FOUND');
    assertStatus(await browser.post('/auth/accept-invitation', { token }), 200);
    assertStatus(await browser.post('/auth/accept-invitation', { token }), 404, 'RESOURCE_NOT_FOUND');
    assert.equal((await browser.get('/api/v1/me')).data.role, 'finance');
    const entries = await queryStack<{ action: string; actor_type: string }>(
      `SELECT DISTINCT action, actor_type FROM audit_event WHERE merchant_id = $1 AND environment = 'production'
         AND (action LIKE 'invitation.%' OR action = 'team_member.joined') ORDER BY action`,
      [merchant.merchantId],
    );
    assert.deepEqual(
      entries.map(({ action, actor_type }) => [action, actor_type]),
      [
        ['invitation.created', 'person'],
        ['invitation.resent', 'person'],
        ['team_member.joined', 'person'],
      ],
    );
    assert.equal(await countMails(owner.email), 0);
  });

  it('keep an owner, also when two owners remove each other at the same time', async () => {
    const { merchantId } = await createMerchant();
    const [one, other] = await Promise.all([createMember(merchantId, 'owner'), createMember(merchantId, 'owner')]);
    const change = (who: SignedInMember, whom: SignedInMember) =>
      who.browser.send('PATCH', `/api/v1/team-members/${whom.personId}`, { role: 'support' });
    const answers = await Promise.all([change(one, other), change(other, one)]);
    const owners = await queryStack('SELECT FROM membership WHERE merchant_id = $1 AND role = $2', [
      merchantId,
      'owner',
    ]);
    assert.equal(owners.length, 1, answers.map(({ text }) => text).join('\n'));
    const last = answers[0].status === 200 ? one : other;
    const recorded = await queryStack<{ environment: string }>(
      `SELECT environment FROM audit_event WHERE merchant_id = $1 AND action = 'team_member.updated' AND actor_id = $2`,
      [merchantId, last.personId],
    );
    assert.deepEqual(recorded.map(({ environment }) => environment).sort(), ['production', 'sandbox']);
    assertStatus(await change(last, last), 409, 'STATE_CONFLICT');
    assertStatus(await last.browser.send('DELETE', `/api/v1/team-members/${last.personId}`), 409, 'STATE_CONFLICT');
  });

  it('leave the merchant of a mistaken sign-up, as long as it has no payment and no key', async () => {
    const email = newEmail();
    const browser = await signUp(email);
    assertStatus(await signIn(browser, email), 200);
    const [{ id } = { id: '' }] = await queryStack<{ id: string }>('SELECT id FROM person WHERE email = $1', [email]);
    const leave = () => browser.send('DELETE', `/api/v1/team-members/${id}`);
    const key = await browser.post('/api/v1/api-keys', { name: 'Key', scopes: ['payment-intents:read'] });
    assertStatus(await leave(), 409, 'STATE_CONFLICT');
    assertStatus(await browser.post(`/api/v1/api-keys/${String(key.data.id)}/revoke`), 200);
    assertStatus(await leave(), 200);
    assert.deepEqual(await queryStack('SELECT FROM membership WHERE person_id = $1', [id]), []);
  });
});

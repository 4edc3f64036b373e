import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import { newId } from '../../domain/new-id.ts';
import { ROLES, SCOPES_OF_ROLE } from '../../domain/roles.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { OPERATIONS_OF_API, methodOf, nameOf, pathOf } from '../support/api-operations.ts';
import {
  Browser,
  type BrowserAnswer,
  countMails,
  createMember,
  dashboardOfStack,
  linkInMail,
  startDashboard,
  type SignedInMember,
  signedSession,
  totpCode,
} from '../support/dashboard.ts';
import { failureOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { fingerprintOf } from '../support/merchant-fingerprint.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { createRows, type MerchantRows } from '../support/merchant-rows.ts';
import { createAccount, createMerchant, type TestMerchant } from '../support/merchants.ts';
import { bodyFor, parametersFor } from '../support/operation-samples.ts';
import { SESSION_OPERATIONS } from '../support/session-operations.ts';
import { createPayment } from '../support/payments.ts';
import { request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';

const savedViews = z.object({
  data: z.array(z.object({ id: z.string(), name: z.string(), filter: z.record(z.string(), z.string()) })),
});
const PASSWORD = 'correct horse battery';
const newEmail = () => `${randomUUID()}@example.com`;

function assertStatus(answer: BrowserAnswer, status: number, code?: string): void {
  assert.deepEqual([answer.status, answer.status < 300 ? undefined : answer.code], [status, code], answer.text);
}

/** Signs up, and confirms the e-mail address. */
async function signUp(email: string): Promise<Browser> {
  const browser = new Browser();
  const person = { name: 'Person of a test', email, password: PASSWORD, merchantName: 'Shop of a test' };
  assertStatus(await browser.post('/auth/sign-up/email', person), 200);
  const link = await linkInMail(email, 'Confirm');
  const confirmed = await browser.get(`${link.pathname}${link.search}`);
  assert.deepEqual([confirmed.status, confirmed.headers.get('location')], [302, '/sign-in?verified=true']);
  return browser;
}

const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  browser.post('/auth/sign-in/email', { email, password });

describe('people at the dashboard', function () {
  this.timeout(2 * MINUTE_MS);

  it('signs a person up, confirms the e-mail address, and asks for the second factor from then on', async () => {
    const email = newEmail();
    const browser = await signUp(email);
    assertStatus(await browser.get('/api/v1/me'), 401, 'UNAUTHORIZED');
    assertStatus(await signIn(browser, email), 200);
    const me = await browser.get('/api/v1/me');
    assert.deepEqual([me.data.role, me.data.environment], ['owner', 'sandbox']);
    const production = await browser.get('/api/v1/me', { 'X-Environment': 'production' });
    assert.notEqual(production.data.account, me.data.account);

    const enabled = await browser.post('/auth/two-factor/enable', { password: PASSWORD });
    const uri = String(enabled.data.totpURI);
    assertStatus(await browser.post('/auth/two-factor/verify-totp', { code: totpCode(uri) }), 200);
    await browser.post('/auth/sign-out');

    const [first, second] = [new Browser(), new Browser()];
    const halfway = await signIn(first, email);
    assert.equal(halfway.data.twoFactorRedirect, true);
    assertStatus(await first.get('/api/v1/me'), 401, 'UNAUTHORIZED');
    assertStatus(await first.post('/auth/two-factor/verify-totp', { code: '000000' }), 401, 'INVALID_CODE');
    const verified = await first.post('/auth/two-factor/verify-totp', { code: totpCode(uri), trustDevice: true });
    assertStatus(verified, 200);
    assert.ok(
      !verified.headers.getSetCookie().some((cookie) => cookie.includes('trust_device')),
      'a device is trusted',
    );
    assertStatus(await first.get('/api/v1/me'), 200);

    await signIn(second, email);
    const [recoveryCode] = enabled.data.backupCodes as readonly string[];
    const recover = () => second.post('/auth/two-factor/verify-backup-code', { code: recoveryCode });
    assertStatus(await recover(), 200);
    assertStatus(await second.get('/api/v1/me'), 200);
    await second.post('/auth/sign-out');
    await signIn(second, email);
    assert.equal((await recover()).status, 401, 'a recovery code works once');
  });

  it('takes a code of an authenticator once, also of two sessions that begin at the same time', async () => {
    const email = newEmail();
    const owner = await signUp(email);
    assertStatus(await signIn(owner, email), 200);
    const enabled = await owner.post('/auth/two-factor/enable', { password: PASSWORD });
    const uri = String(enabled.data.totpURI);
    assertStatus(await owner.post('/auth/two-factor/verify-totp', { code: totpCode(uri) }), 200);

    const browsers = [new Browser(), new Browser(), new Browser()];
    for (const browser of browsers) await signIn(browser, email);
    const code = totpCode(uri);
    const verified = await Promise.all(
      browsers.map((browser) => browser.post('/auth/two-factor/verify-totp', { code })),
    );
    assert.deepEqual(verified.map(({ status }) => status).sort(), [200, 401, 401]);
    const me = await Promise.all(browsers.map((browser) => browser.get('/api/v1/me')));
    assert.deepEqual(me.map(({ status }) => status).sort(), [200, 401, 401]);
    const sessions = await owner.get('/auth/list-sessions');
    assert.equal((JSON.parse(sessions.text) as readonly unknown[]).length, 2, 'a session of a refused code is left');
  });

  it('lets a session that began without the second factor neither turn it off nor read new recovery codes', async () => {
    const email = newEmail();
    const [older, newer] = [await signUp(email), new Browser()];
    for (const browser of [older, newer]) assertStatus(await signIn(browser, email), 200);
    const enabled = await newer.post('/auth/two-factor/enable', { password: PASSWORD });
    const code = totpCode(String(enabled.data.totpURI));
    assertStatus(await newer.post('/auth/two-factor/verify-totp', { code }), 200);
    for (const action of ['disable', 'generate-backup-codes']) {
      const path = `/auth/two-factor/${action}`;
      assertStatus(await older.post(path, { password: PASSWORD }), 403, 'FORBIDDEN');
    }
    assertStatus(await newer.post('/auth/two-factor/generate-backup-codes', { password: PASSWORD }), 200);
    assertStatus(await newer.post('/auth/two-factor/disable', { password: PASSWORD }), 200);
    assertStatus(await signIn(new Browser(), email), 200);
  });

  it('gives the session a cookie that scripts and other sites do not get, and a new one at each sign-in', async () => {
    const email = newEmail();
    const browser = await signUp(email);
    browser.cookies.set('payment-engine.session_token', encodeURIComponent(await signedSession('a'.repeat(32))));
    const planted = browser.cookies.get('payment-engine.session_token');
    const answer = await signIn(browser, email);
    const cookie = answer.headers.getSetCookie().find((each) => each.includes('session_token')) ?? '';
    assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Lax$/);
    const given = browser.cookies.get('payment-engine.session_token');
    assert.notEqual(given, planted);
    const thief = new Browser();
    thief.cookies.set('payment-engine.session_token', planted ?? '');
    assertStatus(await thief.get('/api/v1/me'), 401, 'UNAUTHORIZED');
    thief.cookies.set('payment-engine.session_token', `${given?.slice(0, 40)}${'A'.repeat(43)}%3D`);
    assertStatus(await thief.get('/api/v1/me'), 401, 'UNAUTHORIZED');
  });

  it('answers alike, and takes alike, for e-mail addresses that it knows and that it does not', async () => {
    const known = newEmail();
    await signUp(known);
    const browser = new Browser();
    const unknown = newEmail();
    const shapeOf = ({ status, text }: BrowserAnswer, email: string) => [
      status,
      text.replaceAll(email, 'EMAIL').replaceAll(/per_[0-9a-f]{32}|\d{4}-[\d-]+T[\d:.]+Z/g, 'X'),
    ];
    const person = { name: 'A', password: PASSWORD, merchantName: 'Shop' };
    for (const [path, body] of [
      ['/auth/request-password-reset', {}],
      ['/auth/sign-in/email', { password: 'a wrong password' }],
      ['/auth/sign-up/email', person],
    ] as const) {
      const ofKnown = await browser.post(path, { ...body, email: known });
      const ofUnknown = await browser.post(path, { ...body, email: unknown });
      assert.deepEqual(shapeOf(ofKnown, known), shapeOf(ofUnknown, unknown), path);
      if (!path.includes('sign-in')) assert.ok(ofKnown.tookMs >= 590 && ofUnknown.tookMs >= 590, path);
    }
    await linkInMail(known, 'You have an account already');
    const owner = await createMember((await createMerchant()).merchantId, 'owner');
    const invite = (email: string) => owner.browser.post('/api/v1/invitations', { email, role: 'finance' });
    const maskedOf = (answer: BrowserAnswer, email: string) =>
      shapeOf({ ...answer, text: answer.text.replaceAll(/(?:inv|req)_[\w-]+/g, 'X') }, email);
    const [invitedKnown, invitedUnknown] = [await invite(known), await invite(unknown)];
    assertStatus(invitedKnown, 201);
    assert.deepEqual(maskedOf(invitedKnown, known), maskedOf(invitedUnknown, unknown));
    const tokens = await Promise.all(
      [known, unknown].map(async (email) => (await linkInMail(email, 'Join the team')).searchParams.get('token')),
    );
    const [joinKnown, joinUnknown] = await Promise.all(
      [known, unknown].map((email, index) => {
        const invitationToken = tokens[index];
        return browser.post('/auth/sign-up/email', { name: 'A', password: PASSWORD, email, invitationToken });
      }),
    );
    assert.ok(joinKnown && joinUnknown && joinKnown.tookMs >= 590 && joinUnknown.tookMs >= 590);
    assert.deepEqual(shapeOf(joinKnown, known), shapeOf(joinUnknown, unknown));
  });

  it('refuses what pages of other origins send, and forms', async () => {
    const { browser } = await createMember((await createMerchant()).merchantId, 'owner');
    const other = { Origin: 'https://attacker.example' };
    for (const path of ['/auth/sign-out', '/api/v1/customers']) {
      assertStatus(await browser.post(path, {}, other), 403, 'FORBIDDEN');
      const fromNowhere = await fetch(`${dashboardOfStack().url}${path}`, { method: 'POST' });
      assert.equal(fromNowhere.status, 403);
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      assertStatus(await browser.post(path, {}, form), 400, 'INVALID_REQUEST');
    }
    assertStatus(await browser.get('/api/v1/me'), 200);
  });

  it('limits guesses of a password, also of who knows it then, and mails to one address', async () => {
    const email = newEmail();
    const browser = await signUp(email);
    for (let guess = 0; guess < 10; guess += 1) assert.equal((await signIn(browser, email, 'a wrong one')).status, 401);
    const refused = await signIn(browser, email);
    assertStatus(refused, 429, 'RATE_LIMIT_EXCEEDED');
    assert.ok(Number(refused.headers.get('retry-after')) > 60);
    // The sign-up was the first one.
    const victim = newEmail();
    const ask = () => browser.post('/auth/request-password-reset', { email: victim });
    assert.deepEqual(
      (await Promise.all(Array.from({ length: 6 }, ask))).map(({ status }) => status).sort(),
      [200, 200, 200, 200, 200, 429],
    );
  });

  it('sends no further mail because somebody signs in with an address that is not confirmed', async () => {
    const browser = new Browser();
    const email = newEmail();
    const person = { name: 'Person', email, password: PASSWORD, merchantName: 'Shop' };
    assertStatus(await browser.post('/auth/sign-up/email', person), 200);
    await linkInMail(email, 'Confirm');
    for (let tries = 0; tries < 3; tries += 1) assertStatus(await signIn(browser, email), 403, 'EMAIL_NOT_VERIFIED');
    assertStatus(await browser.post('/auth/send-verification-email', { email }), 200);
    await eventually(async () => assert.equal(await countMails(email), 2));
  });

  it('limits guesses of who has taken over a session, for that person alone', async () => {
    const email = newEmail();
    const browser = await signUp(email);
    await signIn(browser, email);
    const newPassword = 'tortoise ladder violet';
    const guesses = [
      () => browser.post('/auth/change-password', { currentPassword: 'a wrong password', newPassword }),
      () => browser.post('/auth/two-factor/enable', { password: 'a wrong password' }),
    ] as const;
    for (let guess = 0; guess < 5; guess += 1) {
      for (const send of guesses) assert.equal((await send()).status, 400);
    }
    const right = { currentPassword: PASSWORD, newPassword };
    const refused = await browser.post('/auth/change-password', right);
    assertStatus(refused, 429, 'RATE_LIMIT_EXCEEDED');
    assert.ok(Number(refused.headers.get('retry-after')) > 60);
    assertStatus(await browser.post('/auth/two-factor/enable', { password: PASSWORD }), 429, 'RATE_LIMIT_EXCEEDED');
    assertStatus(await browser.get('/api/v1/me'), 200);
    assertStatus(await signIn(new Browser(), email), 200);
    const other = await signUp(newEmail());
    assert.equal((await other.post('/auth/change-password', right)).status, 401, 'nobody is signed in there');
  });

  it('limits guesses from one network, whatever they guess, and lets others in', async () => {
    const dashboard = await startDashboard({ TRUST_PROXY: 'loopback' });
    try {
      const browser = new Browser(dashboard.url);
      const network = `2001:db8:${randomUUID().slice(0, 4)}:7`;
      const from = (host: string) => ({ 'X-Forwarded-For': host, 'X-Forwarded-Proto': 'https' });
      for (let guess = 0; guess < 100; guess += 1) {
        const answer = await browser.post('/auth/invitation', { token: randomUUID() }, from(`${network}::${guess}`));
        assertStatus(answer, 404, 'RESOURCE_NOT_FOUND');
      }
      const credentials = { email: newEmail(), password: PASSWORD };
      const refused = await browser.post('/auth/sign-in/email', credentials, from(`${network}:ffff::1`));
      assertStatus(refused, 429, 'RATE_LIMIT_EXCEEDED');
      const { status } = await browser.post('/auth/sign-in/email', credentials, from('192.0.2.77'));
      assert.equal(status, 401);
    } finally {
      await dashboard.stop();
    }
  });

  it('refuses an address that is over its limit of rejected requests, before it looks at a password', async () => {
    const dashboard = await startDashboard({
      TRUST_PROXY: 'loopback',
      RATE_LIMIT_UNAUTHENTICATED: '5',
      SIGN_UP: 'open',
    });
    try {
      const browser = new Browser(dashboard.url);
      const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
      const signUpFrom = (address: string, password: string) => {
        const person = { name: 'Person', email: newEmail(), password, merchantName: 'Shop' };
        return browser.post('/auth/sign-up/email', person, from(address));
      };
      for (let tries = 0; tries < 5; tries += 1) {
        assertStatus(await signUpFrom('192.0.2.5', 'password1234'), 422, 'VALIDATION_ERROR');
      }
      assertStatus(await signUpFrom('192.0.2.5', 'password1234'), 429, 'RATE_LIMIT_EXCEEDED');
      assertStatus(await signUpFrom('192.0.2.5', PASSWORD), 429, 'RATE_LIMIT_EXCEEDED');
      assertStatus(await browser.get('/auth/options', from('192.0.2.5')), 200);
      assertStatus(await signUpFrom('192.0.2.6', PASSWORD), 200);
    } finally {
      await dashboard.stop();
    }
  });

  it('takes no password that is easy to guess, and says why', async () => {
    const email = newEmail();
    const refused = await new Browser().post('/auth/sign-up/email', {
      name: 'Person',
      email,
      password: 'password1234',
      merchantName: 'Shop',
    });
    assertStatus(refused, 422, 'VALIDATION_ERROR');
    assert.match(refused.text, /much like a common password/);
    const browser = await signUp(email);
    await signIn(browser, email);
    const change = (newPassword: string, currentPassword = PASSWORD) =>
      browser.post('/auth/change-password', { currentPassword, newPassword });
    for (const weak of ['qwertyuiop12', email]) assertStatus(await change(weak), 422, 'VALIDATION_ERROR');
    await browser.post('/auth/request-password-reset', { email });
    const token = (await linkInMail(email, 'Choose another password')).searchParams.get('token');
    const reset = (newPassword: string) => new Browser().post('/auth/reset-password', { token, newPassword });
    assertStatus(await reset('aaaaaaaaaaaa'), 422, 'VALIDATION_ERROR');
    assertStatus(await reset('tortoise ladder violet'), 200);
  });

  it('refuses characters that the database can neither store nor look for', async () => {
    const browser = await signUp(newEmail());
    const person = { name: 'Person', email: newEmail(), password: PASSWORD, merchantName: 'Shop' };
    for (const [path, body] of [
      ['/auth/sign-up/email', { ...person, name: 'a\0' }],
      ['/auth/sign-up/email', { ...person, merchantName: 'a\0' }],
      ['/auth/create-merchant', { merchantName: 'a\0' }],
      ['/auth/revoke-session', { token: 'a\0' }],
      ['/auth/reset-password', { token: 'a\0', newPassword: PASSWORD }],
    ] as const) {
      assertStatus(await browser.post(path, body), 422, 'VALIDATION_ERROR');
    }
  });

  it('takes no name with a card number, or with characters that make it look like another', async () => {
    const browser = new Browser();
    const person = { name: 'Person', email: newEmail(), password: PASSWORD, merchantName: 'Shop' };
    for (const wrong of ['4242 4242 4242 4242', 'Shop\u202epohs', 'Sh\u200bop', 'Sh\u00adop', 'Shop\nInvoice']) {
      for (const member of ['name', 'merchantName']) {
        const refused = await browser.post('/auth/sign-up/email', { ...person, [member]: wrong });
        assertStatus(refused, 422, 'VALIDATION_ERROR');
      }
    }
    assertStatus(await browser.post('/auth/sign-up/email', { ...person, name: 'Zoë O’Neill-山田 👩‍💻' }), 200);
  });

  it('leads to no other site', async () => {
    const email = newEmail();
    const browser = await signUp(email);
    for (const callbackURL of ['https://attacker.example', '//attacker.example', '/\\attacker.example']) {
      const answer = await browser.post('/auth/sign-in/email', { email, password: PASSWORD, callbackURL });
      assert.equal(answer.status, 403, callbackURL);
      const link = await browser.get(`/auth/verify-email?token=x&callbackURL=${encodeURIComponent(callbackURL)}`);
      assert.equal(link.status, 403, callbackURL);
      assert.equal(link.headers.get('location'), null);
    }
  });

  it('resets a password by a link that works once, and ends all sessions', async () => {
    const email = newEmail();
    const browser = await signUp(email);
    await signIn(browser, email);
    const asking = new Browser();
    await asking.post('/auth/request-password-reset', { email });
    const token = (await linkInMail(email, 'Choose another password')).searchParams.get('token');
    const reset = (newPassword: string) => asking.post('/auth/reset-password', { token, newPassword });
    assert.equal((await reset('too short')).status, 400);
    assertStatus(await reset('another correct horse'), 200);
    assert.equal((await reset('a third correct horse')).status, 400);
    assertStatus(await browser.get('/api/v1/me'), 401, 'UNAUTHORIZED');
    assert.equal((await signIn(browser, email)).status, 401);
    assertStatus(await signIn(browser, email, 'another correct horse'), 200);
    const [stored] = await queryStack<{ identifier: string }>('SELECT identifier FROM person_verification LIMIT 1');
    assert.ok(!(stored?.identifier ?? '').includes(token ?? ''));
  });

  it('answers nothing of the library but what it needs', async () => {
    const { browser } = await createMember(null, 'owner');
    for (const path of ['/auth/ok', '/auth/error', '/auth/list-accounts', '/auth/reference']) {
      assertStatus(await browser.get(path), 404, 'RESOURCE_NOT_FOUND');
    }
    assertStatus(await browser.post('/auth/delete-user'), 404, 'RESOURCE_NOT_FOUND');
    assertStatus(await browser.post('/auth/update-user', { name: 'x'.repeat(100_000) }), 404, 'RESOURCE_NOT_FOUND');
    assertStatus(await browser.post('/auth/change-email', { newEmail: newEmail() }), 404, 'RESOURCE_NOT_FOUND');
  });

  it('sends headers that keep scripts and frames of others out', async () => {
    const page = await new Browser().get('/payments/pi_1');
    assert.equal(page.status, 200);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none';script-src 'self';style-src 'self' 'nonce-[\w+/=]+'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.ok(!policy.includes('unsafe-inline'));
    assert.equal(page.headers.get('x-frame-options'), 'DENY');
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.equal((await fetch(`${dashboardOfStack().url}/healthz`)).status, 200);
  });
});

describe('people at an OpenID provider', function () {
  this.timeout(2 * MINUTE_MS);
  let provider: OpenIdProvider;
  let dashboard: Awaited<ReturnType<typeof startDashboard>>;

  before(async () => {
    provider = await startOpenIdProvider();
    dashboard = await startDashboard({
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: 'secret',
    });
  });
  after(async () => {
    await dashboard?.stop();
    provider?.close();
  });

  /** @returns the person's browser, and where it was sent in the end */
  async function signInAs(claims: Readonly<Record<string, unknown>>) {
    const browser = new Browser(dashboard.url);
    const started = await browser.post('/auth/sign-in/social', { provider: 'oidc', callbackURL: '/' });
    const callback = provider.answer(new URL(String(started.data.url)), claims);
    const { headers } = await browser.get(`${callback.pathname}${callback.search}`);
    const location = new URL(headers.get('location') ?? '', dashboard.url);
    return { browser, location, me: await browser.get('/api/v1/me') };
  }

  it('are known by an e-mail address that the provider has verified', async () => {
    const known = await createMember((await createMerchant()).merchantId, 'finance');
    const { me } = await signInAs({ sub: randomUUID(), email: known.email, email_verified: true });
    assert.equal(me.data.role, 'finance');
    const stranger = await signInAs({ sub: randomUUID(), email: newEmail(), email_verified: true });
    assertStatus(stranger.me, 403, 'FORBIDDEN');
    const other = await createMember((await createMerchant()).merchantId, 'owner');
    for (const claim of [false, 'false', 0, null, undefined]) {
      const claims = { email: other.email, email_verified: claim, emailVerified: true };
      const refused = await signInAs({ sub: randomUUID(), ...claims });
      assertStatus(refused.me, 401, 'UNAUTHORIZED');
    }
  });

  it('get no account by an address that is not verified: it would be shared with the owner of the address', async () => {
    const email = newEmail();
    const stranger = { sub: randomUUID(), email, email_verified: false };
    const { browser, location } = await signInAs(stranger);
    assert.deepEqual([location.pathname, location.searchParams.get('error')], ['/sign-in', 'email_not_verified']);
    assert.equal((await browser.get('/auth/get-session')).text, 'null');
    assert.deepEqual(await queryStack('SELECT id FROM person WHERE email = $1', [email]), []);

    const owner = await signUp(email);
    assertStatus(await signIn(owner, email), 200);
    assertStatus((await signInAs(stranger)).me, 401, 'UNAUTHORIZED');
  });

  it('get no name that nobody may choose, but their address in its place', async () => {
    for (const name of ['A\u202eenoyna', '4242 4242 4242 4242', 'x'.repeat(10_000), 'a\0b', '', 7, undefined]) {
      const email = newEmail();
      await signInAs({ sub: randomUUID(), email, email_verified: true, name, picture: 'https://pages.example/p' });
      const people = await queryStack('SELECT name, image FROM person WHERE email = $1', [email]);
      assert.deepEqual(people, [{ name: email, image: null }], String(name).slice(0, 50));
    }
  });
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
      const expected = everything.filter(({ scope }) => !scopes.includes(scope)).map(nameOf);
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
    for (const scope of ['team:write', 'team:read', 'me:read', 'me:write']) {
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

  it('leave in the audit log what they give back, capture and cancel, once each', async () => {
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
    assertStatus(await browser.post('/auth/sign-up/email', { ...person, email }), 200);
    const link = await linkInMail(email, 'Confirm');
    const confirmed = await browser.get(`${link.pathname}${link.search}`);
    assert.equal(confirmed.headers.get('location'), `/invitation?token=${token}`);
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
});

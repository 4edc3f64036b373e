import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import {
  assertStatus,
  Browser,
  countMails,
  createMember,
  createStaff,
  dashboardOfStack,
  linkInMail,
  newEmail,
  PASSWORD,
  signIn,
  signUp,
  signedSession,
  subjectsTo,
  totpCode,
} from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant } from '../support/merchants.ts';
import { queryStack } from '../support/stack-database.ts';

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

  it('signs a person up and in whose e-mail address is beyond ASCII, and shows it as it is', async () => {
    const email = `mü${newEmail()}`;
    const browser = await signUp(email);
    assertStatus(await signIn(browser, email.toUpperCase()), 200);
    const session = JSON.parse((await browser.get('/auth/get-session')).text) as { user: { email: string } };
    assert.equal(session.user.email, email);
  });

  it('takes a code of an authenticator once, even in two sessions that begin at the same time', async () => {
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
    const browser = await signUp(email);
    assertStatus(await signIn(browser, email), 200);
    const enabled = await browser.post('/auth/two-factor/enable', { password: PASSWORD });
    const code = totpCode(String(enabled.data.totpURI));
    assertStatus(await browser.post('/auth/two-factor/verify-totp', { code }), 200);
    const begunWithFactor = (given: boolean) =>
      queryStack(
        'UPDATE person_session SET second_factor = $2 WHERE person_id = (SELECT id FROM person WHERE email = $1)',
        [email, given],
      );
    await begunWithFactor(false);
    for (const action of ['disable', 'generate-backup-codes']) {
      const path = `/auth/two-factor/${action}`;
      assertStatus(await browser.post(path, { password: PASSWORD }), 403, 'FORBIDDEN');
    }
    await begunWithFactor(true);
    assertStatus(await browser.post('/auth/two-factor/generate-backup-codes', { password: PASSWORD }), 200);
    assertStatus(await browser.post('/auth/two-factor/disable', { password: PASSWORD }), 200);
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

  it('ends a link to choose a password with a newer one, and with every change of the password', async () => {
    const email = newEmail();
    const browser = await signUp(email);
    await signIn(browser, email);
    const [oldest, older, newest] = [await askForReset(email), await askForReset(email), await askForReset(email)];
    const reset = (token: string, newPassword: string) => browser.post('/auth/reset-password', { token, newPassword });
    assert.equal((await reset(oldest, 'password of the oldest link')).status, 400);
    assert.equal((await reset(older, 'password of an older link')).status, 400);
    const passwords = { currentPassword: PASSWORD, newPassword: 'a password of the session' };
    assertStatus(await browser.post('/auth/change-password', passwords), 200);
    assert.equal((await reset(newest, 'password of the newest link')).status, 400);
    await eventually(async () => assert.ok((await subjectsTo(email)).includes('Your password was changed')));
  });

  it('confirms an address by the newest link only, as often as it is opened', async () => {
    const email = newEmail();
    const browser = new Browser();
    const person = { name: 'Person of a test', email, password: PASSWORD, merchantName: 'Shop of a test' };
    assertStatus(await browser.post('/auth/sign-up/email', person), 200);
    const first = await linkInMail(email, 'Confirm');
    const second = await eventually(async () => {
      assertStatus(await browser.post('/auth/send-verification-email', { email, callbackURL: '/sign-in' }), 200);
      const link = await linkInMail(email, 'Confirm');
      // A token of the same second is the same.
      assert.notEqual(link.searchParams.get('token'), first.searchParams.get('token'));
      return link;
    });
    const open = async ({ pathname, search }: URL) =>
      (await browser.get(`${pathname}${search}`)).headers.get('location');
    assert.match((await open(first)) ?? '', /error=INVALID_TOKEN/);
    assert.equal((await signIn(browser, email)).status, 403);
    assert.deepEqual([await open(second), await open(second)], ['/sign-in', '/sign-in']);
    assertStatus(await signIn(browser, email), 200);
  });

  it('forgets what a stranger typed for an address that was never confirmed', async () => {
    const email = newEmail();
    const stranger = {
      name: 'Stranger',
      email,
      password: 'the password of a stranger',
      merchantName: 'Shop of a stranger',
    };
    assertStatus(await new Browser().post('/auth/sign-up/email', stranger), 200);
    const linkOfStranger = await linkInMail(email, 'Confirm');
    const owner = { name: 'Owner', email, password: PASSWORD, merchantName: 'Shop of the owner' };
    const browser = new Browser();
    assertStatus(await browser.post('/auth/sign-up/email', owner), 200);
    let link = linkOfStranger;
    while (link.href === linkOfStranger.href) link = await linkInMail(email, 'Confirm');
    await browser.get(`${linkOfStranger.pathname}${linkOfStranger.search}`);
    assert.equal((await signIn(browser, email)).status, 403);
    await browser.get(`${link.pathname}${link.search}`);
    assert.equal((await signIn(new Browser(), email, stranger.password)).status, 401);
    assertStatus(await signIn(browser, email), 200);
    const [stored] = await queryStack('SELECT name, merchant_name FROM person WHERE email = $1', [email]);
    assert.deepEqual({ ...stored }, { name: owner.name, merchant_name: owner.merchantName });
  });

  it('ends a session a day after the sign-in however much it is used; that of staff after 8 hours, or half an hour without use', async () => {
    const cases = [
      [createMember(null, 'owner'), 'created_at', 23, 'open'],
      [createMember(null, 'owner'), 'created_at', 25, 'ended'],
      [createMember(null, 'owner'), 'last_used_at', 2, 'open'],
      [createStaff(), 'created_at', 7, 'open'],
      [createStaff(), 'created_at', 9, 'ended'],
      [createStaff(), 'last_used_at', 0.4, 'open'],
      [createStaff(), 'last_used_at', 0.6, 'ended'],
    ] as const;
    for (const [made, column, hours, state] of cases) {
      const { personId, browser } = await made;
      const age = `UPDATE person_session SET ${column} = now() - $2::float8 * interval '1 hour' WHERE person_id = $1`;
      await queryStack(age, [personId, hours]);
      const answers = [(await browser.get('/api/v1/me')).status, (await browser.get('/api/v1/platform/me')).status];
      assert.equal(answers.every((status) => status === 401) ? 'ended' : 'open', state, `${column} ${hours} h ago`);
      const session = await browser.get('/auth/get-session');
      assert.equal(session.text === 'null' ? 'ended' : 'open', state, session.text);
      const used = `SELECT last_used_at > now() - interval '1 minute' AS used FROM person_session WHERE person_id = $1`;
      assert.deepEqual(await queryStack(used, [personId]), state === 'open' ? [{ used: true }] : []);
    }
  });

  it('records sign-ins, failures, lock-outs, factors, sessions and passwords in the audit log of the team, with their origin', async () => {
    const email = newEmail();
    const browser = await signUp(email);
    const agent = { 'User-Agent': 'Browser of a test, with 4242424242424242' };
    const post = (path: string, body: object = {}) => browser.post(`/auth${path}`, body, agent);
    const other = 'another correct horse battery';
    await post('/sign-in/email', { email, password: 'wrong' });
    await post('/sign-in/email', { email, password: PASSWORD });
    const me = await browser.get('/api/v1/me');
    const { id: personId } = me.data.person as { id: string };
    await post('/change-password', { currentPassword: 'wrong', newPassword: other });
    await post('/change-password', { currentPassword: PASSWORD, newPassword: other, revokeOtherSessions: true });
    const { data } = await post('/two-factor/enable', { password: other });
    const uri = String(data.totpURI);
    await post('/two-factor/verify-totp', { code: totpCode(uri) });
    await post('/sign-out');
    await post('/sign-in/email', { email, password: other });
    await post('/two-factor/verify-totp', { code: '000000' });
    await post('/two-factor/verify-totp', { code: totpCode(uri) });
    await post('/two-factor/generate-backup-codes', { password: other });
    await post('/two-factor/disable', { password: other });
    await post('/request-password-reset', { email });
    const reset = (await linkInMail(email, 'password')).searchParams.get('token') ?? '';
    await post('/reset-password', { token: reset, newPassword: PASSWORD });
    const attacker = new Browser();
    for (let guess = 0; guess < 15; guess += 1) await signIn(attacker, email, 'wrong');

    const { browser: reader } = await createMember((me.data.merchant as { id: string }).id, 'developer');
    for (const environment of ['sandbox', 'production']) {
      const headers = { 'X-Environment': environment };
      const listed = await eventually(async () => {
        const answer = await reader.get(`/api/v1/audit-events?limit=100&resourceId=${personId}`, headers);
        assert.ok(answer.text.includes('team_member.locked_out'), answer.text);
        return answer;
      });
      assert.ok(!/4242424242424242|another correct|000000/.test(listed.text));
      const events = (JSON.parse(listed.text) as { data: AuditedSignIn[] }).data.toReversed();
      const inWords = events.map(({ action, actor, after }) =>
        [action.replace('team_member.', ''), actor.type, after?.method ?? after?.reason].filter(Boolean).join(' '),
      );
      const guesses = inWords.lastIndexOf('password_changed person');
      assert.deepEqual(
        inWords.slice(0, guesses + 1).filter((words) => !words.startsWith('joined')),
        [
          'sign_in_failed anonymous invalid_email_or_password',
          'signed_in person password',
          'sign_in_failed anonymous invalid_password',
          'password_changed person',
          'second_factor_enabled person',
          'session_ended person',
          'sign_in_failed anonymous invalid_code',
          'signed_in person authenticator',
          'recovery_codes_created person',
          'second_factor_disabled person',
          'password_reset_requested anonymous',
          'password_changed person',
        ],
      );
      assert.equal(inWords.filter((words) => words === 'locked_out anonymous too_many_attempts').length, 1);
      const [first] = events.filter(({ action }) => action === 'team_member.signed_in');
      assert.ok(first?.actor.type === 'person' && first.actor.id === personId && first.actor.address === '127.0.0.1');
      assert.equal(first?.after?.userAgent, 'Browser of a test, with [redacted]');
    }
  });

  it('ends the sessions that began with an earlier second factor when another one is turned on', async () => {
    const email = newEmail();
    const [browser, other] = [await signUp(email), new Browser()];
    await signIn(browser, email);
    const turnOn = async () => {
      const { data } = await browser.post('/auth/two-factor/enable', { password: PASSWORD });
      const uri = String(data.totpURI);
      assertStatus(await browser.post('/auth/two-factor/verify-totp', { code: totpCode(uri) }), 200);
      return uri;
    };
    const uri = await turnOn();
    await signIn(other, email);
    assertStatus(await other.post('/auth/two-factor/verify-totp', { code: totpCode(uri) }), 200);
    assertStatus(await browser.post('/auth/two-factor/disable', { password: PASSWORD }), 200);
    assertStatus(await other.get('/api/v1/me'), 200);
    await turnOn();
    assertStatus(await browser.get('/api/v1/me'), 200);
    assertStatus(await other.get('/api/v1/me'), 401, 'UNAUTHORIZED');
  });

  it('ends the sessions that began without the second factor when it is turned on, and tells the person', async () => {
    const email = newEmail();
    const [browser, other] = [await signUp(email), new Browser()];
    await signIn(browser, email);
    await signIn(other, email);
    const { data } = await browser.post('/auth/two-factor/enable', { password: PASSWORD });
    assertStatus(await other.get('/api/v1/me'), 200);
    assertStatus(await browser.post('/auth/two-factor/verify-totp', { code: totpCode(String(data.totpURI)) }), 200);
    assertStatus(await browser.get('/api/v1/me'), 200);
    assertStatus(await other.get('/api/v1/me'), 401, 'UNAUTHORIZED');
    await eventually(async () => assert.ok((await subjectsTo(email)).includes('Your second factor is on')));
  });

  it('asks a session that is not fresh for the password or a code, once, before what a thief of it would do', async () => {
    const email = newEmail();
    const browser = await signUp(email);
    assertStatus(await signIn(browser, email), 200);
    const age = () =>
      queryStack(
        `UPDATE person_session SET authenticated_at = now() - interval '11 minutes'
         WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
        [email],
      );
    const makeKey = () => browser.post('/api/v1/api-keys', { name: 'Key', scopes: ['customers:read'] });
    assertStatus(await makeKey(), 201);
    await age();
    assertStatus(await makeKey(), 403, 'FORBIDDEN');
    assertStatus(await browser.post('/api/v1/invitations', { email: newEmail(), role: 'owner' }), 403, 'FORBIDDEN');
    assertStatus(await browser.post('/api/v1/invitations', { email: newEmail(), role: 'support' }), 201);
    assertStatus(
      await browser.post('/auth/verify-password', { password: 'not the password' }),
      400,
      'INVALID_PASSWORD',
    );
    assertStatus(await makeKey(), 403, 'FORBIDDEN');
    assertStatus(await browser.post('/auth/verify-password', { password: PASSWORD }), 200);
    assertStatus(await makeKey(), 201);

    assertStatus(await browser.send('PUT', '/api/v1/team', { requireSecondFactor: true }), 409, 'STATE_CONFLICT');
    const enabled = await browser.post('/auth/two-factor/enable', { password: PASSWORD });
    const uri = String(enabled.data.totpURI);
    assertStatus(await browser.post('/auth/two-factor/verify-totp', { code: totpCode(uri) }), 200);
    await browser.post('/auth/sign-out');
    await signIn(browser, email);
    assertStatus(await browser.post('/auth/two-factor/verify-totp', { code: totpCode(uri) }), 200);
    await age();
    const code = totpCode(uri);
    assertStatus(await makeKey(), 403, 'FORBIDDEN');
    assertStatus(await browser.post('/auth/two-factor/verify-totp', { code }), 200);
    assertStatus(await makeKey(), 201);
    await age();
    assertStatus(await browser.post('/auth/two-factor/verify-totp', { code }), 401, 'UNAUTHORIZED');
    assertStatus(await makeKey(), 403, 'FORBIDDEN');
  });

  it('refuses people without a second factor once their team demands one, and tells who is removed', async () => {
    const { merchantId } = await createMerchant();
    const [head, member] = [await createMember(merchantId, 'owner'), await createMember(merchantId, 'owner')];
    await queryStack('UPDATE person SET two_factor_enabled = true WHERE id = $1', [head.personId]);
    await queryStack('UPDATE person_session SET second_factor = true WHERE person_id = $1', [head.personId]);
    assertStatus(await member.browser.get('/api/v1/me'), 200);
    assertStatus(await head.browser.send('PUT', '/api/v1/team', { requireSecondFactor: true }), 200);
    const refused = await member.browser.get('/api/v1/me');
    assertStatus(refused, 403, 'FORBIDDEN');
    assert.match(refused.text, /second_factor_not_set_up/);
    assertStatus(await head.browser.get('/api/v1/me'), 200);
    assertStatus(await head.browser.send('DELETE', `/api/v1/team-members/${member.personId}`), 200);
    await eventually(async () => assert.deepEqual(await subjectsTo(member.email), ['You are no longer in your team']));
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

interface AuditedSignIn {
  readonly action: string;
  readonly actor: { readonly type: string; readonly id: string; readonly address: string };
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Asks for a link to choose another password. @returns its token */
async function askForReset(email: string): Promise<string> {
  const before = await countMails(email);
  assertStatus(await new Browser().post('/auth/request-password-reset', { email }), 200);
  return eventually(async () => {
    assert.equal(await countMails(email), before + 1);
    return (await linkInMail(email, 'Choose another password')).searchParams.get('token') ?? '';
  });
}

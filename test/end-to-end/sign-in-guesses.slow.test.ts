import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import {
  assertStatus,
  Browser,
  type BrowserAnswer,
  countMails,
  createMember,
  linkInMail,
  newEmail,
  PASSWORD,
  startDashboard,
  signIn,
  signUp,
} from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant } from '../support/merchants.ts';
import { queryStack } from '../support/stack-database.ts';

describe('guesses at the dashboard', function () {
  this.timeout(2 * MINUTE_MS);

  it('gives the same answers in the same time, whether it knows an e-mail address or not', async () => {
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

  beforeEach('forget what else was tried from this network', () =>
    queryStack(`DELETE FROM rate_limit WHERE key LIKE 'sign-in-address:%'`),
  );

  it('limits guesses of a password, even a right one after them, and mails to one address', async () => {
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

  it('lets nobody who only knows an address shut out a browser that has signed in with it before', async () => {
    const email = newEmail();
    const known = await signUp(email);
    assertStatus(await signIn(known, email), 200);
    assertStatus(await known.post('/auth/sign-out'), 200);
    const stranger = new Browser();
    for (let guess = 0; guess < 10; guess += 1)
      assert.equal((await signIn(stranger, email, 'a wrong one')).status, 401);
    assertStatus(await signIn(new Browser(), email), 429, 'RATE_LIMIT_EXCEEDED');
    assertStatus(await signIn(known, email), 200);
    // A known browser guesses no more than others, and is known for no other address.
    for (let guess = 0; guess < 10; guess += 1) assert.equal((await signIn(known, email, 'a wrong one')).status, 401);
    assertStatus(await signIn(known, email), 429, 'RATE_LIMIT_EXCEEDED');
    const other = newEmail();
    for (let guess = 0; guess < 10; guess += 1)
      assert.equal((await signIn(stranger, other, 'a wrong one')).status, 401);
    assertStatus(await signIn(known, other), 429, 'RATE_LIMIT_EXCEEDED');
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

  it('limits guesses of somebody who has taken over a session, for that person alone', async () => {
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
      // Of all networks that one subscriber has, see `callersOfAddress`.
      const subscriber = `2001:db8:${randomUUID().slice(0, 4)}`;
      const hostOf = (network: number) => `${subscriber}:${network.toString(16)}::1`;
      const from = (host: string) => ({ 'X-Forwarded-For': host, 'X-Forwarded-Proto': 'https' });
      for (let guess = 0; guess < 100; guess += 1) {
        const answer = await browser.post('/auth/invitation', { token: randomUUID() }, from(hostOf(guess)));
        assertStatus(answer, 404, 'RESOURCE_NOT_FOUND');
      }
      const credentials = { email: newEmail(), password: PASSWORD };
      const refused = await browser.post('/auth/sign-in/email', credentials, from(hostOf(255)));
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
});

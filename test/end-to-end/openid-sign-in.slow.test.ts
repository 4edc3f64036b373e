import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertStatus, Browser, createMember, newEmail, startDashboard, signIn, signUp } from '../support/dashboard.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { createMerchant } from '../support/merchants.ts';
import { queryStack } from '../support/stack-database.ts';

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
  async function signInAs(claims: Readonly<Record<string, unknown>>, issuer?: string) {
    const browser = new Browser(dashboard.url);
    const started = await browser.post('/auth/sign-in/social', { provider: 'oidc', callbackURL: '/' });
    const callback = provider.answer(new URL(String(started.data.url)), claims, issuer);
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

  it('are known by their address, whatever subject the provider gives it to', async () => {
    const email = newEmail();
    for (const time of ['first', 'second']) {
      const { browser } = await signInAs({ sub: randomUUID(), email, email_verified: true });
      assert.match((await browser.get('/auth/get-session')).text, /"session"/, time);
    }
    assert.equal((await queryStack('SELECT id FROM person WHERE email = $1', [email])).length, 1);
  });

  it('are refused where the response or the ID token is of another issuer, or the ID token names none', async () => {
    const other = 'https://other.example';
    const claims = { sub: randomUUID(), email: newEmail(), email_verified: true };
    for (const refused of [
      await signInAs(claims, other),
      await signInAs({ ...claims, iss: other }, provider.url),
      await signInAs({ ...claims, iss: undefined }, provider.url),
    ]) {
      assert.equal(refused.location.pathname, '/sign-in');
      assertStatus(refused.me, 401, 'UNAUTHORIZED');
    }
    assertStatus((await signInAs(claims, provider.url)).me, 403, 'FORBIDDEN');
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

  it('leave no token of the provider in the database that could be used', async () => {
    const person = { sub: randomUUID(), email: newEmail(), email_verified: true };
    for (const time of ['first', 'second']) {
      await signInAs(person);
      const [row] = await queryStack<{ access_token: string; id_token: string | null }>(
        'SELECT access_token, id_token FROM person_sign_in WHERE account_id = $1',
        [person.sub],
      );
      assert.equal(row?.id_token, null, time);
      assert.notEqual(row?.access_token, 'token', time);
    }
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

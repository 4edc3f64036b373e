import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { SOCKET_EVENT_NAMES } from '../../domain/events.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { startApi, startGatewayProcess } from '../support/api-process.ts';
import { eventually, inTime } from '../support/eventually.ts';
import { connectSigned, followAccount, followPayment, type Follower, socketUrl } from '../support/follow-account.ts';
import { createAccount, createKey, createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment, PREFER_ASYNC } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { connectSocket } from '../support/socket-client.ts';
import { queryStack } from '../support/stack-database.ts';

const PAYMENTS = 12;
const KILLED_AFTER = 4;

describe('gateway processes', function () {
  this.timeout(4 * MINUTE_MS);
  let gateways: readonly ServerProcess[];
  let merchant: TestMerchant;

  before(async () => {
    gateways = await Promise.all([1, 2].map(() => startGatewayProcess({ RATE_LIMIT_UNAUTHENTICATED: '1000' })));
    merchant = await createMerchant();
  });
  after(async () => {
    await Promise.all((gateways ?? []).map((gateway) => gateway.stop()));
  });

  const baseUrls = (): readonly string[] => gateways.map(({ baseUrl }) => baseUrl);
  const survivor = (): string => baseUrls()[1] ?? '';

  it('answer health probes and socket requests, and nothing else', async () => {
    const ask = async (path: string) => {
      const response = await fetch(`${survivor()}${path}`);
      return { status: response.status, body: await response.json() };
    };
    assert.deepEqual(await ask('/healthz'), { status: 200, body: { success: true, data: { status: 'ok' } } });
    const ready = { success: true, data: { status: 'ok', database: 'ok' } };
    await eventually(async () => assert.deepEqual(await ask('/readyz'), { status: 200, body: ready }));
    assert.equal((await ask('/api/v1/payment-intents')).status, 404);
    assert.equal((await ask('/HEALTHZ')).status, 404);
  });

  it('neither lose nor repeat events when one of them is killed during payments', async () => {
    const follower = await followAccount(baseUrls(), merchant.credentials);
    const pages: { readonly intent: string; readonly page: Follower }[] = [];
    for (let count = 0; count < PAYMENTS; count += 1) {
      const payment = await createPayment({}, merchant.credentials);
      const page = await followPayment(
        baseUrls().slice(gateways[0]?.isRunning() === true ? count % 2 : 1),
        payment.created.clientSecret,
      );
      pages.push({ intent: payment.id, page });
      await payment.confirm(card(count % 3 === 2 ? 'declined' : 'approved'), PREFER_ASYNC);
      if (count === KILLED_AFTER) await gateways[0]?.kill();
    }
    const delivered = await eventually(async () => {
      const events = await eventsOf(merchant.merchantAccountId);
      const outcomes = events.filter(({ type }) => /succeeded|payment_failed/.test(type));
      assert.equal(outcomes.length, PAYMENTS);
      assert.deepEqual(
        follower.frames.map(({ id }) => id),
        events.map(({ id }) => id),
      );
      return events;
    });
    assert.deepEqual(follower.complaints, []);
    assert.equal(follower.connections, 2, 'one before the kill and one after it');
    for (const { intent, page } of pages) {
      const expected = delivered.filter(
        ({ payment_intent_id: id, type }) => id === intent && SOCKET_EVENT_NAMES[type] !== undefined,
      );
      await eventually(async () =>
        assert.deepEqual(
          page.frames.map(({ id }) => id),
          expected.map(({ id }) => id),
        ),
      );
      assert.deepEqual(page.complaints, []);
    }
    await Promise.all([follower, ...pages.map(({ page }) => page)].map((each) => each.end()));
  });

  interface EventOfAccount {
    readonly id: string;
    readonly type: keyof typeof SOCKET_EVENT_NAMES;
    readonly payment_intent_id: string;
  }

  function eventsOf(account: string): Promise<EventOfAccount[]> {
    return queryStack<EventOfAccount>(
      'SELECT id, type, payment_intent_id FROM event WHERE merchant_account_id = $1 ORDER BY sequence',
      [account],
    );
  }

  it('accept signed requests as REST does, and count them for the key', async () => {
    const { credentials, apiKeyId } = await createKey(merchant, 'sandbox');
    await createPayment({}, credentials);
    const client = await connectSigned(survivor(), credentials);
    client.send({ type: 'subscribe' });
    const { type, status, merchantId } = await client.next();
    assert.deepEqual(
      { type, status, merchantId },
      { type: 'ready', status: 'active', merchantId: merchant.merchantAccountId },
    );
    const [limit] = await queryStack('SELECT points FROM rate_limit WHERE key = $1', [`sandbox:${apiKeyId}`]);
    assert.equal(limit?.['points'], 2);
    await client.close();
  });

  it('reject requests that REST would reject', async () => {
    const { credentials } = merchant;
    const [{ merchantAccountId: foreign }, suspended] = [await createMerchant(), await createMerchant()];
    await queryStack(`UPDATE merchant_account SET status = 'suspended' WHERE id = $1`, [suspended.merchantAccountId]);
    const without = await createAccount(merchant.merchantId, 'sandbox', ['transactions:read']);
    const revoked = await createKey(merchant, 'sandbox', { revokedAt: new Date() });
    const elsewhere = await createKey(merchant, 'sandbox', { ipAllowlist: ['192.0.2.1'] });
    const { created } = await createPayment({}, credentials);
    const page = created.clientSecret.slice(0, -24);
    const cases: readonly (readonly [number, Credentials, Readonly<Record<string, string>>?])[] = [
      [401, { ...credentials, apiKey: 'svc_test_unknown_to_all' }],
      [401, { ...credentials, secretSalt: 'wrong' }],
      [401, credentials, { 'X-Timestamp': '2026-01-01T00:00:00Z' }],
      [401, credentials, { Authorization: `Bearer ${page}` }],
      [401, revoked.credentials],
      [403, elsewhere.credentials],
      [403, credentials, { 'X-Merchant-ID': foreign }],
      [403, suspended.credentials],
      [403, without.credentials],
    ];
    for (const [index, [status, key, headers]] of cases.entries()) {
      await assert.rejects(connectSigned(survivor(), key, headers), new RegExp(String(status)), `case ${index}`);
    }
  });

  it('close the sockets with 4403 when their key is revoked or their account suspended', async () => {
    const { merchantAccountId, apiKeyId, credentials } = await createMerchant();
    const spare = await createKey(
      { merchantId: merchant.merchantId, merchantAccountId: merchant.merchantAccountId },
      'sandbox',
    );
    const [kept, lost] = [
      await connectSigned(survivor(), spare.credentials),
      await connectSigned(survivor(), credentials),
    ];
    for (const client of [kept, lost]) {
      client.send({ type: 'subscribe' });
      await client.next();
    }
    await queryStack('UPDATE api_key SET revoked_at = now() WHERE id = $1', [apiKeyId]);
    assert.equal(await inTime(lost.closed, 'the close'), 4403);
    assert.equal(kept.socket.readyState, kept.socket.OPEN);
    await queryStack(`UPDATE merchant_account SET status = 'suspended' WHERE id = $1`, [merchant.merchantAccountId]);
    assert.equal(await inTime(kept.closed, 'the close'), 4403);
    assert.notEqual(merchantAccountId, merchant.merchantAccountId);
    await queryStack(`UPDATE merchant_account SET status = 'active' WHERE id = $1`, [merchant.merchantAccountId]);
  });

  it('enforce the limit of an address for unknown client secrets', async () => {
    const strict = await startGatewayProcess({ RATE_LIMIT_UNAUTHENTICATED: '2', TRUST_PROXY: 'loopback' });
    const guess = async (): Promise<number> => {
      const client = await connectSocket(socketUrl(strict.baseUrl), {
        headers: { 'X-Forwarded-For': '198.51.100.77' },
      });
      client.send({ type: 'subscribe', clientSecret: 'pi_guess_secret_guess' });
      return client.closed;
    };
    assert.deepEqual([await guess(), await guess(), await guess()], [4401, 4401, 1013]);
    assert.equal(await strict.stop(), 0);
  });

  it('close sockets with 1012 at shutdown, and exit with code 0', async () => {
    const merchantSocket = await connectSigned(survivor(), merchant.credentials);
    const page = await connectSocket(socketUrl(survivor()));
    assert.equal(await gateways[1]?.stop(), 0);
    assert.deepEqual(await Promise.all([merchantSocket.closed, page.closed]), [1012, 1012]);
  });

  it('run beside an API without sockets, which serves REST as before', async () => {
    const api = await startApi({ GATEWAY_IN_API: 'false' });
    await eventually(async () => assert.equal((await fetch(`${api.baseUrl}/readyz`)).status, 200));
    await assert.rejects(connectSocket(socketUrl(api.baseUrl)), /400/);
    await assert.rejects(connectSigned(api.baseUrl, merchant.credentials), /400/);
    assert.equal(await api.stop(), 0);
  });
});

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { sequenceEvents } from '../../../worker/jobs/event-sequencer.ts';
import type { SocketPrincipal } from '../../../gateway/socket-authentication.ts';
import type { ShareUsage } from '../../../metrics/server-metrics.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { insertEvent, insertMerchantAccount, insertPaymentIntent } from '../../support/payment-rows.ts';
import { type RunningGateway, startGateway, takeFrames, takeIds, UNGUARDED } from '../../support/running-gateway.ts';

/** More than are read at once. */
const MANY = 450;

describe('sockets of merchants', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let gateway: RunningGateway;
  let account: string;
  let intent: string;

  before(async () => {
    test = await createTestDatabase();
    gateway = await startGateway(test);
  });
  after(async () => {
    await gateway.stop();
    await test.close();
  });
  beforeEach(async () => {
    account = await insertMerchantAccount(test.database);
    intent = await insertPaymentIntent(test.database, account);
  });
  const others: RunningGateway[] = [];
  afterEach(() => Promise.all(others.splice(0).map((other) => other.stop())));

  const addEvent = (type = 'payment_intent.processing'): Promise<string> =>
    insertEvent(test.database, { merchantAccountId: account, paymentIntentId: intent, type });

  async function addMany(): Promise<void> {
    await test.database.$executeRaw`
      INSERT INTO event (id, merchant_account_id, environment, type, resource_id, payment_intent_id, version, snapshot, created_at)
      SELECT ${account} || '_' || n, ${account}, 'sandbox', 'payment_intent.processing', ${intent}, ${intent}, 1, '{}', now()
      FROM generate_series(1, ${MANY}::int) n`;
    while ((await sequenceEvents(test.database)) > 0) continue;
  }

  it('receive every event of the account in order, and none of another account', async () => {
    const known = await addEvent('payment_intent.created');
    await sequenceEvents(test.database);
    const client = await gateway.watchAccount(account);
    assert.deepEqual(await client.next(), {
      type: 'ready',
      status: 'active',
      merchantId: account,
      lastEventId: known,
    });
    const stranger = await insertMerchantAccount(test.database);
    const foreign = await insertPaymentIntent(test.database, stranger);
    await insertEvent(test.database, { merchantAccountId: stranger, paymentIntentId: foreign });
    const ids = [await addEvent('payment_intent.created'), await addEvent(), await addEvent('transaction.created')];
    await sequenceEvents(test.database);
    const frames = await takeFrames(client, 3);
    assert.deepEqual(
      frames.map(({ event, id, sequence }) => [event, id, sequence]),
      [
        ['payment-created', ids[0], 2],
        ['payment-processing', ids[1], 3],
        ['transaction-created', ids[2], 4],
      ],
    );
  });

  it('need no first frame to receive events from now on', async () => {
    const other = await startGateway(test, { limits: { subscribeSignedAfterMs: 10 } });
    others.push(other);
    const client = await other.connect({ headers: { Authorization: account } });
    assert.equal((await client.next())['type'], 'ready');
    const id = await addEvent();
    await sequenceEvents(test.database);
    assert.equal((await client.next())['id'], id);
  });

  it('resume after an old cursor during new events, without gap or repetition', async () => {
    const first = await addEvent();
    await addMany();
    const writing = (async () => {
      for (let count = 0; count < 30; count += 1) {
        await addEvent();
        await sequenceEvents(test.database);
      }
    })();
    const client = await gateway.watchAccount(account, first);
    assert.deepEqual(await client.next(), { type: 'ready', status: 'active', merchantId: account, lastEventId: first });
    const frames = await takeFrames(client, MANY + 30);
    await writing;
    assert.deepEqual(
      frames.map(({ sequence }) => sequence),
      frames.map((_frame, index) => index + 2),
    );
  });

  it('receive missed events in turns with other accounts, one page of an account at a time', async () => {
    const shares = new Map<string, () => ShareUsage>();
    const metrics = {
      ...UNGUARDED.metrics,
      watchShare: (of: string, read: () => ShareUsage) => void shares.set(of, read),
    };
    const limits = { replays: { atOnce: 1, ofOne: 1 }, replayTurnMs: 300 };
    const sharing = await startGateway(test, { limits, metrics });
    others.push(sharing);
    const first = await addEvent();
    await addMany();
    const busy = await Promise.all([1, 2, 3].map(() => sharing.watchAccount(account, first)));
    await busy[0]?.next();
    account = await insertMerchantAccount(test.database);
    intent = await insertPaymentIntent(test.database, account);
    const [known, missed] = [await addEvent(), await addEvent()];
    await sequenceEvents(test.database);
    const client = await sharing.watchAccount(account, known);
    await client.next();
    assert.deepEqual(await takeIds(client, 1), [missed]);
    // Each of the three needs three pages at least, of which some still wait.
    assert.deepEqual(shares.get('replays')?.(), { byAll: 1, byOne: 1 });
  });

  it('receive missed events no faster than the client reads', async () => {
    const other = await startGateway(test, { limits: { maximumUnsentBytes: 1_000 } });
    others.push(other);
    const first = await addEvent();
    await addMany();
    const client = await other.watchAccount(account, first);
    await client.next();
    client.socket.pause();
    await addEvent();
    await sequenceEvents(test.database);
    client.socket.resume();
    assert.equal((await takeFrames(client, MANY + 1)).at(-1)?.['sequence'], MANY + 2);
  });

  it('receive an error if a cursor is too old, unknown or of another account, and continue from now', async () => {
    const stranger = await insertMerchantAccount(test.database);
    const foreign = await insertEvent(test.database, {
      merchantAccountId: stranger,
      paymentIntentId: await insertPaymentIntent(test.database, stranger),
    });
    const newest = await addEvent();
    await sequenceEvents(test.database);
    const unnumbered = await addEvent();
    for (const cursor of ['evt_gone', foreign, unnumbered]) {
      const client = await gateway.watchAccount(account, cursor);
      const error = await client.next();
      assert.deepEqual([error['type'], error['code'], error['after']], ['error', 'CURSOR_TOO_OLD', cursor]);
      assert.equal((await client.next())['lastEventId'], newest);
      await client.close();
    }
  });

  it('are closed for secrets in the frame of a signed socket, and for second frames', async () => {
    const both = await gateway.connect({ headers: { Authorization: account } });
    both.send({ type: 'subscribe', clientSecret: 'secret' });
    assert.equal(await both.closed, 4400);
    const twice = await gateway.watchAccount(account);
    await twice.next();
    twice.send({ type: 'subscribe' });
    assert.equal(await twice.closed, 4400);
  });

  it('are closed with 4403 when their API key becomes invalid, and only then', async () => {
    const revoked = new Set<string>();
    const findRevoked = async (principals: readonly SocketPrincipal[]) =>
      principals.filter(({ merchantAccountId }) => revoked.has(merchantAccountId));
    const isSigned = () => true;
    const authenticate = async ({ headers: { authorization: merchantAccountId = '' } }: IncomingMessage) => ({
      principal: { apiKeyId: 'key_1', merchantAccountId, address: '127.0.0.1' },
      headers: {},
    });
    const other = await startGateway(test, {
      accounts: { isSigned, authenticate: authenticate, findRevoked: findRevoked },
      limits: { checkRevocationsEveryMs: 20 },
    });
    others.push(other);
    const kept = await other.watchAccount(await insertMerchantAccount(test.database));
    const lost = await other.watchAccount(account);
    await Promise.all([kept.next(), lost.next()]);
    revoked.add(account);
    assert.equal(await lost.closed, 4403);
    assert.ok(kept.socket.readyState === kept.socket.OPEN);
  });

  it('are limited in number for each account', async () => {
    const other = await startGateway(test, { limits: { maximumSubscribersPerAccount: 1 } });
    others.push(other);
    const first = await other.watchAccount(account);
    await first.next();
    const id = await addEvent();
    await sequenceEvents(test.database);
    assert.deepEqual(await takeIds(first, 1), [id]);
    assert.equal(await (await other.watchAccount(account)).closed, 1013);
  });
});

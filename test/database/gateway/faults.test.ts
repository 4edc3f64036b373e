import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, before, describe, it } from 'mocha';
import { sequenceEvents } from '../../../worker/jobs/event-sequencer.ts';
import { purge } from '../../../worker/jobs/purge.ts';
import { newId } from '../../../domain/new-id.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { createOriginRule } from '../../../gateway/upgrade.ts';
import { type FaultProxy, openFaultProxy } from '../../../chaos/engine/fault-proxy.ts';
import { runStatement, useTestDatabase } from '../../support/database.ts';
import { insertEvent, insertMerchantAccount, type NewEventRow } from '../../support/payment-rows.ts';
import { insertWatchedIntent, type RunningGateway, startGateway, takeIds } from '../../support/running-gateway.ts';
import { eventually, inTime } from '../../support/eventually.ts';
import { connectSocket } from '../../support/socket-client.ts';
import { EVENTS_SOCKET_PATH } from '../../../gateway/attach-gateway.ts';
import { insertWebhookEndpoint } from '../../support/webhook-rows.ts';

const RETENTION = {
  eventsDays: 30,
  providerEventsDays: 30,
  paymentsDays: 2_555,
  auditEventsDays: 400,
  requestsDays: 7,
  savedCardsUnusedDays: 730,
};

/** Long enough that a client on a busy machine answers in time. */
const PING_EVERY_MS = 1_000;

describe('gateways under faults', function () {
  this.timeout(60_000);
  const test = useTestDatabase();
  let account: string;
  const running: RunningGateway[] = [];
  const lines: FaultProxy[] = [];

  before(async () => {
    account = await insertMerchantAccount(test.database);
  });
  afterEach(async () => {
    await Promise.all(lines.splice(0).map((line) => line.close()));
    await Promise.all(running.splice(0).map((gateway) => gateway.stop()));
  });

  async function start(...[overrides]: [Parameters<typeof startGateway>[1]?]): Promise<RunningGateway> {
    const gateway = await startGateway(test, overrides);
    running.push(gateway);
    return gateway;
  }

  const addEvent = (intent: string, rest: Partial<NewEventRow> = {}): Promise<string> =>
    insertEvent(test.database, { merchantAccountId: account, paymentIntentId: intent, ...rest });

  const number = (): Promise<number> => sequenceEvents(test.database);

  /** After `ready`, a merchant's subscription reads the database twice more: once two events came, it is done with that. */
  async function haveReadAll(clients: readonly Parameters<typeof takeIds>[0][], intent: string): Promise<void> {
    for (let count = 0; count < 2; count += 1) {
      const id = await addEvent(intent);
      await number();
      for (const client of clients) assert.deepEqual(await takeIds(client, 1), [id]);
    }
  }

  it('send all events in order to every client of each, and let a client resume at another gateway', async () => {
    const [one, two] = [await start(), await start()];
    const { intent, clientSecret } = await insertWatchedIntent(test, account);
    const ids = [await addEvent(intent)];
    await number();
    const pages = [await one.watch(clientSecret), await two.watch(clientSecret)];
    const merchants = [await one.watchAccount(account), await two.watchAccount(account)];
    const clients = [...pages, ...merchants];
    await Promise.all(clients.map((client) => client.next()));
    for (let count = 0; count < 20; count += 1) {
      ids.push(await addEvent(intent));
      await number();
    }
    for (const client of clients) assert.deepEqual(await takeIds(client, 20), ids.slice(1));

    await one.stop();
    ids.push(await addEvent(intent), await addEvent(intent));
    await number();
    for (const resumed of [await two.watch(clientSecret, ids[20]), await two.watchAccount(account, ids[20])]) {
      assert.equal((await resumed.next())['type'], 'ready');
      assert.deepEqual(await takeIds(resumed, 2), ids.slice(21));
    }
  });

  it('send events of a server with another style of dates', async () => {
    const name = new URL(test.url).pathname.slice(1);
    await runStatement(test.url, `ALTER DATABASE ${name} SET datestyle = 'SQL, DMY'`);
    try {
      const gateway = await start();
      const { intent, clientSecret } = await insertWatchedIntent(test, account);
      const client = await gateway.watch(clientSecret);
      await client.next();
      const id = await addEvent(intent);
      await number();
      assert.deepEqual(await takeIds(client, 1), [id]);
    } finally {
      await runStatement(test.url, `ALTER DATABASE ${name} RESET datestyle`);
    }
  });

  it('continue without a gap after a restart of the database server', async () => {
    const gateways = [await start(), await start()];
    const { intent, clientSecret } = await insertWatchedIntent(test, account);
    const subscribing = gateways.flatMap((gateway) => [gateway.watch(clientSecret), gateway.watchAccount(account)]);
    const clients = await Promise.all(subscribing);
    await Promise.all(clients.map((client) => client.next()));
    // A restart would end a subscription that still reads, as it should.
    await haveReadAll(clients, intent);
    const ids = [await addEvent(intent)];
    await test.restartServer();
    ids.push(await addEvent(intent), await addEvent(intent));
    await number();
    for (const client of clients) assert.deepEqual(await takeIds(client, 3), ids);
    for (const client of clients) assert.equal(client.socket.readyState, client.socket.OPEN);
  });

  for (const [when, following] of [
    ['before others follow', 0],
    ['also if as many have followed', 4],
  ] as const) {
    it(`close their sockets if the database has lost events, ${when}, so that clients miss none`, async () => {
      const line = await openFaultProxy(Number(new URL(test.url).port));
      lines.push(line);
      const databaseUrl = new URL(test.url);
      databaseUrl.port = String(line.port);
      const gateway = await start({ databaseUrl: String(databaseUrl) });
      const { intent, clientSecret } = await insertWatchedIntent(test, account);
      const clients = [await gateway.watch(clientSecret), await gateway.watchAccount(account)];
      await Promise.all(clients.map((client) => client.next()));
      const lost = [await addEvent(intent), await addEvent(intent), await addEvent(intent)];
      await number();
      for (const client of clients) assert.deepEqual(await takeIds(client, 3), lost);

      line.refuse();
      await test.database.event.deleteMany({ where: { id: { in: lost } } });
      await test.database
        .$executeRaw`UPDATE event_counter SET last_value = last_value - 3 WHERE scope IN ('*', ${account})`;
      for (let count = 0; count < following; count += 1) await addEvent(intent);
      await number();
      line.heal();

      for (const client of clients) assert.equal(await inTime(client.closed, 'the close'), 1012);
      const again = [await gateway.watch(clientSecret), await gateway.watchAccount(account)];
      await Promise.all(again.map((client) => client.next()));
      const next = await addEvent(intent);
      await number();
      for (const client of again) assert.deepEqual(await takeIds(client, 1), [next]);
    });
  }

  it('skip an event that cannot be read, and send those after it', async () => {
    const gateway = await start();
    const { intent, clientSecret } = await insertWatchedIntent(test, account);
    // While it still connects after the tests before, the gateway tells clients to try again later.
    const clients = await eventually(async () => {
      const opened = [await gateway.watch(clientSecret), await gateway.watchAccount(account)];
      await Promise.all(opened.map((client) => client.next()));
      return opened;
    });
    // An event that cannot be read would end a subscription that still reads, which then begins again.
    await haveReadAll(clients, intent);
    const unreadable = await addEvent(intent);
    await test.database.$executeRaw`UPDATE event SET created_at = 'infinity' WHERE id = ${unreadable}`;
    const ids = [await addEvent(intent), await addEvent(intent)];
    await number();
    for (const client of clients) assert.deepEqual(await takeIds(client, 2), ids);
    await test.database.$executeRaw`UPDATE event SET created_at = now() WHERE id = ${unreadable}`;
  });

  it('reject clients with 1013 while the database is unavailable, and accept them afterwards', async () => {
    const gateway = await start();
    const { clientSecret } = await insertWatchedIntent(test, account);
    const client = await gateway.connect();
    const restarting = test.restartServer();
    await wait(50);
    client.send({ type: 'subscribe', clientSecret });
    const first = await Promise.race([client.closed, client.next().catch(() => client.closed)]);
    assert.ok(first === 1013 || (typeof first === 'object' && first['type'] === 'ready'), JSON.stringify(first));
    await restarting;
    assert.equal((await (await gateway.watch(clientSecret)).next())['type'], 'ready');
  });

  it('let a client resume whose connection broke without a close, and drop the broken one', async () => {
    const gateway = await start({ limits: { maximumSubscribersPerIntent: 1 } });
    const line = await openFaultProxy(gateway.port);
    lines.push(line);
    const { intent, clientSecret } = await insertWatchedIntent(test, account);
    const seen: unknown[] = [];
    const ids: string[] = [];
    let last: string | undefined;
    for (let round = 0; round < 4; round += 1) {
      const client = await connectSocket(`ws://127.0.0.1:${line.port}${EVENTS_SOCKET_PATH}`);
      client.send({ type: 'subscribe', clientSecret, after: last });
      const ready = await client.next();
      assert.equal(ready['type'], 'ready');
      for (let count = 0; count < 3; count += 1) ids.push(await addEvent(intent));
      await number();
      seen.push(...(await takeIds(client, ids.length - seen.length)));
      last = String(seen.at(-1));
      line.cut();
      assert.equal(await client.closed, 1006);
      ids.push(await addEvent(intent));
      await number();
    }
    assert.deepEqual(seen, ids.slice(0, seen.length));
  });

  it('detect a silent connection by its heartbeat', async () => {
    const gateway = await start({ limits: { pingEveryMs: PING_EVERY_MS, maximumConnections: 1 } });
    const line = await openFaultProxy(gateway.port);
    lines.push(line);
    const { clientSecret } = await insertWatchedIntent(test, account);
    const silent = await connectSocket(`ws://127.0.0.1:${line.port}${EVENTS_SOCKET_PATH}`);
    silent.send({ type: 'subscribe', clientSecret });
    await silent.next();
    await assert.rejects(gateway.connect(), /503/);
    line.swallow(['requests', 'replies']);
    for (;;) {
      const next = await gateway.watch(clientSecret).catch(() => undefined);
      if (next === undefined) await wait(20);
      else return assert.equal((await next.next())['type'], 'ready');
    }
  });

  it('report a cursor as too old after the purge, even if an event before the gap still exists', async () => {
    const gateway = await start();
    const { intent, clientSecret } = await insertWatchedIntent(test, account);
    const old = { createdAt: new Date(Date.now() - 31 * DAY_MS) };
    const [purged, held, gone] = [
      await addEvent(intent, old),
      await addEvent(intent, old),
      await addEvent(intent, old),
    ];
    const young = [await addEvent(intent), await addEvent(intent)];
    await number();
    await test.database.$executeRaw`UPDATE webhook_cursor SET position = (SELECT max(position) FROM event)`;
    await test.database.$executeRaw`UPDATE statistics_cursor SET position = (SELECT max(position) FROM event)`;
    await test.database.webhookDelivery.create({
      data: {
        id: newId('webhookDelivery'),
        eventId: held,
        webhookEndpointId: await insertWebhookEndpoint(test.database, account),
        merchantAccountId: account,
        environment: 'sandbox',
        eventType: 'payment_intent.processing',
        position: 1n,
      },
    });
    await purge(test.database, RETENTION, new AbortController().signal);
    const left = await test.database.event.findMany({
      where: { paymentIntentId: intent },
      orderBy: { insertion: 'asc' },
    });
    assert.deepEqual(
      left.map(({ id }) => id),
      [held, ...young],
    );
    for (const cursor of [purged, held, gone]) {
      for (const client of [await gateway.watch(clientSecret, cursor), await gateway.watchAccount(account, cursor)]) {
        assert.equal((await client.next())['code'], 'CURSOR_TOO_OLD');
        assert.equal((await client.next())['lastEventId'], young[1]);
      }
    }
    for (const client of [await gateway.watch(clientSecret, young[0]), await gateway.watchAccount(account, young[0])]) {
      assert.equal((await client.next())['type'], 'ready');
      assert.deepEqual(await takeIds(client, 1), [young[1]]);
    }
  });

  it('limit connections in all, and subscribers of one intent', async () => {
    const gateway = await start({ limits: { maximumConnections: 3, maximumSubscribersPerIntent: 1 } });
    const { clientSecret } = await insertWatchedIntent(test, account);
    await (await gateway.watch(clientSecret)).next();
    assert.equal(await (await gateway.watch(clientSecret)).closed, 1013);
    await Promise.all([gateway.connect(), gateway.connect()]);
    await assert.rejects(gateway.connect(), /503/);
  });

  it('count unknown client secrets by address, and close with another code when the limit is exceeded', async () => {
    const counted: string[] = [];
    const countRejection = async (address: string) => {
      counted.push(address);
      return { headers: {}, exceeded: counted.length > 2 ? ({ code: 'RATE_LIMIT_EXCEEDED' } as const) : null };
    };
    const gateway = await start({ countRejection, addressOf: () => '192.0.2.7' });
    const { clientSecret } = await insertWatchedIntent(test, account);
    for (const code of [4401, 4401, 1013]) assert.equal(await (await gateway.watch('no such secret')).closed, code);
    assert.equal((await (await gateway.watch(clientSecret)).next())['type'], 'ready');
    assert.deepEqual(counted, ['192.0.2.7', '192.0.2.7', '192.0.2.7']);
  });

  it('close pages of other origins with 4403 if origins are configured, and check browsers only', async () => {
    const gateway = await start({ isOriginAllowed: createOriginRule(['https://shop.example']) });
    const { clientSecret } = await insertWatchedIntent(test, account);
    const subscribeFrom = async (origin?: string) => {
      const client = await gateway.connect(origin === undefined ? {} : { origin });
      client.send({ type: 'subscribe', clientSecret });
      return client;
    };
    for (const origin of [
      'https://other.example',
      'http://shop.example',
      'null',
      'https://shop.example.evil.example',
    ]) {
      assert.equal(await (await subscribeFrom(origin)).closed, 4403, origin);
    }
    for (const origin of [undefined, 'https://shop.example']) {
      assert.equal((await (await subscribeFrom(origin)).next())['type'], 'ready');
    }
    const merchant = await gateway.watchAccount(account, undefined, { origin: 'https://other.example' });
    assert.equal((await merchant.next())['type'], 'ready');
  });
});

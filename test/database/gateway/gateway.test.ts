import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { pino } from 'pino';
import type { ClientOptions } from 'ws';
import { sequenceEvents } from '../../../worker/jobs/event-sequencer.ts';
import {
  attachGateway,
  EVENTS_SOCKET_PATH,
  type Gateway,
  type GatewayDependencies,
} from '../../../gateway/attach-gateway.ts';
import type { GatewayLimits } from '../../../gateway/limits.ts';
import { useTestDatabase } from '../../support/database.ts';
import { UNGUARDED } from '../../support/running-gateway.ts';
import { eventually } from '../../support/eventually.ts';
import {
  insertEvent,
  insertMerchantAccount,
  insertPaymentIntent,
  type NewEventRow,
} from '../../support/payment-rows.ts';
import { connectSocket, type SocketClient } from '../../support/socket-client.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

const logger = pino({ level: 'silent' });

describe('gateway', function () {
  this.timeout(60_000);
  const test = useTestDatabase();
  let account: string;
  let running: { server: Server; gateway: Gateway; port: number };
  let clients: SocketClient[];
  let refusals = 0;

  before(async () => {
    account = await insertMerchantAccount(test.database);
  });
  beforeEach(async () => {
    clients = [];
    refusals = 0;
    running = await startGateway();
  });
  afterEach(() => stopGateway(running));

  async function startGateway(
    limits: Partial<GatewayLimits> = {},
    overrides: Partial<GatewayDependencies> = {},
  ): Promise<typeof running> {
    const server = createServer(echo);
    const gateway = attachGateway(server, {
      ...UNGUARDED,
      database: test.database,
      unknownCallersDatabase: test.database,
      databaseUrl: test.url,
      logger,
      limits,
      headers: () => ({ 'X-RateLimit-Limit': '100' }),
      countRejection: async () => {
        refusals += 1;
        const headers = { 'X-RateLimit-Limit': '3' };
        if (refusals <= 3) return { headers, exceeded: null };
        return { headers, exceeded: { code: 'RATE_LIMIT_EXCEEDED', headers: { 'Retry-After': '7' } } };
      },
      ...overrides,
    });
    await listenLocally(server);
    return { server, gateway, port: portOf(server) };
  }

  async function stopGateway({ server, gateway }: typeof running): Promise<void> {
    for (const { socket } of clients) socket.terminate();
    await gateway.close();
    server.close();
  }

  async function restartGateway(...options: Parameters<typeof startGateway>): Promise<void> {
    await stopGateway(running);
    running = await startGateway(...options);
  }

  async function connect(options?: ClientOptions): Promise<SocketClient> {
    const client = await connectSocket(`ws://127.0.0.1:${running.port}${EVENTS_SOCKET_PATH}`, options);
    clients.push(client);
    return client;
  }

  async function createIntent(status = 'processing'): Promise<{ intent: string; clientSecret: string }> {
    const clientSecret = `secret ${randomUUID()}`;
    const clientSecretHash = createHash('sha256').update(clientSecret).digest('hex');
    return { intent: await insertPaymentIntent(test.database, account, { status, clientSecretHash }), clientSecret };
  }

  const addEvent = (intent: string, rest: Partial<NewEventRow> = {}): Promise<string> =>
    insertEvent(test.database, { merchantAccountId: account, paymentIntentId: intent, ...rest });

  const number = (): Promise<number> => sequenceEvents(test.database);

  async function subscribe(clientSecret: string, lastEvent?: string): Promise<SocketClient> {
    const client = await connect();
    client.send({ type: 'subscribe', clientSecret, ...(lastEvent !== undefined && { after: lastEvent }) });
    return client;
  }

  it('sends the state first, then every event', async () => {
    const { intent, clientSecret } = await createIntent();
    const client = await subscribe(clientSecret);
    assert.deepEqual(await client.next(), {
      type: 'ready',
      status: 'processing',
      paymentIntentId: intent,
      lastEventId: null,
    });
    const id = await addEvent(intent, {
      type: 'payment_intent.payment_failed',
      status: 'requires_payment_method',
      failure: { code: 'CARD_DECLINED', message: 'The card was declined.' },
      createdAt: new Date('2026-01-02T03:04:05.678Z'),
    });
    await number();
    const { sequence, ...frame } = await client.next();
    assert.equal(typeof sequence, 'number');
    assert.deepEqual(frame, {
      event: 'payment-failed',
      id,
      paymentIntentId: intent,
      code: 'CARD_DECLINED',
      message: 'The card was declined. Pay with another card or payment method.',
      details: null,
      terminal: false,
      createdAt: '2026-01-02T03:04:05.678Z',
    });
  });

  it('names the newest event in `ready`, so that a client without events can resume without a gap', async () => {
    const { intent, clientSecret } = await createIntent();
    await addEvent(intent);
    await number();
    const unnumbered = await addEvent(intent);
    const first = await subscribe(clientSecret);
    assert.equal((await first.next())['lastEventId'], unnumbered);
    await first.close();
    const missed = await addEvent(intent);
    await number();
    const second = await subscribe(clientSecret, unnumbered);
    await second.next();
    assert.equal((await second.next())['id'], missed);
  });

  it('without a cursor, sends no event that the sent state already contains, numbered or not', async () => {
    const { intent, clientSecret } = await createIntent();
    await subscribe((await createIntent()).clientSecret).then((other) => other.next());
    await addEvent(intent);
    await number();
    await addEvent(intent);
    const client = await subscribe(clientSecret);
    await client.next();
    const live = await addEvent(intent);
    await number();
    assert.equal((await client.next())['id'], live);
  });

  it('sends an intent’s events to all subscribers of the intent, and to no others', async () => {
    const [mine, other] = [await createIntent(), await createIntent()];
    const subscribing = [await subscribe(mine.clientSecret), await subscribe(mine.clientSecret)];
    for (const client of subscribing) await client.next();
    await addEvent(other.intent);
    const id = await addEvent(mine.intent);
    await number();
    for (const client of subscribing) assert.equal((await client.next())['id'], id);
  });

  it('resumes after the cursor, without gap or repetition', async () => {
    const { intent, clientSecret } = await createIntent();
    const known = await addEvent(intent);
    const missed = [await addEvent(intent), await addEvent(intent)];
    await number();
    const client = await subscribe(clientSecret, known);
    assert.equal((await client.next())['type'], 'ready');
    const live = await addEvent(intent);
    await number();
    const ids = [(await client.next())['id'], (await client.next())['id'], (await client.next())['id']];
    assert.deepEqual(ids, [...missed, live]);
  });

  it('resumes after an event that is not numbered yet', async () => {
    const { intent, clientSecret } = await createIntent();
    await addEvent(intent);
    const known = await addEvent(intent);
    const client = await subscribe(clientSecret, known);
    assert.equal((await client.next())['type'], 'ready');
    const next = await addEvent(intent);
    await number();
    assert.equal((await client.next())['id'], next);
  });

  it('neither misses nor repeats events while clients connect and disconnect', async () => {
    const { intent, clientSecret } = await createIntent();
    const ids = [await addEvent(intent)];
    await number();
    let writing = true;
    const numbering = (async () => {
      while (writing) await number();
    })();
    const reading = [1, 2, 3, 4].map(async (reader) => {
      const seen = ids.slice(0, 1);
      while (seen.length < 60) {
        const client = await subscribe(clientSecret, seen.at(-1));
        assert.equal((await client.next())['type'], 'ready');
        for (let count = 0; count <= reader && seen.length < 60; count += 1) {
          seen.push(String((await client.next())['id']));
        }
        await client.close();
      }
      return seen;
    });
    while (ids.length < 60) ids.push(await addEvent(intent));
    for (const seen of await Promise.all(reading)) assert.deepEqual(seen, ids);
    writing = false;
    await numbering;
  });

  it('reports that a cursor is too old, and continues from now', async () => {
    const [mine, other] = [await createIntent(), await createIntent()];
    const foreign = await addEvent(other.intent);
    await addEvent(mine.intent);
    await number();
    for (const cursor of ['evt_gone', foreign]) {
      const client = await subscribe(mine.clientSecret, cursor);
      const error = await client.next();
      assert.deepEqual([error['type'], error['code'], error['after']], ['error', 'CURSOR_TOO_OLD', cursor]);
      assert.equal((await client.next())['type'], 'ready');
      const live = await addEvent(mine.intent);
      await number();
      assert.equal((await client.next())['id'], live);
    }
  });

  it('continues without a gap when its database connections are cut', async () => {
    const { intent, clientSecret } = await createIntent();
    const client = await subscribe(clientSecret);
    await client.next();
    await test.cutConnections();
    const ids = [await addEvent(intent), await addEvent(intent)];
    await number();
    for (const id of ids) assert.equal((await client.next())['id'], id);
  });

  it('accepts a subscription to an intent that has ended', async () => {
    const { clientSecret } = await createIntent('succeeded');
    const client = await subscribe(clientSecret);
    assert.equal((await client.next())['status'], 'succeeded');
  });

  it('closes with 4401 for an unknown secret', async () => {
    assert.equal(await (await subscribe('no such secret')).closed, 4401);
  });

  const BAD_FRAMES: readonly (readonly [string, unknown])[] = [
    ['no JSON', 'subscribe!'],
    ['no object', '[]'],
    ['another type', { type: 'publish' }],
    ['no secret', { type: 'subscribe' }],
    ['an unknown field', { type: 'subscribe', clientSecret: 'x', extra: 1 }],
    ['a cursor with a null character', { type: 'subscribe', clientSecret: 'x', after: 'evt_\u0000' }],
    ['bytes', Buffer.from('{"type":"subscribe","clientSecret":"x"}')],
  ];
  for (const [name, frame] of BAD_FRAMES) {
    it(`closes with 4400 for a first frame with ${name}`, async () => {
      const client = await connect();
      client.send(frame);
      assert.equal(await client.closed, 4400);
    });
  }

  it('closes with 4400 for a second subscription', async () => {
    const { clientSecret } = await createIntent();
    const client = await subscribe(clientSecret);
    await client.next();
    client.send({ type: 'subscribe', clientSecret });
    assert.equal(await client.closed, 4400);
  });

  it('closes on frames that are too long, and survives malformed ones', async () => {
    const long = await connect();
    long.send('x'.repeat(10_000));
    assert.equal(await long.closed, 1009);
    const { clientSecret } = await createIntent();
    assert.equal((await (await subscribe(clientSecret)).next())['type'], 'ready');
  });

  it('survives bytes that are not a WebSocket frame', async () => {
    const brokenFrames = ['ffffffff', '81fe', '8180', '83800000000000', '888100000000ff', 'c1800000000041', '09fe0fff'];
    for (const bytes of brokenFrames) {
      const socket = await openRawSocket();
      socket.end(Buffer.from(bytes, 'hex'));
      await once(socket, 'close');
    }
    const abandoned = await openRawSocket();
    abandoned.destroy();
    const { clientSecret } = await createIntent();
    assert.equal((await (await subscribe(clientSecret)).next())['type'], 'ready');
  });

  it('closes with 4408 if the client does not subscribe in time', async () => {
    await restartGateway({ subscribeWithinMs: 20 });
    assert.equal(await (await connect()).closed, 4408);
  });

  it('drops clients that do not answer pings', async () => {
    await restartGateway({ pingEveryMs: 50 });
    const client = await connect({ autoPong: false });
    assert.equal(await client.closed, 1006);
  });

  it('closes with 1013 a client that reads too slowly, which then resumes', async () => {
    await restartGateway({ maximumUnsentBytes: 100_000, closeWithinMs: 20_000 });
    const { intent, clientSecret } = await createIntent();
    const slow = await subscribe(clientSecret);
    await slow.next();
    slow.socket.pause();
    const failure = { code: 'STATE_CONFLICT', message: 'no', details: { filler: 'x'.repeat(400_000) } };
    const ids: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      ids.push(await addEvent(intent, { type: 'payment_intent.payment_failed', failure }));
    }
    await number();
    const fast = await subscribe(clientSecret);
    await fast.next();
    await addEvent(intent);
    await number();
    await fast.next();
    slow.socket.resume();
    assert.equal(await slow.closed, 1013);
    const first = await slow.next();
    const resumed = await subscribe(clientSecret, String(first['id']));
    assert.equal((await resumed.next())['type'], 'ready');
    assert.equal((await resumed.next())['id'], ids[1]);
  });

  it('closes with 1012 when it stops', async () => {
    const { clientSecret } = await createIntent();
    const subscribed = await subscribe(clientSecret);
    await subscribed.next();
    const silent = await connect();
    await running.gateway.close();
    assert.deepEqual(await Promise.all([subscribed.closed, silent.closed]), [1012, 1012]);
    assert.equal((await upgrade(EVENTS_SOCKET_PATH)).statusCode, 503);
  });

  it('limits the connections of one address, and accepts new ones when others close', async () => {
    await restartGateway({ maximumConnectionsPerAddress: 2 });
    const first = await connect();
    await connect();
    const refused = await upgrade(EVENTS_SOCKET_PATH);
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '1']);
    assert.equal(refused.headers['x-ratelimit-limit'], '100');
    await first.close();
    // The gateway may hear of the close after the client.
    await eventually(async () => {
      const accepted = await upgrade(EVENTS_SOCKET_PATH);
      assert.deepEqual([accepted.statusCode, accepted.headers['x-ratelimit-limit']], [101, '100']);
      assert.match(String(accepted.headers['x-request-id']), /^req_/);
    });
  });

  it('counts the connections of one IPv6 network together', async () => {
    let host = 0;
    const addressOf = () => `2001:db8::${(host += 1)}`;
    await restartGateway({ maximumConnectionsPerAddress: 2 }, { addressOf });
    await connect();
    await connect();
    assert.equal((await upgrade(EVENTS_SOCKET_PATH)).statusCode, 503);
  });

  it('rejects requests for sockets beyond the limit of an address, on any path', async () => {
    let requests = 0;
    const exceeded = { code: 'RATE_LIMIT_EXCEEDED', headers: { 'Retry-After': '30' } } as const;
    const countUpgrade = () => ({
      headers: { 'X-RateLimit-Limit': '2' },
      exceeded: (requests += 1) > 2 ? exceeded : null,
    });
    await restartGateway({}, { countUpgrade });
    await connect();
    await connect();
    for (const path of [EVENTS_SOCKET_PATH, '/elsewhere']) {
      const refused = await upgrade(path);
      assert.deepEqual(
        [refused.statusCode, refused.headers['retry-after'], refused.headers['x-ratelimit-limit']],
        [429, '30', '2'],
      );
    }
    assert.equal(refusals, 0);
  });

  it('looks up no client secret from a blocked address, unless it is known', async () => {
    const { clientSecret } = await createIntent();
    const asked: unknown[] = [];
    const { direct } = test.database;
    const row: typeof direct.row = (statement) => {
      asked.push(...statement.sql.values);
      return direct.row(statement);
    };
    const known = new Set([clientSecret]);
    await restartGateway(
      {},
      { unknownCallersDatabase: { direct: { ...direct, row } }, isBlocked: (_address, secret) => !known.has(secret) },
    );
    const stranger = await subscribe('a guess');
    assert.equal(await stranger.closed, 1013);
    assert.deepEqual(asked, []);
    assert.equal((await (await subscribe(clientSecret)).next())['type'], 'ready');
    assert.equal(asked.length, 1);
  });

  it('rejects malformed handshakes with the error envelope, and the headers of the limit that counted them', async () => {
    const version = await upgrade(EVENTS_SOCKET_PATH, { 'Sec-WebSocket-Version': '7' });
    assert.deepEqual([version.statusCode, version.headers['sec-websocket-version']], [400, '13, 8']);
    const key = await upgrade(EVENTS_SOCKET_PATH, { 'Sec-WebSocket-Key': 'short' });
    const { error } = await envelopeOf(key);
    assert.deepEqual(
      { status: key.statusCode, limit: key.headers['x-ratelimit-limit'], code: error.code, details: error.details },
      {
        status: 400,
        limit: '3',
        code: 'INVALID_REQUEST',
        details: { field: 'Sec-WebSocket-Key', reason: 'malformed' },
      },
    );
    assert.match(error.message, /got none with a valid Sec-WebSocket-Key\. Let a WebSocket library make it/);
    const method = await upgrade(EVENTS_SOCKET_PATH, {}, 'PUT');
    assert.deepEqual([method.statusCode, method.headers.allow], [405, 'GET']);
    assert.equal((await envelopeOf(method)).error.code, 'METHOD_NOT_ALLOWED');
  });

  it('rejects handshakes where the rate limit is exceeded', async () => {
    for (const expected of [404, 404, 404, 429]) assert.equal((await upgrade('/elsewhere')).statusCode, expected);
    const refused = await upgrade('/elsewhere');
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '7']);
    assert.equal((await envelopeOf(refused)).error.code, 'RATE_LIMIT_EXCEEDED');
  });

  it('leaves HTTP/2 upgrade requests to the server, several on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const body of ['', 'a body', 'x'.repeat(200_000)]) {
      const asking = request({
        agent,
        host: '127.0.0.1',
        port: running.port,
        path: '/api/v1/payment-intents?a=1',
        method: 'POST',
        headers: {
          Connection: 'keep-alive, Upgrade, HTTP2-Settings',
          Upgrade: 'h2c',
          'HTTP2-Settings': 'AAMAAABkAAQAAP__',
          'Content-Length': Buffer.byteLength(body),
          'X-Kept': 'yes',
        },
      });
      asking.end(body);
      const [response]: IncomingMessage[] = await once(asking, 'response');
      const text = Buffer.concat((await response?.toArray()) ?? []).toString();
      const { headers, ...seen } = JSON.parse(text);
      assert.deepEqual(seen, { method: 'POST', url: '/api/v1/payment-intents?a=1', body });
      assert.deepEqual(
        [headers.connection, headers.upgrade, headers['http2-settings'], headers['x-kept']],
        ['keep-alive', undefined, undefined, 'yes'],
      );
    }
    agent.destroy();
  });

  it('rejects sockets on other paths with 404 and the error envelope', async () => {
    const response = await upgrade('/api/v1/payment-intents');
    assert.equal(response.statusCode, 404);
    assert.equal(response.headers['x-ratelimit-limit'], '3');
    const body: unknown = JSON.parse(Buffer.concat(await response.toArray()).toString());
    assert.deepEqual(body, {
      success: false,
      error: {
        code: 'RESOURCE_NOT_FOUND',
        message:
          'Expected a socket at /api/v1/events/socket; got one at another path. See /docs/errors#RESOURCE_NOT_FOUND.',
        type: 'resource_error',
        requestId: response.headers['x-request-id'],
      },
    });
  });

  /** The answer to an upgrade; the connection of an accepted one is closed. */
  async function upgrade(
    path: string,
    changes: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<IncomingMessage> {
    const { response, socket } = await askForUpgrade(path, changes, method);
    socket?.destroy();
    return response;
  }

  async function openRawSocket(): Promise<Duplex> {
    const { socket } = await askForUpgrade(EVENTS_SOCKET_PATH);
    assert.ok(socket);
    socket.on('error', () => undefined);
    return socket.resume();
  }

  async function envelopeOf(
    response: IncomingMessage,
  ): Promise<{ error: { code: string; message: string; details: unknown } }> {
    return JSON.parse(Buffer.concat(await response.toArray()).toString());
  }

  function askForUpgrade(
    path: string,
    changes: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<{ response: IncomingMessage; socket?: Duplex }> {
    return new Promise((resolve, reject) => {
      const headers = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...changes,
      };
      const asking = request({ host: '127.0.0.1', port: running.port, path, method, headers }, (response) =>
        resolve({ response }),
      );
      asking.on('upgrade', (response, socket) => resolve({ response, socket }));
      asking.on('error', reject);
      asking.end();
    });
  }
});

/** Answers with what the application sees of a request. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
}

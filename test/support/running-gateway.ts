import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { pino } from 'pino';
import type { ClientOptions } from 'ws';
import { attachGateway, EVENTS_SOCKET_PATH, type GatewayDependencies } from '../../gateway/attach-gateway.ts';
import type { TestDatabase } from './database.ts';
import { listenLocally, portOf } from './local-server.ts';
import { insertPaymentIntent } from './payment-rows.ts';
import { connectSocket, type ReceivedFrame, type SocketClient } from './socket-client.ts';

/** A gateway within the test's process. */
export interface RunningGateway {
  readonly port: number;
  /** Connects without subscribing. */
  connect(options?: ClientOptions): Promise<SocketClient>;
  /** Subscribes a page, and resolves before the reply. */
  watch(clientSecret: string, after?: string): Promise<SocketClient>;
  /** Subscribes a merchant, whose account id replaces the signature. */
  watchAccount(account: string, after?: string, options?: ClientOptions): Promise<SocketClient>;
  /** Disconnects its clients and stops it. */
  stop(): Promise<void>;
}

/** Accepts an account's id as an API key, limits and counts nothing, and allows every origin. */
export const UNGUARDED = {
  limits: {},
  addressOf: (request) => request.socket.remoteAddress ?? '',
  isOriginAllowed: () => true,
  isSafeForProduction: () => false,
  headers: () => ({}),
  countUpgrade: () => ({ headers: {}, exceeded: null }),
  countRejection: async () => ({ headers: {}, exceeded: null }),
  isBlocked: () => false,
  onAuthenticated: () => undefined,
  metrics: { countOpen: () => undefined, published: () => undefined, watchShare: () => undefined },
  accounts: {
    isSigned: ({ headers }) => headers.authorization !== undefined,
    authenticate: async ({ headers: { authorization: merchantAccountId = '' } }) => ({
      principal: { apiKeyId: 'key_1', merchantAccountId, address: '127.0.0.1' },
      headers: {},
    }),
    findRevoked: async () => [],
  },
} as const satisfies Partial<GatewayDependencies>;

/** Starts a gateway that is `UNGUARDED` but for the overrides. */
export async function startGateway(
  { database, url }: Pick<TestDatabase, 'database' | 'url'>,
  overrides: Partial<GatewayDependencies> = {},
): Promise<RunningGateway> {
  const server = createServer();
  const gateway = attachGateway(server, {
    ...UNGUARDED,
    database,
    unknownCallersDatabase: database,
    databaseUrl: url,
    logger: pino({ level: 'silent' }),
    ...overrides,
  });
  await listenLocally(server);
  const port = portOf(server);
  const clients: SocketClient[] = [];

  const connect = async (options?: ClientOptions): Promise<SocketClient> => {
    const client = await connectSocket(`ws://127.0.0.1:${port}${EVENTS_SOCKET_PATH}`, options);
    clients.push(client);
    return client;
  };
  return {
    port,
    connect,
    async watch(clientSecret, after) {
      const client = await connect();
      client.send({ type: 'subscribe', clientSecret, after });
      return client;
    },
    async watchAccount(account, after, options = {}) {
      const client = await connect({ ...options, headers: { ...options.headers, Authorization: account } });
      client.send({ type: 'subscribe', after });
      return client;
    },
    async stop() {
      for (const { socket } of clients) socket.terminate();
      await gateway.close();
      server.close();
    },
  };
}

/** Inserts an intent that a page can watch. */
export async function insertWatchedIntent(
  { database }: Pick<TestDatabase, 'database'>,
  account: string,
): Promise<{ readonly intent: string; readonly clientSecret: string }> {
  const clientSecret = `secret ${randomUUID()}`;
  const clientSecretHash = createHash('sha256').update(clientSecret).digest('hex');
  return {
    intent: await insertPaymentIntent(database, account, { status: 'processing', clientSecretHash }),
    clientSecret,
  };
}

/** The next frames, as many as requested. */
export async function takeFrames(client: SocketClient, count: number): Promise<readonly ReceivedFrame[]> {
  const frames: ReceivedFrame[] = [];
  while (frames.length < count) frames.push(await client.next());
  return frames;
}

/** The event ids of the next frames. */
export async function takeIds(client: SocketClient, count: number): Promise<readonly unknown[]> {
  return (await takeFrames(client, count)).map(({ id }) => id);
}

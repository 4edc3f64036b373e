import { createServer } from 'node:http';
import { memoryUsage } from 'node:process';
import pino from 'pino';
import { z } from 'zod';
import { attachGateway, type GatewayDependencies } from '../../gateway/attach-gateway.ts';
import { createDatabase } from '../../prisma/connection/client.ts';
import { serveTurns } from '../load/serve-turns.ts';

const settingsSchema = z.object({ databaseUrl: z.string(), port: z.number(), sockets: z.number() });
const POOL_SIZE = 10;

/** Accepts pages of any origin and no API keys, and counts nothing. */
const ONLY_PAGES = {
  addressOf: (request) => request.socket.remoteAddress ?? '',
  isOriginAllowed: () => true,
  isSafeForProduction: () => false,
  headers: () => ({}),
  countUpgrade: () => ({ headers: {}, exceeded: null }),
  countRejection: () => Promise.resolve({ headers: {}, exceeded: null }),
  isBlocked: () => false,
  onAuthenticated: () => undefined,
  metrics: { countOpen: () => undefined, published: () => undefined, watchShare: () => undefined },
  accounts: {
    isSigned: () => false,
    authenticate: () => Promise.resolve({ rejection: { code: 'UNAUTHORIZED' } }),
    findRevoked: () => Promise.resolve([]),
  },
} as const satisfies Partial<GatewayDependencies>;

/** A gateway process that reports its memory over HTTP. */
async function serve({ databaseUrl, port, sockets }: z.infer<typeof settingsSchema>): Promise<null> {
  const server = createServer((_request, response) => {
    globalThis.gc?.();
    response.end(JSON.stringify(memoryUsage()));
  });
  const database = createDatabase({ url: databaseUrl, poolSize: POOL_SIZE });
  attachGateway(server, {
    ...ONLY_PAGES,
    database,
    unknownCallersDatabase: database,
    databaseUrl,
    logger: pino({ name: 'gateway', level: 'warn' }),
    limits: { maximumConnections: 2 * sockets, maximumConnectionsPerAddress: 2 * sockets },
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return null;
}

serveTurns(settingsSchema, serve);

import { createServer } from 'node:http';
import { memoryUsage } from 'node:process';
import pino from 'pino';
import { z } from 'zod';
import { attachGateway } from '../../gateway/attach-gateway.ts';
import { createDatabase } from '../../prisma/client.ts';
import { serveTurns } from '../load/serve-turns.ts';

const settingsSchema = z.object({ databaseUrl: z.string(), port: z.number(), sockets: z.number() });
const POOL_SIZE = 10;

/** A gateway process that reports its memory over HTTP. */
async function serve({ databaseUrl, port, sockets }: z.infer<typeof settingsSchema>): Promise<null> {
  const server = createServer((_request, response) => {
    globalThis.gc?.();
    response.end(JSON.stringify(memoryUsage()));
  });
  attachGateway(server, {
    database: createDatabase({ url: databaseUrl, poolSize: POOL_SIZE }),
    databaseUrl,
    logger: pino({ name: 'gateway', level: 'warn' }),
    limits: { maximumConnections: 2 * sockets, maximumConnectionsPerAddress: 2 * sockets },
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return null;
}

serveTurns(settingsSchema, serve);

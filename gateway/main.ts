import pino from 'pino';
import { readGatewayConfig } from '../config/engine.ts';
import { createDatabase } from '../prisma/client.ts';
import { waitForDatabase } from '../prisma/wait-for-database.ts';
import { createClientAddresses } from '../api/middleware/client-address.ts';
import { createGatewayApp } from './app.ts';
import { countedRefusal } from '../api/middleware/rate-limits/rate-limit.ts';
import { openRateLimiters } from '../api/middleware/rate-limits/open-rate-limiters.ts';
import { checkDatabase } from '../api/server/readiness.ts';
import { runProcess, serveUntilStopped } from '../api/server/run-server.ts';
import { serveSockets } from '../api/server/serve-sockets.ts';
import { createServer } from '../api/server/server.ts';

/** Sockets only: what needs neither Temporal nor the keys of the vault. */
async function main(): Promise<void> {
  const config = readGatewayConfig();
  const logger = pino({ name: 'gateway', level: config.logLevel });
  await waitForDatabase(config.databaseUrl);
  const database = createDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  const limiters = await openRateLimiters(config, logger);
  const { rateLimiters } = limiters;
  const addresses = createClientAddresses(config.trustProxy);
  const readiness = { database: () => checkDatabase(database) };

  const countRefusal = async (address: string) => countedRefusal(await rateLimiters.countAddress(address));
  const app = createGatewayApp({ rateLimiters, addresses, readiness, logger });
  const server = createServer(app, { tls: config.tls, countRefusal });
  const gateway = serveSockets(server, { config, database, rateLimiters, addresses, countRefusal, logger });

  await serveUntilStopped({ name: 'gateway', portVariable: 'GATEWAY_PORT', config, server, gateway });
  await Promise.allSettled([limiters.close(), database.$disconnect()]);
}

runProcess('gateway', main);

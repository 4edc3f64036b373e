import pino from 'pino';
import express, { type Express } from 'express';
import { describeConnections } from '../config/connections.ts';
import { readGatewayConfig } from '../config/engine.ts';
import { warnOfUnneededSecrets } from '../config/programs.ts';
import { createMetricsAccess } from '../metrics/metrics-access.ts';
import { createMetricsRegistry } from '../metrics/registry.ts';
import { createRequestMetrics, createShareMetrics, createSocketMetrics } from '../metrics/server-metrics.ts';
import { createDatabase, createDirectConnections } from '../prisma/connection/client.ts';
import { readKeyring } from '../vault/key-providers.ts';
import { waitForDatabase } from '../prisma/connection/wait-for-database.ts';
import { createKnownCallers, UNKNOWN_CALLERS_POOL_SIZE } from '../http/authentication/known-callers.ts';
import { createKeyUses } from '../http/key-uses.ts';
import { createClientAddresses } from '../http/client-address.ts';
import { countedRejection } from '../http/rate-limits/rate-limit.ts';
import { openRateLimiters } from '../http/rate-limits/rate-limiters.ts';
import {
  checkDatabase,
  mountHealth,
  mountMetrics,
  type ReadinessChecks,
  type ServedMetrics,
} from '../http/server/health.ts';
import { runProcess, serveUntilStopped } from '../http/server/run-server.ts';
import { serveSockets } from './serve-sockets.ts';
import { createServer } from '../http/server/server.ts';
import {
  beginRequest,
  createErrorHandler,
  notFound,
  type RequestLifecycleDependencies,
  socketNotServed,
} from '../http/request-lifecycle.ts';
import { EVENTS_SOCKET_PATH } from './attach-gateway.ts';

/**
 * Serves sockets only, and so needs no Temporal. With the keys of the vault it accepts API keys on signature version 2, and
 * recognises pages by their client secrets.
 */
async function main(): Promise<void> {
  const config = readGatewayConfig();
  const logger = pino({ name: 'gateway', level: config.logLevel });
  logger.info(describeConnections(config), 'starting');
  warnOfUnneededSecrets('gateway', (message) => logger.warn(message));
  const keyring = config.vault === null ? null : await readKeyring(config.vault);
  await waitForDatabase(config.databaseUrl);
  const database = createDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  const limiters = await openRateLimiters(config, logger);
  const { rateLimiters } = limiters;
  const addresses = createClientAddresses(config.trustProxy);
  const readiness = { database: () => checkDatabase(database) };

  const countRejection = async (address: string) => countedRejection(await rateLimiters.countAddress(address));
  const unknownCallersDatabase = createDirectConnections({
    url: config.databaseUrl,
    poolSize: UNKNOWN_CALLERS_POOL_SIZE,
  });
  const metrics = createMetricsRegistry({
    main: database.poolState,
    unknown_callers: unknownCallersDatabase.poolState,
  });
  const keyUses = createKeyUses(database, logger);
  const app = createGatewayApp({
    rateLimiters,
    addresses,
    readiness,
    metrics: { registry: metrics, mayRead: createMetricsAccess(config.metricsAllowedAddresses) },
    measureRequest: createRequestMetrics(metrics),
    logger,
  });
  const server = createServer(app, {
    tls: config.tls,
    maximumConnectionsPerAddress: config.connectionsPerAddress,
    isTrustedProxy: addresses.isTrustedProxy,
    countRejection,
    logger,
  });
  const gateway = serveSockets(server, {
    config,
    database,
    unknownCallersDatabase,
    keyUses,
    knownCallers: createKnownCallers(keyring),
    keyring,
    rateLimiters,
    addresses,
    countRejection,
    metrics: createSocketMetrics(metrics, createShareMetrics(metrics)),
    logger,
  });

  await serveUntilStopped({ name: 'gateway', portVariable: 'GATEWAY_PORT', config, server, gateway });
  await keyUses.close();
  await Promise.allSettled([limiters.close(), unknownCallersDatabase.close(), database.$disconnect()]);
}

runProcess('gateway', main);

interface GatewayAppDependencies extends RequestLifecycleDependencies {
  readonly readiness: ReadinessChecks;
  readonly metrics: ServedMetrics;
}

/** The app that answers requests other than for sockets in a gateway without an API. */
function createGatewayApp(dependencies: GatewayAppDependencies): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.use(beginRequest(dependencies));
  mountHealth(app, dependencies.readiness);
  mountMetrics(app, dependencies.metrics);
  app.get(EVENTS_SOCKET_PATH, socketNotServed);
  app.use(notFound);
  app.use(createErrorHandler(dependencies));
  return app;
}

import type { Server } from 'node:http';
import type { Client } from '@temporalio/client';
import { Pool } from 'pg';
import pino, { type Logger } from 'pino';
import { type ApiConfig, ConfigError, readApiConfig } from '../config.ts';
import { SentenceError } from '../domain/sentence-error.ts';
import { SECOND_MS } from '../domain/time.ts';
import { attachGateway } from '../gateway/attach-gateway.ts';
import { createDatabase, type Database } from '../prisma/client.ts';
import { waitForDatabase } from '../prisma/wait-for-database.ts';
import { createProviderRegistry, type ProviderRegistry } from '../providers/provider-registry.ts';
import { createSimulators } from '../providers/simulator/create-simulators.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { createPaymentWorkflows } from '../temporal/payment-workflows.ts';
import { createRefundWorkflows } from '../temporal/refund-workflows.ts';
import { createWebhookWorkflows } from '../temporal/webhook-workflows.ts';
import { parseKeyring } from '../vault/keyring.ts';
import { createTargetPolicies } from '../webhooks/target-policy.ts';
import { createApp } from './app.ts';
import { readCheckoutSdk } from './checkout/sdk.ts';
import { createClientAddresses } from './client-address.ts';
import { createStartMarks } from './payment-intents/start-marks.ts';
import type { ReadinessChecks } from './health.ts';
import { countedRefusal, rateLimitHeaders } from './rate-limit.ts';
import { createRateLimiters } from './rate-limits/create-rate-limiters.ts';
import { createRedisStore, type RedisStore } from './rate-limits/redis-store.ts';
import { createServer, drainServer } from './server.ts';

/** The limiter's own connections: each use is one short statement. */
const LIMITER_POOL_SIZE = 4;
const LIMITER_TIMEOUT_MS = 5 * SECOND_MS;
const READINESS_TIMEOUT_MS = 2 * SECOND_MS;
/** A key is free again after that, though the process that worked on it is gone. */
const IDEMPOTENCY_LOCK_MS = 30 * SECOND_MS;
/** What a run needs besides waiting for its outcome. */
const RUN_OVERHEAD_MS = 15 * SECOND_MS;
/** The API only verifies and translates what simulators send; it never calls them. */
const UNUSED_PROVIDER_TIMEOUT_MS = SECOND_MS;

async function main(): Promise<void> {
  // Whoever started this process may be gone; that must not cut requests in flight.
  process.stdout.on('error', () => undefined);
  const config = readApiConfig();
  const logger = pino({ name: 'api', level: config.logLevel });
  await waitForDatabase(config.databaseUrl);
  const database = createDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  const limiterPool = createLimiterPool(config.databaseUrl, logger);
  const temporal = createTemporalClient({ address: config.temporalAddress, namespace: config.temporalNamespace });
  const redis = openRedis(config.redis, logger);
  const rateLimiters = createRateLimiters({ pool: limiterPool, redis, limits: config.rateLimits, logger });
  const registry = createRegistry(config);
  const addresses = createClientAddresses(config.trustProxy);
  const startMarks = createStartMarks(database, logger);

  const app = createApp({
    database,
    rateLimiters,
    keyring: parseKeyring(config.vaultKeys),
    workflows: createPaymentWorkflows(temporal),
    startMarks,
    refundWorkflows: createRefundWorkflows(temporal),
    registry,
    findProvider: registry.find,
    webhookWorkflows: createWebhookWorkflows(temporal),
    webhookTargets: createTargetPolicies({ allowPrivateInSandbox: config.allowPrivateWebhooksInSandbox }),
    readiness: readinessChecks(database, temporal),
    addresses,
    checkoutSdk: await readCheckoutSdk(),
    demoUrl: config.demoUrl,
    confirmWaitMs: config.confirmWaitMs,
    lockMs: Math.max(IDEMPOTENCY_LOCK_MS, config.confirmWaitMs + RUN_OVERHEAD_MS),
    logger,
  });
  const countRefusal = async (address: string) => countedRefusal(await rateLimiters.countAddress(address));
  const server = createServer(app, { tls: config.tls, countRefusal });
  const gateway = attachGateway(server, {
    database,
    databaseUrl: config.databaseUrl,
    logger,
    addressOf: addresses.of,
    headers: () => rateLimitHeaders(rateLimiters.uncounted()),
    countRefusal: (request) => countRefusal(addresses.of(request)),
  });

  await listen(server, config);
  process.stdout.write(`api listening on ${addressOf(config)}\n`);
  await stopRequested();
  await Promise.all([drainServer(server), gateway.close()]);
  await startMarks.close();
  redis?.close();
  await Promise.allSettled([limiterPool.end(), database.$disconnect(), temporal.connection.close()]);
}

function createLimiterPool(connectionString: string, logger: Logger): Pool {
  const pool = new Pool({
    connectionString,
    max: LIMITER_POOL_SIZE,
    keepAlive: true,
    connectionTimeoutMillis: LIMITER_TIMEOUT_MS,
    query_timeout: LIMITER_TIMEOUT_MS,
    statement_timeout: LIMITER_TIMEOUT_MS,
  });
  // An idle connection that breaks would otherwise end the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection was lost'));
  return pool;
}

function openRedis(redis: ApiConfig['redis'], logger: Logger): RedisStore | null {
  if (redis === null) return null;
  return createRedisStore({ ...redis, onAway: (err) => logger.warn({ err }, 'the connection to Redis is away') });
}

function createRegistry(config: ApiConfig): ProviderRegistry {
  return createProviderRegistry(
    createSimulators({
      simulators: config.simulators,
      apiKey: config.simulatorApiKey,
      webhookSecret: config.simulatorWebhookSecret,
      timeoutMs: UNUSED_PROVIDER_TIMEOUT_MS,
      allowInProduction: config.allowSimulatorInProduction,
    }),
  );
}

function readinessChecks(database: Database, temporal: Client): ReadinessChecks {
  return {
    // A table of its own: a database that was never migrated answers, but serves no request.
    database: () => withinTime(database.$queryRaw`SELECT 1 FROM event_counter LIMIT 1`),
    temporal: () =>
      temporal.withDeadline(Date.now() + READINESS_TIMEOUT_MS, () => temporal.workflowService.getSystemInfo({})),
  };
}

async function withinTime(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), READINESS_TIMEOUT_MS);
  });
  try {
    await Promise.race([check, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function listen(server: Server, { host, port }: ApiConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen({ host, port }, () => resolve());
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new ConfigError(`PORT ${port} on ${host} is in use; stop what listens there or set PORT to another one.`);
}

function addressOf({ tls, host, port }: ApiConfig): string {
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Resolves at a signal to stop, or when the process that started this one is gone. */
function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => resolve());
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const sentence = error instanceof SentenceError ? error.message : `api stopped: ${String(error)}`;
    process.stderr.write(`${sentence}\n`);
    process.exit(1);
  },
);

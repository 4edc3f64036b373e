import pino from 'pino';
import { createClientAddresses } from '../http/client-address.ts';
import { countedRejection } from '../http/rate-limits/rate-limit.ts';
import { openRateLimiters } from '../http/rate-limits/rate-limiters.ts';
import { checkDatabase } from '../http/server/health.ts';
import { runProcess, serveUntilStopped } from '../http/server/run-server.ts';
import { createServer } from '../http/server/server.ts';
import { describeConnections } from '../config/connections.ts';
import { readDashboardConfig } from '../config/dashboard.ts';
import { warnOfUnneededSecrets } from '../config/programs.ts';
import { createMailLimit } from '../accounts/mail-limit.ts';
import { createMailer } from '../mail/mailer.ts';
import { createMetricsAccess } from '../metrics/metrics-access.ts';
import { createMetricsRegistry } from '../metrics/registry.ts';
import { createRequestMetrics } from '../metrics/server-metrics.ts';
import { createDatabase } from '../prisma/connection/client.ts';
import { waitForDatabase } from '../prisma/connection/wait-for-database.ts';
import { createDashboardApp } from './server/app.ts';
import { createAuth } from './server/auth.ts';
import { watchFailingEndpoints } from './server/failing-endpoint-mails.ts';
import { openSignInLimits } from './server/sign-in-limits.ts';
import { createSignInRecords } from './server/sign-in-records.ts';

/** Where people sign in and work: the pages, and their requests to the API. */
async function main(): Promise<void> {
  const config = readDashboardConfig();
  const logger = pino({ name: 'dashboard', level: config.logLevel });
  logger.info(describeConnections(config), 'starting');
  warnOfUnneededSecrets('dashboard', (message) => logger.warn(message));
  await waitForDatabase(config.databaseUrl);
  const database = createDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  const mailer = createMailer({ ...config.mail, mayGetAnother: createMailLimit(database), logger });
  const limits = openSignInLimits(config.databaseUrl, (error) =>
    logger.warn({ err: error }, 'an idle database connection was lost'),
  );
  // People count here only when they are rejected; the API counts what they ask of it.
  const { rejectionsPerMinute } = config;
  const limiters = await openRateLimiters(
    {
      databaseUrl: config.databaseUrl,
      redis: null,
      rateLimits: {
        sandbox: rejectionsPerMinute,
        production: rejectionsPerMinute,
        unauthenticated: rejectionsPerMinute,
        person: rejectionsPerMinute,
      },
    },
    logger,
  );
  const { rateLimiters } = limiters;
  const addresses = createClientAddresses(config.trustProxy);
  const metrics = createMetricsRegistry({ main: database.poolState });
  const records = createSignInRecords(database, logger);
  const app = createDashboardApp({
    ...config,
    auth: createAuth({ ...config, database, mailer, logger }),
    database,
    limits,
    records,
    rateLimiters,
    addresses,
    readiness: { database: () => checkDatabase(database) },
    metrics: { registry: metrics, mayRead: createMetricsAccess(config.metricsAllowedAddresses) },
    measureRequest: createRequestMetrics(metrics),
    requestsInFlightPerAddress: config.connectionsPerAddress,
    logger,
  });
  const server = createServer(app, {
    tls: config.tls,
    maximumConnectionsPerAddress: config.connectionsPerAddress,
    isTrustedProxy: addresses.isTrustedProxy,
    countRejection: async (address) => countedRejection(await rateLimiters.countAddress(address)),
    logger,
  });
  const failures = watchFailingEndpoints({ database, mailer, publicUrl: config.publicUrl }, logger);
  await serveUntilStopped({ name: 'dashboard', portVariable: 'DASHBOARD_PORT', config, server, gateway: null });
  await failures.stop();
  await records.close();
  await Promise.allSettled([mailer.close(), limits.close(), limiters.close(), database.$disconnect()]);
}

runProcess('dashboard', main);

import pino from 'pino';
import type { Client } from '@temporalio/client';
import { describeConnections } from '../config/connections.ts';
import { type ApiConfig, readApiConfig } from '../config/engine.ts';
import { settingStatesOf, warnOfUnneededSecrets } from '../config/programs.ts';
import { SECOND_MS } from '../domain/time.ts';
import { createMailLimit } from '../accounts/mail-limit.ts';
import { createMailer } from '../mail/mailer.ts';
import { createMetricsAccess } from '../metrics/metrics-access.ts';
import { createMetricsRegistry } from '../metrics/registry.ts';
import {
  createPolicyReportMetrics,
  createRequestMetrics,
  createShareMetrics,
  createSocketMetrics,
} from '../metrics/server-metrics.ts';
import { workflowsUrlOf } from '../domain/workflows-url.ts';
import { createDatabase, createDirectConnections, type Database } from '../prisma/connection/client.ts';
import { createDepositStore } from '../prisma/stores/deposit-store.ts';
import { waitForDatabase } from '../prisma/connection/wait-for-database.ts';
import { createEvmAccounts } from '../providers/evm/evm-accounts.ts';
import { createProviderKinds } from '../providers/provider-kinds.ts';
import { createProviderRegistry } from '../providers/provider-registry.ts';
import { onUnknownValue, UNKNOWN_VALUE_MESSAGE } from '../providers/reported-values.ts';
import { createSimulators } from '../providers/simulator/create-simulators.ts';
import { startTracing } from '../traces/start-tracing.ts';
import { closeTracer, traceFields } from '../traces/tracer.ts';
import { createTemporalClient } from '../workflow-client/connection.ts';
import { createManualResolutions } from '../workflow-client/manual-resolutions.ts';
import { createPaymentWorkflows } from '../workflow-client/payment-workflows.ts';
import { createDisputeWorkflows } from '../workflow-client/dispute-workflows.ts';
import { createRefundWorkflows } from '../workflow-client/refund-workflows.ts';
import { createWebhookWorkflows } from '../workflow-client/webhook-workflows.ts';
import { createPayloadCodec } from '../vault/payload-codec.ts';
import { parseCardPublicKey } from '../vault/card-keys.ts';
import { readKeyring } from '../vault/key-providers.ts';
import type { Keyring } from '../vault/keyring.ts';
import { createProviderAccounts } from '../vault/provider-accounts.ts';
import { createCheckedFetchers } from '../webhooks/checked-fetch.ts';
import { createTargetPolicies } from '../webhooks/target-policy.ts';
import { createApp } from './app.ts';
import { readCheckoutSdk } from './checkout/sdk.ts';
import { readPaymentPage } from './payment-page/built-page.ts';
import { createPolicyReports } from './policy-reports.ts';
import { readDocsSite } from './openapi/docs-site.ts';
import { createKnownCallers, UNKNOWN_CALLERS_POOL_SIZE } from '../http/authentication/known-callers.ts';
import { createAdmission, UNLIMITED_ADMISSION } from './admission.ts';
import { createClientAddresses } from '../http/client-address.ts';
import { checkDatabase, READINESS_TIMEOUT_MS, type ReadinessChecks } from '../http/server/health.ts';
import { createDeclineLimits } from './checkout-limits/decline-limits.ts';
import { reportCardTesting } from './checkout-limits/report-card-testing.ts';
import { createUpiRequestLimits } from './checkout-limits/upi-request-limits.ts';
import { createOpenConfirms } from './resources/payment-intents/open-confirms.ts';
import { countedRejection } from '../http/rate-limits/rate-limit.ts';
import { createKeyUses } from '../http/key-uses.ts';
import { createRequestLog } from '../http/request-log.ts';
import { createReadTurns } from '../http/read-turns.ts';
import { createCsvExports } from './resources/csv-export.ts';
import { openRateLimiters } from '../http/rate-limits/rate-limiters.ts';
import { runProcess, serveUntilStopped } from '../http/server/run-server.ts';
import { serveSockets } from '../gateway/serve-sockets.ts';
import { createServer } from '../http/server/server.ts';

/** After this time another request may claim an idempotency key, because the process that locked it may be dead. */
const IDEMPOTENCY_LOCK_MS = 30 * SECOND_MS;
/** How long a request takes at most, apart from waiting for the outcome. */
const RUN_OVERHEAD_MS = 15 * SECOND_MS;
/** Longest wait when credentials are checked, the only call of the API to providers. */
const CHECK_TIMEOUT_MS = 10 * SECOND_MS;

async function main(): Promise<void> {
  const config = readApiConfig();
  const logger = pino({ name: 'api', level: config.logLevel, mixin: traceFields });
  await startTracing(config, 'payment-engine-api');
  logger.info(describeConnections(config), 'starting');
  warnOfUnneededSecrets('api', (message) => logger.warn(message));
  onUnknownValue((unknown) => logger.warn(unknown, UNKNOWN_VALUE_MESSAGE));
  const keyring = await readKeyring(config);
  await waitForDatabase(config.databaseUrl);
  const database = createDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  const limiters = await openRateLimiters(config, logger);
  const { rateLimiters } = limiters;
  const addresses = createClientAddresses(config.trustProxy);

  const codec = createPayloadCodec(keyring, { encrypts: config.temporal.encryptPayloads });
  const temporal = createTemporalClient(config.temporal, [codec]);
  const knownCallers = createKnownCallers(keyring);
  const unknownCallersDatabase = createDirectConnections({
    url: config.databaseUrl,
    poolSize: UNKNOWN_CALLERS_POOL_SIZE,
  });
  const providers = createProviders(config, { database, databaseForUnknown: unknownCallersDatabase, keyring });
  const metrics = createMetricsRegistry({
    main: database.poolState,
    unknown_callers: unknownCallersDatabase.poolState,
  });
  const requestLog = createRequestLog(database, logger);
  const mailer =
    config.invitations === null
      ? null
      : createMailer({ ...config.invitations.mail, mayGetAnother: createMailLimit(database), logger });
  const keyUses = createKeyUses(database, logger);
  const policyReports = createPolicyReports(database, logger, createPolicyReportMetrics(metrics));
  const watchShare = createShareMetrics(metrics);
  const shares = createShares(config);
  for (const [of, { usage }] of Object.entries(shares)) watchShare(of, usage);
  const app = createApp({
    ...providers,
    ...(await readServedFiles(config)),
    ...settingsOf(config),
    requestLog,
    keyUses,
    policyReports,
    metrics: { registry: metrics, mayRead: createMetricsAccess(config.metricsAllowedAddresses) },
    measureRequest: createRequestMetrics(metrics),
    database,
    unknownCallersDatabase,
    knownCallers,
    rateLimiters,
    admission: shares.operations,
    csvExports: shares.exports,
    readTurns: shares.reads,
    declineLimits: createDeclineLimits(
      database,
      config.declinesPerHour,
      (confirm, suspected) =>
        void reportCardTesting(database, confirm, suspected).catch((error: unknown) =>
          logger.warn({ err: error }, 'a merchant was not told of card testing'),
        ),
    ),
    upiRequestLimits: createUpiRequestLimits(database),
    openConfirms: createOpenConfirms(database),
    keyring,
    cards: parseCardPublicKey(config.cardPublicKey),
    workflows: createPaymentWorkflows(temporal),
    refundWorkflows: createRefundWorkflows(temporal),
    disputeWorkflows: createDisputeWorkflows(temporal),
    manualResolutions: createManualResolutions(temporal, config.confirmWaitMs),
    webhookWorkflows: createWebhookWorkflows(temporal),
    readiness: readinessChecks(database, temporal),
    addresses,
    invitationSender: mailer === null ? null : { mailer, dashboardUrl: config.invitations?.dashboardUrl ?? '' },
    logger,
  });
  const countRejection = async (address: string) => countedRejection(await rateLimiters.countAddress(address));
  const server = createServer(app, {
    tls: config.tls,
    maximumConnectionsPerAddress: config.connectionsPerAddress,
    isTrustedProxy: addresses.isTrustedProxy,
    countRejection,
    logger,
  });
  const sockets = {
    config,
    database,
    keyring,
    unknownCallersDatabase,
    knownCallers,
    rateLimiters,
    addresses,
    keyUses,
    countRejection,
    metrics: createSocketMetrics(metrics, watchShare),
    logger,
  };
  const gateway = config.gatewayInApi ? serveSockets(server, sockets) : null;

  await serveUntilStopped({ name: 'api', portVariable: 'PORT', config, server, gateway });
  await requestLog.close();
  await keyUses.close();
  await policyReports.close();
  await Promise.allSettled([
    mailer?.close(),
    limiters.close(),
    unknownCallersDatabase.close(),
    database.$disconnect(),
    temporal.connection.close(),
    closeTracer(),
  ]);
}

/** What the merchants share in this process, by the name that its gauge has. */
function createShares({ confirmTargetMs, databasePoolSize }: ApiConfig) {
  return {
    operations: confirmTargetMs === 0 ? UNLIMITED_ADMISSION : createAdmission(confirmTargetMs),
    exports: createCsvExports(),
    reads: createReadTurns(databasePoolSize),
  };
}

interface ProviderDependencies {
  readonly database: Database;
  /** Connections for looking up accounts that unknown callers name. */
  readonly databaseForUnknown: Pick<Database, 'direct'>;
  readonly keyring: Keyring;
}

/** The providers that routes may name, and the addresses that may be called. */
function createProviders(config: ApiConfig, { database, databaseForUnknown, keyring }: ProviderDependencies) {
  const { allowSimulatorInProduction } = config;
  const webhookTargets = createTargetPolicies({ allowPrivateInSandbox: config.allowPrivateWebhooksInSandbox });
  const deposits = createDepositStore(database);
  const providerKinds = createProviderKinds({
    apiUrls: config.providerApiUrls,
    timeoutMs: CHECK_TIMEOUT_MS,
    allowSimulatorInProduction,
    deposits,
    fetchers: createCheckedFetchers(webhookTargets, config.webhookProxy),
  });
  const simulators = createSimulators({
    simulators: config.simulators,
    timeoutMs: CHECK_TIMEOUT_MS,
    allowInProduction: allowSimulatorInProduction,
  });
  const evmAccounts = createEvmAccounts({ accounts: config.evmAccounts, timeoutMs: CHECK_TIMEOUT_MS, deposits });
  const registry = createProviderRegistry(
    [...simulators, ...evmAccounts],
    createProviderAccounts({ database, databaseForUnknown, keyring, kinds: providerKinds, takesWebhooks: true }),
  );
  return { registry, findProvider: registry.find, providerKinds, webhookTargets };
}

/** What is served from files that the build has made. */
async function readServedFiles({ docs }: ApiConfig) {
  return {
    checkoutSdk: await readCheckoutSdk(),
    paymentPage: await readPaymentPage(),
    docsSite: docs ? await readDocsSite() : null,
  };
}

/** The settings of the application. */
function settingsOf(config: ApiConfig) {
  return {
    requestsInFlightPerAddress: config.connectionsPerAddress,
    apiPublicUrl: config.apiPublicUrl,
    pageRequestsPerMinute: config.rateLimits.unauthenticated,
    cardFieldsOrigins: config.cardFieldsOrigins,
    securityContacts: config.securityContacts,
    demoUrl: config.demoUrl,
    dashboardSecret: config.dashboardSecret,
    requireSecondFactor: config.requireSecondFactor,
    sessionLimits: config.sessionLimits,
    settingStates: settingStatesOf('api'),
    confirmWaitMs: config.confirmWaitMs,
    storeCards: config.storeCards,
    failoverWithinMs: config.failoverWithinMs,
    workflowsUrl:
      config.temporalUiUrl === null ? null : workflowsUrlOf(config.temporalUiUrl, config.temporal.namespace),
    lockMs: Math.max(IDEMPOTENCY_LOCK_MS, config.confirmWaitMs + RUN_OVERHEAD_MS),
  };
}

function readinessChecks(database: Database, temporal: Client): ReadinessChecks {
  return {
    database: () => checkDatabase(database),
    temporal: () =>
      temporal.withDeadline(Date.now() + READINESS_TIMEOUT_MS, () => temporal.workflowService.getSystemInfo({})),
  };
}

runProcess('api', main);

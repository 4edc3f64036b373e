import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';
import pino from 'pino';
import { createActivities, createWebhookActivities } from '../activities/create-activities.ts';
import { createCustomerReturns } from '../activities/customer-returns.ts';
import { createEndpointSlots } from '../activities/endpoint-slots.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { describeConnections } from '../config/connections.ts';
import { readWorkerConfig, type WorkerConfig } from '../config/engine.ts';
import { warnOfUnneededSecrets } from '../config/programs.ts';
import { UserError } from '../domain/user-error.ts';
import { SECOND_MS } from '../domain/time.ts';
import { createMetricsAccess } from '../metrics/metrics-access.ts';
import { createMetricsRegistry } from '../metrics/registry.ts';
import {
  createAlertMetrics,
  createBacklogMetrics,
  createProviderCallMetrics,
  createProviderLoadMetrics,
  createReconciliationMetrics,
  createRecordMetrics,
  createWebhookMetrics,
} from '../metrics/worker-metrics.ts';
import { createDatabase, type Database } from '../prisma/connection/client.ts';
import { createDepositStore } from '../prisma/stores/deposit-store.ts';
import { waitForDatabase } from '../prisma/connection/wait-for-database.ts';
import { createEvmAccounts } from '../providers/evm/evm-accounts.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { createCallLimits, limitCalls, type ProviderCallLimits } from '../providers/limit-calls.ts';
import { measureCalls, type ProviderCall } from '../providers/measure-calls.ts';
import { noteRefusals, type RefusalNotes } from '../providers/note-refusals.ts';
import { createProviderKinds } from '../providers/provider-kinds.ts';
import {
  createProviderRegistry,
  type ProviderRegistry,
  type RegisteredProvider,
} from '../providers/provider-registry.ts';
import { onUnknownValue, UNKNOWN_VALUE_MESSAGE } from '../providers/reported-values.ts';
import { createSimulators } from '../providers/simulator/create-simulators.ts';
import { startTracing } from '../traces/start-tracing.ts';
import { closeTracer, traceFields } from '../traces/tracer.ts';
import { createTemporalClient } from '../workflow-client/connection.ts';
import { createPaymentWorkflows } from '../workflow-client/payment-workflows.ts';
import { createRefundWorkflows } from '../workflow-client/refund-workflows.ts';
import { createReconciliations } from '../workflow-client/reconciliations.ts';
import { createSettlementImports } from '../workflow-client/settlement-imports.ts';
import { createSavedMethodWorkflows } from '../workflow-client/saved-method-workflows.ts';
import { createDisputeWorkflows } from '../workflow-client/dispute-workflows.ts';
import { createStrayChargeWorkflows } from '../workflow-client/stray-charge-workflows.ts';
import { createWebhookWorkflows } from '../workflow-client/webhook-workflows.ts';
import { createWorkerVersions } from '../workflow-client/worker-versions.ts';
import { createWorkflowStates } from '../workflow-client/workflow-states.ts';
import { createPayloadCodec } from '../vault/payload-codec.ts';
import { createCardKeyring } from '../vault/card-keys.ts';
import { readKeyring, readKeys } from '../vault/key-providers.ts';
import type { Keyring } from '../vault/keyring.ts';
import { accountRefusals, loggedRefusals } from '../vault/account-refusals.ts';
import { createProviderAccounts } from '../vault/provider-accounts.ts';
import { createWatchedAccounts } from './jobs/watched-accounts.ts';
import { type CheckedFetchers, createCheckedFetchers } from '../webhooks/checked-fetch.ts';
import { createTargetPolicies } from '../webhooks/target-policy.ts';
import { connectWithRetries } from './connect-with-retries.ts';
import { createPaymentWorker, createWebhookWorker } from './create-worker.ts';
import { workerDataConverter } from './data-converter.ts';
import { keepVersionCurrent } from './deployment.ts';
import { installRuntime } from './install-runtime.ts';
import { serveStatus } from './serve-status.ts';
import { workflowBuildId } from './workflow-source.ts';

/** After a start, payments get the processor first. */
const WEBHOOKS_AFTER_MS = 2 * SECOND_MS;

async function main(): Promise<void> {
  const stopping = new AbortController();
  let isStarting = true;
  // While the process starts there is nothing to finish. Without a handler, the first process of a container ignores signals.
  onStopRequest(() => (isStarting ? process.exit(0) : stopping.abort()));
  const config = readWorkerConfig();
  const buildId = workflowBuildId();
  const metrics = createMetricsRegistry({ main: () => database.poolState() });
  const countAlert = createAlertMetrics(metrics);
  const logger = pino({
    name: 'worker',
    level: config.logLevel,
    hooks: { logMethod: seeingAlerts(countAlert) },
    mixin: traceFields,
  });
  await startTracing(config, 'payment-engine-worker');
  logger.info({ ...describeConnections(config), buildId }, 'starting');
  warnOfUnneededSecrets('worker', (message) => logger.warn(message));
  onUnknownValue((unknown) => logger.warn(unknown, UNKNOWN_VALUE_MESSAGE));
  const readTemporalMetrics = await installRuntime(logger, { isMeasured: config.port !== null });
  const { namespace, encryptPayloads: encrypts } = config.temporal;
  const keyring = await readKeyring(config);
  const cardKeys = await readKeys('CARD_KEYS', config.cardKeys, config.keyProvider);
  const database = createDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  const [connection] = await Promise.all([connectWithRetries(config.temporal), waitForDatabase(config.databaseUrl)]);
  const codec = createPayloadCodec(keyring, { encrypts });
  const dataConverter = workerDataConverter({ codec, encrypts });
  const { shutdownGraceMs } = config;
  const evmAccounts = createEvmAccounts({
    accounts: config.evmAccounts,
    timeoutMs: config.providerTimeoutMs,
    deposits: createDepositStore(database),
  });
  const targets = createTargetPolicies({ allowPrivateInSandbox: config.allowPrivateWebhooksInSandbox });
  const fetchers = createCheckedFetchers(targets, config.webhookProxy);
  const registry = createRegistry(config, {
    database,
    keyring,
    evmAccounts,
    fetchers,
    onCall: createProviderCallMetrics(metrics),
    limits: createCallLimits(createProviderLoadMetrics(metrics)),
    logger,
  });
  const payments = await createPaymentWorker({
    connection,
    namespace,
    activities: createActivities({
      database,
      registry,
      cards: createCardKeyring(cardKeys),
      keyring,
      returns: createCustomerReturns({ database, keyring, apiPublicUrl: config.apiPublicUrl }),
      metrics: { ...createRecordMetrics(metrics), ...createReconciliationMetrics(metrics, config.simulators) },
    }),
    dataConverter,
    maxCachedWorkflows: config.maxCachedWorkflows,
    shutdownGraceMs,
    buildId,
  });
  const createWebhooks = () =>
    createWebhookWorker({
      connection,
      namespace,
      activities: createWebhookActivities({
        database,
        keyring,
        targets,
        proxy: config.webhookProxy,
        slots: createEndpointSlots(),
        onAttempt: createWebhookMetrics(metrics),
      }),
      dataConverter,
      shutdownGraceMs,
      buildId,
    });
  const client = createTemporalClient(config.temporal, [codec]);
  const versions = createWorkerVersions(client);
  const jobs = startJobs({
    database,
    workflows: createPaymentWorkflows(client),
    refundWorkflows: createRefundWorkflows(client),
    disputeWorkflows: createDisputeWorkflows(client),
    strayChargeWorkflows: createStrayChargeWorkflows(client),
    savedMethodWorkflows: createSavedMethodWorkflows(client),
    states: createWorkflowStates(client),
    reconciliations: createReconciliations(client),
    settlementImports: createSettlementImports(client),
    registry,
    reconcileEveryMs: config.reconcileEveryMs,
    versions,
    webhookWorkflows: createWebhookWorkflows(client),
    depositAccounts: evmAccounts.map(({ watched }) => watched),
    watchedAccounts: createWatchedAccounts({ database, keyring, timeoutMs: config.providerTimeoutMs, fetchers }),
    logger,
    retention: config.retention,
    showBacklogs: createBacklogMetrics(metrics),
  });
  const server = await serveStatus(config, {
    isReady: () => payments.getState() === 'RUNNING',
    readMetrics: async () => `${await metrics.metrics()}${await readTemporalMetrics()}`,
    metricsType: metrics.contentType,
    mayReadMetrics: createMetricsAccess(config.metricsAllowedAddresses),
  });
  isStarting = false;
  const paying = runUntil(stopping.signal, payments);
  const onReady = (): void => void process.stdout.write(`worker polling ${config.temporal.address}\n`);
  const currentVersion = config.makeCurrent ? keepVersionCurrent({ versions, buildId, logger, onReady }) : undefined;
  if (currentVersion === undefined) onReady();
  // The webhook worker loads the workflow bundle again, which would delay the first payments after a start.
  const delivering = wait(WEBHOOKS_AFTER_MS, undefined, { signal: stopping.signal }).then(
    async () => runUntil(stopping.signal, await createWebhooks()),
    () => undefined,
  );
  await Promise.all([paying, delivering]);
  server?.closeAllConnections();
  server?.close();
  await Promise.all([jobs.stop(), currentVersion?.stop()]);
  await Promise.all([client.connection.close(), connection.close(), database.$disconnect(), closeTracer()]);
}

async function runUntil(stop: AbortSignal, worker: Worker): Promise<void> {
  const ended = worker.run();
  // A worker that never ran would keep its connection open.
  if (stop.aborted) worker.shutdown();
  else stop.addEventListener('abort', () => worker.shutdown());
  await ended;
}

interface RegistryDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly evmAccounts: readonly RegisteredProvider[];
  readonly fetchers: CheckedFetchers;
  readonly onCall: (call: ProviderCall) => void;
  readonly limits: ProviderCallLimits;
  readonly logger: pino.Logger;
}

function createRegistry(
  config: WorkerConfig,
  { database, keyring, evmAccounts, fetchers, onCall, limits, logger }: RegistryDependencies,
): ProviderRegistry {
  const wrap = (provider: PaymentProvider, notes: RefusalNotes) =>
    limitCalls(noteRefusals(measureCalls(provider, onCall), notes), limits);
  const { providerTimeoutMs: timeoutMs, allowSimulatorInProduction } = config;
  const simulators = createSimulators({
    simulators: config.simulators,
    timeoutMs,
    allowInProduction: allowSimulatorInProduction,
  });
  return createProviderRegistry(
    [...simulators, ...evmAccounts].map(({ provider, environments }) => ({
      provider: wrap(provider, loggedRefusals(logger, provider.name)),
      environments,
    })),
    createProviderAccounts({
      database,
      keyring,
      kinds: createProviderKinds({
        apiUrls: config.providerApiUrls,
        timeoutMs,
        requestsPerSecond: config.providerRequestsPerSecond,
        allowSimulatorInProduction,
        deposits: createDepositStore(database),
        fetchers,
      }),
      wrap: (provider, account) => wrap(provider, accountRefusals(database, logger, account)),
    }),
  );
}

type LogMethod = NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']>;

/** Reports the alert of each line of the log that has one. */
function seeingAlerts(onAlert: (alert: string) => void): LogMethod {
  return function (args, method) {
    const [fields] = args as readonly unknown[];
    if (typeof fields === 'object' && fields !== null && 'alert' in fields) onAlert(String(fields.alert));
    method.apply(this, args);
  };
}

/** Calls `stop` once: on a signal, or when the parent process ends. */
function onStopRequest(stop: () => void): void {
  let stopping = false;
  const once = (): void => {
    if (stopping) return;
    stopping = true;
    stop();
  };
  process.on('SIGTERM', once);
  process.on('SIGINT', once);
  process.on('disconnect', once);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof UserError ? error.message : `worker stopped: ${String(error)}`;
    process.stderr.write(`${message}\n`);
    process.exit(1);
  },
);

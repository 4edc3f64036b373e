import type { Logger } from 'pino';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Backlog } from '../../prisma/queries/backlog.ts';
import type { PaymentWorkflows } from '../../workflow-client/payment-workflows.ts';
import type { Reconciliations } from '../../workflow-client/reconciliations.ts';
import type { RefundWorkflows } from '../../workflow-client/refund-workflows.ts';
import type { SavedMethodWorkflows } from '../../workflow-client/saved-method-workflows.ts';
import type { DisputeWorkflows } from '../../workflow-client/dispute-workflows.ts';
import type { StrayChargeWorkflows } from '../../workflow-client/stray-charge-workflows.ts';
import type { WebhookWorkflows } from '../../workflow-client/webhook-workflows.ts';
import type { WorkerVersions } from '../../workflow-client/worker-versions.ts';
import type { WorkflowStates } from '../../workflow-client/workflow-states.ts';
import { createAbandonedRunsJob } from './abandoned-runs.ts';
import { createEndedByHandJob } from './ended-by-hand.ts';
import { startJobLeader } from './job-leader.ts';
import { readBacklogs } from './read-backlogs.ts';
import { SEQUENCER_BATCH_SIZE, sequenceEvents } from './event-sequencer.ts';
import { followTestClocks } from './follow-test-clocks.ts';
import { keepPartitions } from './keep-partitions.ts';
import { keepStatistics, STATISTICS_BATCH_SIZE } from './keep-statistics.ts';
import { PAYMENT_SWEEP_SIZE, sweepPayments } from './payment-sweeper.ts';
import { PLANNER_BATCH_SIZE, planDeliveries } from './plan-deliveries.ts';
import { DISPUTE_SWEEP_SIZE, sweepDisputes } from './dispute-sweeper.ts';
import { sweepProviderEvents } from './provider-event-sweeper.ts';
import { purge, type Retention } from './purge.ts';
import { REFUND_SWEEP_SIZE, sweepRefunds } from './refund-sweeper.ts';
import { type RunLoopOptions, type RunningLoop, startLoop } from './run-loop.ts';
import {
  createReconciliationScheduler,
  createSettlementScheduler,
  type ReconciliationSchedulerDependencies,
  type SettlementSchedulerDependencies,
} from './schedule-reconciliations.ts';
import { recoverEndpoints, SETTLED_BATCH_SIZE, settleHeldDeliveries } from './recover-endpoints.ts';
import { SAVED_METHOD_SWEEP_SIZE, sweepSavedMethods } from './saved-method-sweeper.ts';
import { createDeliverySweeper, STARTER_BATCH_SIZE, startDeliveries } from './start-deliveries.ts';
import { STRAY_CHARGE_SWEEP_SIZE, sweepStrayCharges } from './stray-charge-sweeper.ts';
import { type AccountWatcherDependencies, createAccountWatcher } from './watch-accounts.ts';

export interface JobDependencies
  extends ReconciliationSchedulerDependencies, SettlementSchedulerDependencies, AccountWatcherDependencies {
  readonly database: Database;
  readonly reconciliations: Pick<Reconciliations, 'schedule' | 'unschedule' | 'scheduled' | 'compareOne'>;
  readonly workflows: Pick<PaymentWorkflows, 'start' | 'takeOver' | 'deliverProviderEvent' | 'followTestClock'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'start' | 'takeOver' | 'deliverRefundEvent' | 'fail'>;
  readonly disputeWorkflows: DisputeWorkflows;
  readonly strayChargeWorkflows: StrayChargeWorkflows;
  readonly savedMethodWorkflows: SavedMethodWorkflows;
  readonly states: WorkflowStates;
  readonly versions: Pick<WorkerVersions, 'versionsWithoutWorker' | 'runsOf'>;
  readonly webhookWorkflows: Pick<WebhookWorkflows, 'start' | 'recover'>;
  readonly logger: Logger;
  readonly retention: Retention;
  /** Called with the backlogs after each reading. */
  readonly showBacklogs: (backlogs: readonly Backlog[]) => void;
}

export interface RunningJobs {
  /** Waits for the current runs to finish, and starts no others. Close the database only afterwards. */
  stop(): Promise<void>;
}

type Pauses = Pick<RunLoopOptions, 'intervalMs' | 'maximumBackoffMs'>;

/** Too short for a customer to notice on a page that waits for its payment. */
const SEQUENCING: Pauses = { intervalMs: 100, maximumBackoffMs: 2 * SECOND_MS };
const DELIVERING: Pauses = { intervalMs: 250, maximumBackoffMs: 2 * SECOND_MS };
/** A person who opens the dashboard's home page this long after a payment finds it counted. */
const COUNTING: Pauses = { intervalMs: 2 * SECOND_MS, maximumBackoffMs: 30 * SECOND_MS };
/** A developer waits for the clock. */
const FOLLOWING: Pauses = { intervalMs: 500, maximumBackoffMs: 10 * SECOND_MS };
const SWEEPING: Pauses = { intervalMs: 2 * SECOND_MS, maximumBackoffMs: 10 * SECOND_MS };
/** A person who disables an endpoint sees soon afterwards what became of its deliveries. */
const SETTLING: Pauses = { intervalMs: 10 * SECOND_MS };
/** About as often as chains have a new block; nodes limit how often they may be asked. */
const WATCHING: Pauses = { intervalMs: 4 * SECOND_MS };
const CHECKING_VERSIONS: Pauses = { intervalMs: 15 * SECOND_MS };
const MEASURING: Pauses = { intervalMs: 15 * SECOND_MS };
const SCHEDULING: Pauses = { intervalMs: 10 * MINUTE_MS };
const PURGING: Pauses = { intervalMs: HOUR_MS, maximumBackoffMs: 10 * MINUTE_MS };

/** A job's name, its pauses, one run, and how many rows a run handles at most; after a full batch it runs again at once. */
type Job = readonly [
  name: string,
  pauses: Pauses,
  run: (dependencies: JobDependencies, signal: AbortSignal) => Promise<number | void>,
  batchSize?: number,
];

/** The jobs that one worker runs for all. Two leaders at once do no harm: each job claims its rows, or changes nothing twice. */
const LEADER_JOBS: readonly Job[] = [
  ['event-sequencer', SEQUENCING, ({ database }) => sequenceEvents(database), SEQUENCER_BATCH_SIZE],
  ['webhook-planner', DELIVERING, ({ database }) => planDeliveries(database), PLANNER_BATCH_SIZE],
  ['webhook-recovery', DELIVERING, recoverEndpoints],
  ['held-webhooks', SETTLING, settleHeldDeliveries, SETTLED_BATCH_SIZE],
  ['statistics', COUNTING, ({ database }) => keepStatistics(database), STATISTICS_BATCH_SIZE],
  ['payment-sweeper', SWEEPING, sweepPayments, PAYMENT_SWEEP_SIZE],
  ['refund-sweeper', SWEEPING, sweepRefunds, REFUND_SWEEP_SIZE],
  ['dispute-sweeper', SWEEPING, sweepDisputes, DISPUTE_SWEEP_SIZE],
  ['stray-charge-sweeper', SWEEPING, sweepStrayCharges, STRAY_CHARGE_SWEEP_SIZE],
  ['saved-method-sweeper', SWEEPING, sweepSavedMethods, SAVED_METHOD_SWEEP_SIZE],
  ['provider-event-sweeper', SWEEPING, sweepProviderEvents],
  ['test-clock-follower', FOLLOWING, followTestClocks, 1],
  ['partitions', PURGING, keepPartitions],
  ['purge', PURGING, purgeAndLog],
];

/** The jobs that every worker runs: the workers share the rows, or each shows metrics of its own. */
const SHARED_JOBS: readonly Job[] = [
  ['webhook-starter', DELIVERING, startDeliveries, STARTER_BATCH_SIZE],
  ['backlog-reader', MEASURING, async ({ database, showBacklogs }) => showBacklogs(await readBacklogs(database))],
];

/**
 * Starts the background jobs of a worker: number events, plan and start webhooks, keep statistics, check the workflows of
 * payments, refunds, disputes and stray charges, read and remove tokens of saved cards, deliver provider events that the API did not deliver, have payments follow test clocks,
 * schedule reconciliations and imports of settlements, watch deposits, end runs of versions that no worker runs, have what was terminated checked, make and drop
 * partitions, purge, read the backlogs.
 * Any number of workers may run them on one database: one of them leads.
 */
export function startJobs(dependencies: JobDependencies): RunningJobs {
  const { database, logger } = dependencies;
  return together([
    startJobLeader({ database, name: 'jobs', logger, lead: () => startLeaderJobs(dependencies) }),
    ...SHARED_JOBS.map((job) => startJob(job, dependencies)),
  ]);
}

function startLeaderJobs(dependencies: JobDependencies): RunningJobs {
  const { logger } = dependencies;
  const endAbandonedRuns = createAbandonedRunsJob(dependencies);
  const findEndedByHand = createEndedByHandJob(dependencies);
  const scheduleReconciliations = createReconciliationScheduler(dependencies);
  const scheduleSettlementImports = createSettlementScheduler(dependencies);
  const sweepDeliveries = createDeliverySweeper(dependencies);
  return together([
    watchDepositsOfAll(dependencies),
    ...LEADER_JOBS.map((job) => startJob(job, dependencies)),
    startLoop({ name: 'webhook-sweeper', ...SWEEPING, logger, run: sweepDeliveries }),
    startLoop({ name: 'abandoned-runs', ...CHECKING_VERSIONS, logger, run: endAbandonedRuns }),
    startLoop({ name: 'ended-by-hand', ...CHECKING_VERSIONS, logger, run: findEndedByHand }),
    startLoop({ name: 'reconciliation-scheduler', ...SCHEDULING, logger, run: scheduleReconciliations }),
    startLoop({ name: 'settlement-scheduler', ...SCHEDULING, logger, run: scheduleSettlementImports }),
  ]);
}

function watchDepositsOfAll(dependencies: JobDependencies): RunningJobs {
  const { run, finished } = createAccountWatcher(dependencies);
  const watching = startLoop({
    name: 'deposit-watcher',
    ...WATCHING,
    logger: dependencies.logger,
    run: async (signal) => {
      await run(signal);
      return 'done';
    },
  });
  return {
    async stop() {
      await watching.stop();
      await finished();
    },
  };
}

function together(jobs: readonly RunningJobs[]): RunningJobs {
  return {
    async stop() {
      await Promise.all(jobs.map((each) => each.stop()));
    },
  };
}

function startJob([name, pauses, run, batchSize = Infinity]: Job, dependencies: JobDependencies): RunningLoop {
  return startLoop({
    name,
    ...pauses,
    logger: dependencies.logger,
    run: async (signal) => (((await run(dependencies, signal)) ?? 0) >= batchSize ? 'more' : 'done'),
  });
}

async function purgeAndLog({ database, retention, logger }: JobDependencies, signal: AbortSignal): Promise<void> {
  const rows = await purge(database, retention, signal);
  if (rows > 0) logger.info({ rows }, 'purged expired rows');
}

import type { Logger } from 'pino';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/client.ts';
import type { PaymentWorkflows } from '../../workflows/client/payment-workflows.ts';
import type { RefundWorkflows } from '../../workflows/client/refund-workflows.ts';
import type { StrayChargeWorkflows } from '../../workflows/client/stray-charge-workflows.ts';
import type { WebhookWorkflows } from '../../workflows/client/webhook-workflows.ts';
import type { WorkerVersions } from '../../workflows/client/worker-versions.ts';
import type { WorkflowStates } from '../../workflows/client/workflow-states.ts';
import { createAbandonedRunsJob } from './abandoned-runs.ts';
import { SEQUENCER_BATCH_SIZE, sequenceEvents } from './event-sequencer.ts';
import { sweepDeliveries } from './delivery-sweeper.ts';
import { PAYMENT_SWEEP_SIZE, sweepPayments } from './payment-sweeper.ts';
import { PLANNER_BATCH_SIZE, planDeliveries, unblockDeliveries } from './plan-deliveries.ts';
import { sweepProviderEvents } from './provider-event-sweeper.ts';
import { purge, type Retention } from './purge.ts';
import { REFUND_SWEEP_SIZE, sweepRefunds } from './refund-sweeper.ts';
import { startLoop, type RunningLoop } from './run-loop.ts';
import { STARTER_BATCH_SIZE, startDeliveries } from './start-deliveries.ts';
import { STRAY_CHARGE_SWEEP_SIZE, sweepStrayCharges } from './stray-charge-sweeper.ts';

export interface JobDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'start' | 'takeOver' | 'deliverProviderEvent'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'start' | 'takeOver' | 'deliverRefundEvent'>;
  readonly strayChargeWorkflows: StrayChargeWorkflows;
  readonly states: WorkflowStates;
  readonly versions: Pick<WorkerVersions, 'versionsWithoutWorker' | 'runsOf'>;
  readonly webhookWorkflows: Pick<WebhookWorkflows, 'start'>;
  readonly logger: Logger;
  readonly retention: Retention;
}

export interface RunningJobs {
  /** Waits for the current runs to finish, and starts no others. Close the database only afterwards. */
  stop(): Promise<void>;
}

/** Too short for a customer to notice on a page that waits for its payment. */
const SEQUENCE_EVERY_MS = 100;
const DELIVER_EVERY_MS = 250;
const SWEEP_EVERY_MS = 2 * SECOND_MS;
const CHECK_ABANDONED_RUNS_EVERY_MS = 15 * SECOND_MS;
const LONGEST_SEQUENCER_PAUSE_MS = 2 * SECOND_MS;
const LONGEST_SWEEPER_PAUSE_MS = 10 * SECOND_MS;
const LONGEST_PURGE_PAUSE_MS = 10 * MINUTE_MS;

/**
 * Starts the background jobs of a worker: number events, plan and start webhooks, check the workflows of payments, refunds and
 * stray charges, deliver provider events that the API did not deliver, purge.
 * Any number of workers may run them on one database.
 */
export function startJobs(dependencies: JobDependencies): RunningJobs {
  const { database, workflows, refundWorkflows, webhookWorkflows, logger, retention } = dependencies;
  const endAbandonedRuns = createAbandonedRunsJob(dependencies);
  const loops: readonly RunningLoop[] = [
    startLoop({
      name: 'event-sequencer',
      intervalMs: SEQUENCE_EVERY_MS,
      maximumBackoffMs: LONGEST_SEQUENCER_PAUSE_MS,
      logger,
      run: async () => ((await sequenceEvents(database)) >= SEQUENCER_BATCH_SIZE ? 'more' : 'done'),
    }),
    startLoop({
      name: 'webhook-planner',
      intervalMs: DELIVER_EVERY_MS,
      maximumBackoffMs: LONGEST_SEQUENCER_PAUSE_MS,
      logger,
      run: async () => ((await planDeliveries(database)) >= PLANNER_BATCH_SIZE ? 'more' : 'done'),
    }),
    startLoop({
      name: 'webhook-starter',
      intervalMs: DELIVER_EVERY_MS,
      maximumBackoffMs: LONGEST_SEQUENCER_PAUSE_MS,
      logger,
      run: async (signal) => {
        const started = await startDeliveries({ database, webhookWorkflows }, signal);
        return started >= STARTER_BATCH_SIZE ? 'more' : 'done';
      },
    }),
    startLoop({
      name: 'webhook-sweeper',
      intervalMs: SWEEP_EVERY_MS,
      maximumBackoffMs: LONGEST_SWEEPER_PAUSE_MS,
      logger,
      run: async (signal) => {
        await unblockDeliveries(database);
        await sweepDeliveries(dependencies, signal);
        return 'done';
      },
    }),
    startLoop({
      name: 'payment-sweeper',
      intervalMs: SWEEP_EVERY_MS,
      maximumBackoffMs: LONGEST_SWEEPER_PAUSE_MS,
      logger,
      run: async (signal) => ((await sweepPayments(dependencies, signal)) >= PAYMENT_SWEEP_SIZE ? 'more' : 'done'),
    }),
    startLoop({
      name: 'refund-sweeper',
      intervalMs: SWEEP_EVERY_MS,
      maximumBackoffMs: LONGEST_SWEEPER_PAUSE_MS,
      logger,
      run: async (signal) => ((await sweepRefunds(dependencies, signal)) >= REFUND_SWEEP_SIZE ? 'more' : 'done'),
    }),
    startLoop({
      name: 'stray-charge-sweeper',
      intervalMs: SWEEP_EVERY_MS,
      maximumBackoffMs: LONGEST_SWEEPER_PAUSE_MS,
      logger,
      run: async (signal) => {
        const checked = await sweepStrayCharges(dependencies, signal);
        return checked >= STRAY_CHARGE_SWEEP_SIZE ? 'more' : 'done';
      },
    }),
    startLoop({
      name: 'provider-event-sweeper',
      intervalMs: SWEEP_EVERY_MS,
      maximumBackoffMs: LONGEST_SWEEPER_PAUSE_MS,
      logger,
      run: async (signal) => {
        await sweepProviderEvents({ database, workflows, refundWorkflows }, signal);
        return 'done';
      },
    }),
    startLoop({
      name: 'abandoned-runs',
      intervalMs: CHECK_ABANDONED_RUNS_EVERY_MS,
      logger,
      run: endAbandonedRuns,
    }),
    startLoop({
      name: 'purge',
      intervalMs: HOUR_MS,
      maximumBackoffMs: LONGEST_PURGE_PAUSE_MS,
      logger,
      run: async (signal) => {
        const rows = await purge(database, retention, signal);
        if (rows > 0) logger.info({ rows }, 'purged expired rows');
        return 'done';
      },
    }),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((each) => each.stop()));
    },
  };
}

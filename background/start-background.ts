import type { Logger } from 'pino';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/client.ts';
import type { PaymentWorkflows } from '../temporal/payment-workflows.ts';
import type { RefundWorkflows } from '../temporal/refund-workflows.ts';
import type { WebhookWorkflows } from '../temporal/webhook-workflows.ts';
import type { WorkflowStandings } from '../temporal/workflow-standings.ts';
import { sweepCreations } from './creation-sweeper.ts';
import { SEQUENCER_BATCH_SIZE, sequenceEvents } from './event-sequencer.ts';
import { sweepDeliveries } from './delivery-sweeper.ts';
import { createOrphanSweeper } from './orphan-sweeper.ts';
import { PLANNER_BATCH_SIZE, planDeliveries, releaseForgotten } from './plan-deliveries.ts';
import { sweepProviderEvents } from './provider-event-sweeper.ts';
import { purge, type Retention } from './purge.ts';
import { sweepRefunds } from './refund-sweeper.ts';
import { startLoop, type RunningLoop } from './run-loop.ts';
import { STARTER_BATCH_SIZE, startDeliveries } from './start-deliveries.ts';

export interface BackgroundDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'start' | 'restart' | 'deliverProviderEvent'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'start' | 'restart' | 'deliverRefundEvent'>;
  readonly standings: WorkflowStandings;
  readonly webhookWorkflows: Pick<WebhookWorkflows, 'start'>;
  readonly logger: Logger;
  readonly retention: Retention;
}

export interface Background {
  /** Lets what is under way finish and begins nothing else. The database is not to be closed before. */
  stop(): Promise<void>;
}

/** Well below what a person notices on a page that waits for its payment. */
const SEQUENCE_EVERY_MS = 100;
const DELIVER_EVERY_MS = 250;
const SWEEP_EVERY_MS = 2 * SECOND_MS;
const LOOK_FOR_ORPHANS_EVERY_MS = 3 * SECOND_MS;
const LONGEST_SEQUENCER_PAUSE_MS = 2 * SECOND_MS;
const LONGEST_SWEEPER_PAUSE_MS = 10 * SECOND_MS;
const LONGEST_PURGE_PAUSE_MS = 10 * MINUTE_MS;

/**
 * Starts the loops of a worker: number events, plan and start webhooks, start forgotten workflows, take over where one has
 * ended, pass on forgotten provider events, purge.
 * Any number of workers may run them on one database.
 */
export function startBackground(dependencies: BackgroundDependencies): Background {
  const { database, workflows, refundWorkflows, webhookWorkflows, logger, retention } = dependencies;
  const sweepOrphans = createOrphanSweeper(dependencies);
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
        await releaseForgotten(database);
        await sweepDeliveries(dependencies, signal);
        return 'done';
      },
    }),
    startLoop({
      name: 'creation-sweeper',
      intervalMs: SWEEP_EVERY_MS,
      maximumBackoffMs: LONGEST_SWEEPER_PAUSE_MS,
      logger,
      run: async (signal) => {
        await sweepCreations({ database, workflows }, signal);
        return 'done';
      },
    }),
    startLoop({
      name: 'refund-sweeper',
      intervalMs: SWEEP_EVERY_MS,
      maximumBackoffMs: LONGEST_SWEEPER_PAUSE_MS,
      logger,
      run: async (signal) => {
        await sweepRefunds({ database, refundWorkflows }, signal);
        return 'done';
      },
    }),
    startLoop({
      name: 'provider-event-sweeper',
      intervalMs: SWEEP_EVERY_MS,
      maximumBackoffMs: LONGEST_SWEEPER_PAUSE_MS,
      logger,
      run: async (signal) => {
        await sweepProviderEvents({ database, workflows, refundWorkflows, logger }, signal);
        return 'done';
      },
    }),
    startLoop({
      name: 'orphan-sweeper',
      intervalMs: LOOK_FOR_ORPHANS_EVERY_MS,
      maximumBackoffMs: LONGEST_SWEEPER_PAUSE_MS,
      logger,
      run: async (signal) => {
        await sweepOrphans(signal);
        return 'done';
      },
    }),
    startLoop({
      name: 'purge',
      intervalMs: HOUR_MS,
      maximumBackoffMs: LONGEST_PURGE_PAUSE_MS,
      logger,
      run: async (signal) => {
        const rows = await purge(database, retention, signal);
        if (rows > 0) logger.info({ rows }, 'purged what is no longer kept');
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

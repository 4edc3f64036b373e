import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { afterEach, describe, it } from 'mocha';
import { SECOND_MS } from '../../domain/time.ts';
import { SHOWN_AFTER_MS } from '../../domain/time-limits.ts';
import { workflowSource } from '../../worker/workflow-source.ts';
import { approved, eventFor, hang, until } from '../support/outcomes.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import { withPayment } from '../support/time-skipping.ts';

const TASK_QUEUE = 'local-activities';

describe('local activities of one workflow task', function () {
  this.timeout(60_000);
  let workers: RunningWorker[] = [];
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
  });

  it('replay in the order in which they have ended, even if the one that was scheduled first is slow', () => {
    const played = new ScriptedActivities({ alpha: { authorize: [hang] } });
    let wasEventRead = false;
    const activities: PaymentReads = {
      ...played.activities,
      // Slow enough to end after the other one, if both run at once.
      readPayment: async (known) => {
        await Promise.race([until(() => wasEventRead), wait(2 * SECOND_MS)]);
        return played.activities.readPayment(known);
      },
      readProviderEvent: async (reference) => {
        const event = await played.activities.readProviderEvent(reference);
        wasEventRead = true;
        return event;
      },
    };
    const workflowsOnly = { ...workflowSource(), enableNonLocalActivities: false, activities };
    return withPayment(
      played,
      async (payment) => {
        const { handle, nativeConnection } = payment;
        workers.push(await runWorker(nativeConnection, { activities }));
        const first = await runWorker(nativeConnection, { ...workflowsOnly, ...REMEMBERS_NOTHING });
        workers.push(first);
        await payment.confirm();
        await until(() => played.operations('alpha').includes('authorize'));
        await first.stop();

        // A single workflow task gets the timer that has fired and the report of the provider.
        await payment.skip(SHOWN_AFTER_MS);
        await played.report(handle, eventFor(payment, approved));
        workers.push(await runWorker(nativeConnection, workflowsOnly));
        await payment.end();

        await Worker.runReplayHistory(workflowSource(), await handle.fetchHistory());
        assert.equal(played.last.columns.status, 'succeeded');
      },
      { taskQueue: TASK_QUEUE },
    );
  });
});

type PaymentReads = ScriptedActivities['activities'];

/** Its workflows' next tasks go to any worker. */
const REMEMBERS_NOTHING = { maxCachedWorkflows: 0 } satisfies Partial<WorkerOptions>;

interface RunningWorker {
  /** May be called again. */
  stop(): Promise<void>;
}

async function runWorker(connection: NativeConnection, options: Partial<WorkerOptions>): Promise<RunningWorker> {
  const worker = await Worker.create({ connection, taskQueue: TASK_QUEUE, shutdownGraceTime: '1 second', ...options });
  const running = worker.run();
  running.catch(() => undefined);
  return {
    async stop() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}

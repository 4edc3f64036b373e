import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { ApplicationFailure } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { describe, it } from 'mocha';
import type { ReconcilePageRequest, ReconciliationActivities } from '../../protocol/reconciliation-activities.ts';
import { isId } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { ReconciliationProgress } from '../../domain/reconciliation.ts';
import { workflowSource } from '../../worker/workflow-source.ts';
import {
  PAYMENTS_TASK_QUEUE,
  RECONCILIATION_WORKFLOW,
  type ReconciliationInput,
  reconciliationProgressQuery,
} from '../../protocol/messages.ts';
import { eventually } from '../support/eventually.ts';
import { EXECUTION_TIMEOUT_MS, withTimeSkippingServer } from '../support/time-skipping-server.ts';

type Run = WorkflowHandle<(input: ReconciliationInput) => Promise<ReconciliationProgress>>;
type Script = Pick<ReconciliationActivities, 'reconcilePage'> & Partial<ReconciliationActivities>;

const PROGRESS = { provider: 'alpha', from: '', to: '', compared: 0, repaired: 0, reported: 0, error: null } as const;

/** A list of so many pages. */
function listOf(pages: number, calls: ReconcilePageRequest[] = []): Script {
  return {
    reconcilePage: (request) => {
      calls.push(request);
      const read = request.page + 1;
      const status = read < pages ? 'running' : 'completed';
      return Promise.resolve({ ...PROGRESS, runId: request.runId, pages: read, status });
    },
  };
}

function reconcile(script: Script, check: (run: Run) => Promise<void>): Promise<void> {
  const activities: ReconciliationActivities = {
    beginReconciliation: ({ runId }) => Promise.resolve({ ...PROGRESS, runId, pages: 0, status: 'running' }),
    failReconciliation: ({ runId, error, type }) =>
      Promise.resolve({ ...PROGRESS, runId, pages: 0, status: 'failed', error: `${error} (${type})` }),
    ...script,
  };
  return withTimeSkippingServer(async ({ env, play }) => {
    play({ activities, clock: Date.now });
    const run: Run = await env.client.workflow.start(RECONCILIATION_WORKFLOW, {
      workflowId: newId('reconciliationRun'),
      taskQueue: PAYMENTS_TASK_QUEUE,
      args: [{ provider: 'alpha' } satisfies ReconciliationInput],
      workflowExecutionTimeout: EXECUTION_TIMEOUT_MS,
    });
    await check(run);
  });
}

describe('reconciliation workflow', function () {
  this.timeout(MINUTE_MS);

  it('compares page after page until the last one, shows how far it is, and replays', async () => {
    const calls: ReconcilePageRequest[] = [];
    await reconcile(listOf(3, calls), async (run) => {
      const { status, pages, runId } = await run.result();
      assert.deepEqual([status, pages], ['completed', 3]);
      assert.deepEqual(
        calls,
        [0, 1, 2].map((page) => ({ runId, page })),
      );
      assert.ok(isId('reconciliationRun', runId));
      assert.equal((await run.query(reconciliationProgressQuery))?.pages, 3);
      await Worker.runReplayHistory(workflowSource(), await run.fetchHistory());
    });
  });

  it('goes on in a new history after many pages', async () => {
    const calls: ReconcilePageRequest[] = [];
    await reconcile(listOf(501, calls), async (run) => {
      assert.equal((await run.result()).pages, 501);
      assert.equal(new Set(calls.map(({ runId }) => runId)).size, 1);
      assert.equal((await run.describe()).historyLength < 100, true);
    });
  }).timeout(3 * MINUTE_MS);

  it('asks again while the provider is away, and ends as failed after an hour', async () => {
    let tries = 0;
    const reconcilePage = (): Promise<never> => {
      tries += 1;
      return Promise.reject(ApplicationFailure.create({ type: 'TSP_UNAVAILABLE', message: 'away' }));
    };
    await reconcile({ reconcilePage }, async (run) => {
      const { status, error } = await run.result();
      assert.deepEqual([status, error], ['failed', 'away (TSP_UNAVAILABLE)']);
      assert.ok(tries > 3);
    });
  });

  it('ends as interrupted where somebody cancels it', async () => {
    const calls: ReconcilePageRequest[] = [];
    const answer = new EventEmitter();
    const reconcilePage = async (request: ReconcilePageRequest): Promise<never> => {
      calls.push(request);
      await once(answer, 'late');
      throw ApplicationFailure.create({ type: 'TSP_UNAVAILABLE', message: 'away' });
    };
    await reconcile({ reconcilePage }, async (run) => {
      await eventually(async () => assert.equal(calls.length, 1));
      await run.cancel();
      const { status, error } = await run.result().finally(() => answer.emit('late'));
      assert.equal(status, 'failed');
      assert.match(error ?? '', /\(INTERRUPTED\)$/);
    });
  });
});

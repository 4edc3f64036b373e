import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { describe, it } from 'mocha';
import { newId } from '../../domain/new-id.ts';
import type { SettlementImportProgress } from '../../domain/settlement.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import {
  PAYMENTS_TASK_QUEUE,
  SETTLEMENT_IMPORT_WORKFLOW,
  type SettlementImportInput,
  settlementImportProgressQuery,
} from '../../protocol/messages.ts';
import type { SettlementActivities } from '../../protocol/settlement-activities.ts';
import { workflowSource } from '../../worker/workflow-source.ts';
import { reportedSettlement } from '../support/settlements.ts';
import { EXECUTION_TIMEOUT_MS, withTimeSkippingServer } from '../support/time-skipping-server.ts';

type Run = WorkflowHandle<(input: SettlementImportInput) => Promise<SettlementImportProgress>>;

const PROGRESS = {
  provider: 'alpha',
  status: 'running',
  settlements: 0,
  entries: 0,
  exceptions: 0,
  error: null,
} as const;

/** Settlements of so many pages each, listed in pages of two; `calls` gets what is done, in its order. */
function bookOf(pagesOf: readonly number[], calls: string[]): SettlementActivities {
  let written = 0;
  let ofSettlement = 0;
  const settlements = pagesOf.map((_, index) => reportedSettlement({ providerReference: `batch_${index}` }));
  const at = (importId: string, status: SettlementImportProgress['status'] = 'running') => ({
    ...PROGRESS,
    importId,
    status,
    pages: written,
  });
  return {
    beginSettlementImport: ({ importId }) => Promise.resolve(at(importId)),
    listSettlements({ cursor }) {
      calls.push(`list ${cursor}`);
      const start = Number(cursor ?? 0);
      const next = start + 2 < settlements.length ? String(start + 2) : null;
      return Promise.resolve({ settlements: settlements.slice(start, start + 2), nextCursor: next });
    },
    importEntries({ importId, settlement: { providerReference }, page, isFirstOfSettlement }) {
      assert.equal(page, written);
      assert.equal(isFirstOfSettlement, ofSettlement === 0);
      written += 1;
      ofSettlement += 1;
      const isLast = ofSettlement === pagesOf[Number(providerReference.slice('batch_'.length))];
      if (isLast) ofSettlement = 0;
      return Promise.resolve({ progress: at(importId), isLast });
    },
    finishSettlement({ settlement: { providerReference } }) {
      calls.push(`finish ${providerReference} after ${written}`);
      return Promise.resolve();
    },
    expectSettlements({ after }) {
      calls.push(`expect after ${after}`);
      return Promise.resolve({ after: after === '' ? 'mer_1' : null });
    },
    finishSettlementImport: ({ importId }) => Promise.resolve(at(importId, 'completed')),
    failSettlementImport: ({ importId, error, type }) =>
      Promise.resolve({ ...at(importId, 'failed'), error: `${error} (${type})` }),
  };
}

function importWith(activities: SettlementActivities, check: (run: Run) => Promise<void>): Promise<void> {
  return withTimeSkippingServer(async ({ env, play }) => {
    play({ activities, clock: Date.now });
    const run: Run = await env.client.workflow.start(SETTLEMENT_IMPORT_WORKFLOW, {
      workflowId: newId('settlementImport'),
      taskQueue: PAYMENTS_TASK_QUEUE,
      args: [{ provider: 'alpha' } satisfies SettlementImportInput],
      workflowExecutionTimeout: EXECUTION_TIMEOUT_MS,
    });
    await check(run);
  });
}

describe('settlement import workflow', function () {
  this.timeout(MINUTE_MS);

  it('reads every settlement to its end, sums each up, notes what is expected, and replays', async () => {
    const calls: string[] = [];
    await importWith(bookOf([2, 1, 3], calls), async (run) => {
      const { status, pages } = await run.result();
      assert.deepEqual([status, pages], ['completed', 6]);
      assert.deepEqual(calls, [
        'list null',
        'finish batch_0 after 2',
        'finish batch_1 after 3',
        'list 2',
        'finish batch_2 after 6',
        'expect after ',
        'expect after mer_1',
      ]);
      assert.equal((await run.query(settlementImportProgressQuery))?.status, 'completed');
      await Worker.runReplayHistory(workflowSource(), await run.fetchHistory());
    });
  });

  it('goes on in a new history within a settlement of many pages', async () => {
    const calls: string[] = [];
    await importWith(bookOf([1, 501, 1], calls), async (run) => {
      assert.equal((await run.result()).pages, 503);
      assert.deepEqual(
        calls.filter((call) => call.startsWith('list')),
        ['list null', 'list 2'],
      );
      assert.ok((await run.describe()).historyLength < 100);
    });
  }).timeout(3 * MINUTE_MS);

  it('ends as failed where the provider does not answer for an hour, and where it cannot be asked at all', async () => {
    const away = () => Promise.reject(ApplicationFailure.create({ type: 'TSP_UNAVAILABLE', message: 'away' }));
    await importWith({ ...bookOf([], []), listSettlements: away }, async (run) => {
      const { status, error } = await run.result();
      assert.deepEqual([status, error], ['failed', 'away (TSP_UNAVAILABLE)']);
    });
    const refused = () => Promise.reject(ApplicationFailure.nonRetryable('has no list', 'CANNOT_LIST'));
    await importWith({ ...bookOf([], []), beginSettlementImport: refused }, async (run) => {
      await assert.rejects(run.result(), { name: 'WorkflowFailedError' });
    });
  });
});

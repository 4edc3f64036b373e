import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, RetryState, TerminatedFailure } from '@temporalio/common';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CANNOT_BE_RECONCILED, type ReconciliationProgress } from '../../../domain/reconciliation.ts';
import { reconcileProviders } from '../../../scripts/reconcile-providers.ts';
import type { Reconciliations } from '../../../workflow-client/reconciliations.ts';
import { TemporalUnavailableError } from '../../../workflow-client/temporal-errors.ts';

const OPTIONS = { provider: undefined, from: undefined, to: undefined, json: true };
const COMPLETED = {
  runId: 'rec_1',
  status: 'completed',
  from: '2026-11-26T00:00:00.000Z',
  to: '2026-11-26T01:00:00.000Z',
  pages: 1,
  compared: 3,
  repaired: 0,
  reported: 0,
  error: null,
} as const satisfies Omit<ReconciliationProgress, 'provider'>;

describe('npm run reconcile', () => {
  let printed: string[];

  beforeEach(() => {
    printed = [];
    mock.method(console, 'error', (line: string) => printed.push(line));
  });
  afterEach(() => mock.restoreAll());

  /** Runs complete, but for those of the providers that are named here. */
  function reconciliationsWith(failures: Readonly<Record<string, Error>>): Pick<Reconciliations, 'start'> {
    return {
      async start({ provider }) {
        const failure = failures[provider];
        if (failure instanceof TemporalUnavailableError) throw failure;
        const result = async () => {
          if (failure !== undefined) throw new WorkflowFailedError('failed', failure, RetryState.NON_RETRYABLE_FAILURE);
          return { ...COMPLETED, provider };
        };
        return { progress: async () => null, result };
      },
    };
  }

  it('goes on after a provider whose run did not end, and ends as failed', async () => {
    const reconciliations = reconciliationsWith({ alpha: new TerminatedFailure('terminated by hand') });
    const { ended, hasFailed } = await reconcileProviders(reconciliations, ['alpha', 'beta'], OPTIONS);
    assert.deepEqual([ended, hasFailed], [[{ ...COMPLETED, provider: 'beta' }], true]);
    assert.deepEqual(printed, ['The reconciliation of alpha did not end: terminated by hand']);
  });

  it('leaves out a provider that cannot be asked, unless it was named', async () => {
    const cannot = ApplicationFailure.nonRetryable('alpha tells nothing', CANNOT_BE_RECONCILED);
    const reconciliations = reconciliationsWith({ alpha: cannot });
    const all = await reconcileProviders(reconciliations, ['alpha', 'beta'], OPTIONS);
    assert.deepEqual([all.ended.length, all.hasFailed], [1, false]);
    const named = await reconcileProviders(reconciliations, ['alpha'], { ...OPTIONS, provider: 'alpha' });
    assert.deepEqual([named.ended.length, named.hasFailed], [0, true]);
    assert.deepEqual(printed, [
      'alpha: left out, because its payments cannot be asked for',
      'The reconciliation of alpha did not end: alpha tells nothing',
    ]);
  });

  it('keeps what was done when Temporal stops answering, and starts nothing more', async () => {
    const unavailable = new TemporalUnavailableError(new Error('connection refused'));
    const reconciliations = reconciliationsWith({ beta: unavailable, gamma: unavailable });
    const { ended, hasFailed } = await reconcileProviders(reconciliations, ['alpha', 'beta', 'gamma'], OPTIONS);
    assert.deepEqual([ended.map(({ provider }) => provider), hasFailed], [['alpha'], true]);
    assert.equal(printed.length, 1);
    assert.match(printed[0] ?? '', /^Temporal does not answer\. Check TEMPORAL_ADDRESS/);
  });
});

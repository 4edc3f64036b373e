import {
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  setHandler,
  uuid4,
} from '@temporalio/workflow';
import type { ReconciliationFailureCode, ReconciliationProgress } from '../../domain/reconciliation.ts';
import { reconciliationRunIdOf } from '../../domain/ids.ts';
import { reconciliationProgressQuery, type ReconciliationInput } from '../../protocol/messages.ts';
import { causeOf } from '../shared/activity-failure.ts';
import { detailsText } from '../shared/details.ts';
import { pages, records } from './activity-proxies.ts';

/** Each page adds a few events, and a history must not grow without limit. */
const PAGES_OF_A_RUN = 500;

/**
 * Compares a provider's list of payments with ours, page by page. Ends as failed if the provider gives no usable answer for long.
 */
export async function reconciliationWorkflow(input: ReconciliationInput): Promise<ReconciliationProgress> {
  let progress: ReconciliationProgress | null = null;
  const show = (next: ReconciliationProgress): ReconciliationProgress => {
    progress = next;
    setCurrentDetails(describe(next));
    return next;
  };
  setHandler(reconciliationProgressQuery, () => progress);
  const runId = input.continued?.runId ?? reconciliationRunIdOf(uuid4());
  try {
    if (input.continued === undefined) show(await begin(runId, input));
    const firstPage = input.continued?.page ?? 0;
    for (let page = firstPage; page < firstPage + PAGES_OF_A_RUN; page += 1) {
      const summary = `Compare page ${page + 1} of ${input.provider}`;
      const compared = show(await pages.reconcilePage.executeWithOptions({ summary }, [{ runId, page }]));
      if (compared.status !== 'running') return compared;
    }
  } catch (error) {
    if (progress === null && input.continued === undefined) throw error;
    return CancellationScope.nonCancellable(async () => show(await fail(runId, error)));
  }
  return continueAsNew<typeof reconciliationWorkflow>({
    ...input,
    continued: { runId, page: (input.continued?.page ?? 0) + PAGES_OF_A_RUN },
  });
}

function begin(runId: string, { provider, from, to, attemptId }: ReconciliationInput): Promise<ReconciliationProgress> {
  const summary = `Begin to compare ${attemptId ?? 'the payments'} of ${provider}`;
  return records.beginReconciliation.executeWithOptions({ summary }, [
    { runId, provider, from: from ?? null, to: to ?? null, ...(attemptId === undefined ? {} : { attemptId }) },
  ]);
}

function fail(runId: string, error: unknown): Promise<ReconciliationProgress> {
  const cause = causeOf(error);
  const reason = cause instanceof Error ? cause.message : 'unknown';
  const type = typeOf(error);
  return records.failReconciliation.executeWithOptions({ summary: 'Record that it cannot go on' }, [
    { runId, error: reason, ...(type === undefined ? {} : { type }) },
  ]);
}

function typeOf(error: unknown): string | undefined {
  if (isCancellation(error)) return 'INTERRUPTED' satisfies ReconciliationFailureCode;
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure ? (cause.type ?? undefined) : undefined;
}

function describe({ provider, from, to, status, pages, compared, repaired, reported, error }: ReconciliationProgress) {
  return detailsText([
    `The payments of ${provider} from ${from} to ${to} are compared with its list.`,
    '',
    `- ${status}, ${pages} pages.`,
    `- Payments compared: ${compared}. Differences repaired: ${repaired}; reported: ${reported}.`,
    ...(error === null ? [] : [`- Failed: ${error}`]),
  ]);
}

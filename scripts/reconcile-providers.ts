import { setTimeout as wait } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { messageOf } from '../domain/message-of.ts';
import { CANNOT_BE_RECONCILED, type ReconciliationProgress } from '../domain/reconciliation.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Reconciliations } from '../workflow-client/reconciliations.ts';
import { TemporalUnavailableError } from '../workflow-client/temporal-errors.ts';

const SHOW_EVERY_MS = SECOND_MS;

interface ReconcileOptions {
  /** The only provider, where one was named. */
  readonly provider: string | undefined;
  /** ISO 8601 UTC; without it, where the last run ended. */
  readonly from: string | undefined;
  /** ISO 8601 UTC; without it, five minutes ago. */
  readonly to: string | undefined;
  /** Whether the output is JSON, without what is printed meanwhile. */
  readonly json: boolean;
}

interface ReconciledProviders {
  /** The runs that have ended, the failed ones included. */
  readonly ended: readonly ReconciliationProgress[];
  /** Whether there is a provider whose run did not end. */
  readonly hasFailed: boolean;
}

/** Reconciles one provider after the other, also after one whose run did not end. Prints why one has no run. */
export async function reconcileProviders(
  reconciliations: Pick<Reconciliations, 'start'>,
  names: readonly string[],
  options: ReconcileOptions,
): Promise<ReconciledProviders> {
  const ended: ReconciliationProgress[] = [];
  let hasFailed = false;
  for (const name of names) {
    try {
      ended.push(await reconcile(reconciliations, name, options));
    } catch (error) {
      const isLeftOut = options.provider === undefined && isNotReconcilable(error);
      console.error(isLeftOut ? `${name}: left out, because its payments cannot be asked for` : failureOf(name, error));
      hasFailed ||= !isLeftOut;
      if (error instanceof TemporalUnavailableError) break;
    }
  }
  return { ended, hasFailed };
}

async function reconcile(
  reconciliations: Pick<Reconciliations, 'start'>,
  provider: string,
  { from, to, json }: ReconcileOptions,
): Promise<ReconciliationProgress> {
  const window = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const started = await reconciliations.start({ provider, ...window });
  const showing = new AbortController();
  const shown = json ? undefined : showProgress(provider, started, showing.signal);
  try {
    return await started.result();
  } finally {
    showing.abort();
    await shown;
  }
}

function isNotReconcilable(error: unknown): boolean {
  const cause = rootCauseOf(error);
  return cause instanceof ApplicationFailure && cause.type === CANNOT_BE_RECONCILED;
}

function failureOf(name: string, error: unknown): string {
  return error instanceof TemporalUnavailableError
    ? 'Temporal does not answer. Check TEMPORAL_ADDRESS and TEMPORAL_TLS, and that the server runs.'
    : `The reconciliation of ${name} did not end: ${messageOf(rootCauseOf(error))}`;
}

/** A failed workflow says why in its causes, the last of which is the activity's own. */
function rootCauseOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootCauseOf(error.cause) : error;
}

/** Prints how far it is, each time that a page was compared. */
async function showProgress(
  provider: string,
  { progress }: Awaited<ReturnType<Reconciliations['start']>>,
  signal: AbortSignal,
): Promise<void> {
  let pages = 0;
  while (!signal.aborted) {
    const state = await progress().catch(() => null);
    if (state !== null && state.pages > pages && !signal.aborted) {
      pages = state.pages;
      console.log(`${provider}: ${pages} pages, ${state.compared} payments`);
    }
    await wait(SHOW_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

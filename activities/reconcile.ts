import { ApplicationFailure } from '@temporalio/activity';
import { isId } from '../domain/ids.ts';
import {
  CANNOT_BE_RECONCILED,
  nextWindow,
  RECONCILIATION_STATUSES,
  reconciliationFailureCodeOf,
  type ReconciliationProgress,
} from '../domain/reconciliation.ts';
import { HOUR_MS, SECOND_MS } from '../domain/time.ts';
import type { ReconciliationMetrics } from '../metrics/worker-metrics.ts';
import type { Database } from '../prisma/connection/client.ts';
import type { ReconciliationRun } from '../prisma/generated/client.ts';
import { type ComparedPage, writeComparedPage } from '../prisma/queries/reconciliation.ts';
import { canBeReconciled, type PaymentProvider } from '../providers/payment-provider.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { SealBrokenError } from '../vault/envelope.ts';
import { comparedPageOf, comparePage } from './compare-reconciliation-page.ts';
import { createReconciliationRun } from './create-reconciliation-run.ts';
import { cursorOfDisputes, isCursorOfDisputes, readDisputesPage } from './read-disputes-page.ts';
import { attemptOfOne, cursorOfOne, readPage } from './read-reconciliation-page.ts';
import type {
  BeginReconciliationRequest,
  FailReconciliationRequest,
  ReconcilePageRequest,
  ReconciliationActivities,
} from '../protocol/reconciliation-activities.ts';

export interface ReconciliationDependencies {
  readonly database: Database;
  readonly registry: ProviderRegistry;
  readonly metrics: ReconciliationMetrics;
}

/** A run without a change for this long has lost its workflow. */
const ABANDONED_AFTER_MS = 2 * HOUR_MS;
const ABANDONED = 'Its workflow ended before it did.';

/** The activities of reconciliations, bound to their dependencies. */
export function createReconciliationActivities(dependencies: ReconciliationDependencies): ReconciliationActivities {
  return {
    beginReconciliation: (request) => begin(dependencies, request),
    reconcilePage: (request) => reconcilePage(dependencies, request),
    failReconciliation: (request) => fail(dependencies, request),
  };
}

async function begin(
  { database, registry }: ReconciliationDependencies,
  { runId, provider, from, to, attemptId }: BeginReconciliationRequest,
): Promise<ReconciliationProgress> {
  await reconciledProvider(registry, provider).catch((error: unknown) => {
    // The first page fails with it, so that the run is recorded with its reason.
    if (!isSealBroken(error)) throw error;
  });
  const abandonedBefore = new Date(Date.now() - ABANDONED_AFTER_MS);
  await database.reconciliationRun.updateMany({
    where: { provider, status: 'running', updatedAt: { lt: abandonedBefore }, id: { not: runId } },
    data: { status: 'failed', error: ABANDONED, failureCode: 'INTERRUPTED', finishedAt: new Date() },
  });
  if (attemptId !== undefined)
    return progressOf(await createReconciliationRun(database, runOfOne(runId, provider, attemptId)));
  const before = await database.reconciliationRun.findFirst({
    where: { provider, status: 'completed', isContinuous: true },
    orderBy: { windowTo: 'desc' },
  });
  const next = nextWindow(before?.windowTo ?? null, new Date());
  const window = { from: from === null ? next.from : new Date(from), to: to === null ? next.to : new Date(to) };
  if (!(window.from < window.to)) {
    throw ApplicationFailure.nonRetryable('The window of a reconciliation must begin before it ends.', 'BAD_WINDOW');
  }
  const columns = { windowFrom: window.from, windowTo: window.to, isContinuous: from === null };
  const run = await createReconciliationRun(database, { id: runId, provider, ...columns });
  const { merchantAccountId, environment, startedAt: createdAt } = run;
  if (merchantAccountId !== null && environment !== null) {
    await database.reconciliationAccount.createMany({
      data: { runId, merchantAccountId, environment, compared: 0, repaired: 0, reported: 0, createdAt },
      skipDuplicates: true,
    });
  }
  return progressOf(run);
}

/** A run of one attempt covers the moment of the question, and does not count as one of those that follow each other. */
function runOfOne(id: string, provider: string, attemptId: string) {
  const windowTo = new Date();
  const windowFrom = new Date(windowTo.getTime() - SECOND_MS);
  return { id, provider, windowFrom, windowTo, isContinuous: false, cursor: cursorOfOne(attemptId) };
}

async function reconcilePage(
  dependencies: ReconciliationDependencies,
  { runId, page }: ReconcilePageRequest,
): Promise<ReconciliationProgress> {
  const { database, registry } = dependencies;
  const run = await readRun(database, runId);
  if (run.pages === page && run.status === 'running') {
    const provider = await reconciledProvider(registry, run.provider);
    const compared = await readAndCompare(database, run, provider);
    // No row means that an earlier try, whose result was lost, has written the page.
    if ((await database.direct.row(writeComparedPage(compared))) !== undefined) count(dependencies, run, compared);
  }
  const written = await readRun(database, runId);
  if (written.status !== 'running') await database.reconciliationMatch.deleteMany({ where: { runId } });
  return progressOf(written);
}

/** The payments come first, then the disputes of which no webhook has told. */
async function readAndCompare(
  database: Database,
  run: ReconciliationRun,
  provider: PaymentProvider,
): Promise<ComparedPage> {
  if (isCursorOfDisputes(run.cursor)) {
    const { reports, nextCursor } = await readDisputesPage(database, run, provider);
    return { ...comparedPageOf(run, { compared: [], differences: [], attemptIds: [], nextCursor }), reports };
  }
  const compared = comparePage(run, await readPage(database, run, provider));
  const nextCursor = compared.nextCursor ?? cursorOfDisputes(provider, attemptOfOne(run));
  return { ...compared, nextCursor };
}

async function fail(
  { database, metrics }: ReconciliationDependencies,
  { runId, error, type }: FailReconciliationRequest,
): Promise<ReconciliationProgress> {
  const { count: failed } = await database.reconciliationRun.updateMany({
    where: { id: runId, status: 'running' },
    data: {
      status: 'failed',
      error,
      failureCode: reconciliationFailureCodeOf(type),
      finishedAt: new Date(),
      updatedAt: new Date(),
    },
  });
  const run = await readRun(database, runId);
  if (failed > 0) metrics.runEnded(run.provider, 'failed');
  await database.reconciliationMatch.deleteMany({ where: { runId } });
  return progressOf(run);
}

/** @throws ApplicationFailure where it cannot be asked for payments, or no root key opens its credentials: no repeat can help */
async function reconciledProvider(registry: ProviderRegistry, name: string): Promise<PaymentProvider> {
  const provider = await registry.find(name).catch((error: unknown) => {
    if (!(error instanceof SealBrokenError)) throw error;
    throw ApplicationFailure.nonRetryable(`The credentials of ${name} cannot be opened: ${error.message}.`, error.name);
  });
  if (provider !== undefined && canBeReconciled(provider)) return provider;
  const problem = provider === undefined ? 'is not configured' : 'can neither list payments nor be asked about one';
  throw ApplicationFailure.nonRetryable(`The provider ${name} ${problem}.`, CANNOT_BE_RECONCILED);
}

function isSealBroken(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === SealBrokenError.name;
}

function count(
  { metrics }: ReconciliationDependencies,
  { provider }: ReconciliationRun,
  { differences, nextCursor }: ComparedPage,
): void {
  for (const action of ['repaired', 'reported'] as const) {
    metrics.differencesFound(provider, action, differences.filter((each) => each.action === action).length);
  }
  if (nextCursor === null) metrics.runEnded(provider, 'completed');
}

async function readRun(database: Database, runId: string): Promise<ReconciliationRun> {
  const run = isId('reconciliationRun', runId)
    ? await database.reconciliationRun.findUnique({ where: { id: runId } })
    : null;
  if (run !== null) return run;
  throw ApplicationFailure.nonRetryable(`There is no reconciliation run ${runId}.`, 'RUN_GONE');
}

function progressOf(run: ReconciliationRun): ReconciliationProgress {
  const { id: runId, provider, windowFrom, windowTo, pages, compared, repaired, reported, error } = run;
  return {
    runId,
    provider,
    status: RECONCILIATION_STATUSES.find((status) => status === run.status) ?? 'failed',
    from: windowFrom.toISOString(),
    to: windowTo.toISOString(),
    pages,
    compared,
    repaired,
    reported,
    error,
  };
}

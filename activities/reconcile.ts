import { ApplicationFailure } from '@temporalio/activity';
import { isId } from '../domain/ids.ts';
import { newId } from '../domain/new-id.ts';
import {
  comparePayment,
  type Difference,
  DIFFERENCE_ACTIONS,
  isComparable,
  type ListedPayment,
  listedWindow,
  MAXIMUM_STORED_DIFFERENCES,
  missingPayment,
  nextWindow,
  RECONCILIATION_STATUSES,
  type ReconciliationProgress,
  type RecordedAttempt,
  repairEventOf,
  type TimeWindow,
} from '../domain/reconciliation.ts';
import { ENVIRONMENTS } from '../domain/payment.ts';
import { HOUR_MS } from '../domain/time.ts';
import type { ReconciliationMetrics } from '../metrics/worker-metrics.ts';
import type { Database } from '../prisma/client.ts';
import type { ReconciliationRun } from '../prisma/generated/client.ts';
import {
  type AccountCounts,
  type ComparedPage,
  type NewDifference,
  selectRecordedAttempts,
  selectUnmatchedCharges,
  writeComparedPage,
} from '../prisma/queries/reconciliation.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { withHeartbeat } from './provider-calls.ts';
import type {
  BeginReconciliationRequest,
  ReconcilePageRequest,
  ReconciliationActivities,
} from './reconciliation-activities.ts';

export interface ReconciliationDependencies {
  readonly database: Database;
  readonly registry: ProviderRegistry;
  readonly metrics: ReconciliationMetrics;
}

/** A run without a change for so long has lost its workflow. */
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
  { runId, provider, from, to }: BeginReconciliationRequest,
): Promise<ReconciliationProgress> {
  await listerOf(registry, provider);
  const abandonedBefore = new Date(Date.now() - ABANDONED_AFTER_MS);
  await database.reconciliationRun.updateMany({
    where: { provider, status: 'running', updatedAt: { lt: abandonedBefore }, id: { not: runId } },
    data: { status: 'failed', error: ABANDONED, finishedAt: new Date() },
  });
  const before = await database.reconciliationRun.findFirst({
    where: { provider, status: 'completed', isContinuous: true },
    orderBy: { windowTo: 'desc' },
  });
  const next = nextWindow(before?.windowTo ?? null, new Date());
  const window = { from: from === null ? next.from : new Date(from), to: to === null ? next.to : new Date(to) };
  if (!(window.from < window.to)) {
    throw ApplicationFailure.nonRetryable('The window of a reconciliation must begin before it ends.', 'BAD_WINDOW');
  }
  await database.reconciliationRun.createMany({
    data: { id: runId, provider, windowFrom: window.from, windowTo: window.to, isContinuous: from === null },
    skipDuplicates: true,
  });
  return progressOf(await readRun(database, runId));
}

async function reconcilePage(
  dependencies: ReconciliationDependencies,
  { runId, page }: ReconcilePageRequest,
): Promise<ReconciliationProgress> {
  const { database, registry } = dependencies;
  const run = await readRun(database, runId);
  if (run.pages === page && run.status === 'running') {
    const compared = await comparePage(database, run, await listerOf(registry, run.provider));
    // No row: an earlier try, whose result was lost, has written the page meanwhile.
    if ((await database.direct.row(writeComparedPage(compared))) !== undefined) count(dependencies, run, compared);
  }
  const written = await readRun(database, runId);
  if (written.status !== 'running') await database.reconciliationMatch.deleteMany({ where: { runId } });
  return progressOf(written);
}

async function fail(
  { database, metrics }: ReconciliationDependencies,
  { runId, error }: { readonly runId: string; readonly error: string },
): Promise<ReconciliationProgress> {
  const { count: failed } = await database.reconciliationRun.updateMany({
    where: { id: runId, status: 'running' },
    data: { status: 'failed', error, finishedAt: new Date(), updatedAt: new Date() },
  });
  const run = await readRun(database, runId);
  if (failed > 0) metrics.runEnded(run.provider, 'failed');
  await database.reconciliationMatch.deleteMany({ where: { runId } });
  return progressOf(run);
}

type ListPayments = NonNullable<PaymentProvider['listPayments']>;

async function listerOf(registry: ProviderRegistry, name: string): Promise<ListPayments> {
  const provider = await registry.find(name);
  if (provider?.listPayments !== undefined) return provider.listPayments.bind(provider);
  const problem = provider === undefined ? 'is not configured' : 'has no list of payments';
  throw ApplicationFailure.nonRetryable(`The provider ${name} ${problem}.`, 'CANNOT_LIST');
}

async function comparePage(
  { direct }: Database,
  run: ReconciliationRun,
  listPayments: ListPayments,
): Promise<ComparedPage> {
  const { id: runId, provider } = run;
  const window = { from: run.windowFrom, to: run.windowTo };
  const { payments, nextCursor } = await withHeartbeat((signal) =>
    listPayments({ window: listedWindow(window), cursor: run.cursor }, signal),
  );
  const attemptIds = payments.flatMap(({ attemptId }) => attemptId ?? []);
  const rows = await direct.rows(selectRecordedAttempts(provider, attemptIds));
  const found = compareAll(payments, rows, window);
  const missing =
    nextCursor === null
      ? await direct.rows(
          selectUnmatchedCharges({
            runId,
            provider,
            window,
            besides: attemptIds,
            limit: MAXIMUM_STORED_DIFFERENCES + 1,
          }),
        )
      : [];
  const differences = [...found.differences, ...missing.map(missingPayment)];
  return {
    runId,
    page: run.pages,
    nextCursor,
    compared: found.compared.length + missing.length,
    attemptIds,
    accounts: countByAccount([...found.compared, ...missing], differences),
    differences: differences.map((difference) => newDifferenceOf(difference, run)),
    reports: differences.flatMap((difference) => {
      const event = repairEventOf(difference, provider, runId);
      return event === null || difference.attempt === null
        ? []
        : [{ paymentIntentId: difference.attempt.paymentIntentId, event }];
    }),
  };
}

/** @returns the attempts that were compared, null for each payment that is none of ours, and the differences */
function compareAll(
  payments: readonly ListedPayment[],
  rows: readonly RecordedAttempt[],
  window: TimeWindow,
): { readonly compared: readonly (RecordedAttempt | null)[]; readonly differences: readonly Difference[] } {
  const attempts = new Map(rows.map((row) => [row.attemptId, row]));
  const pairs = payments
    .map((listed) => ({ listed, recorded: attempts.get(listed.attemptId ?? '') }))
    .filter(({ listed, recorded }) => isComparable(listed, recorded, window));
  return {
    compared: pairs.map(({ recorded }) => recorded ?? null),
    differences: pairs.flatMap(({ listed, recorded }) => comparePayment(listed, recorded, window.to)),
  };
}

function countByAccount(
  compared: readonly (RecordedAttempt | null)[],
  differences: readonly Difference[],
): readonly AccountCounts[] {
  const accounts = new Map(
    compared.flatMap((attempt) =>
      attempt === null ? [] : [[attempt.merchantAccountId, attempt.environment] as const],
    ),
  );
  return [...accounts].map(([merchantAccountId, environment]) => {
    const own = differences.filter(({ attempt }) => attempt?.merchantAccountId === merchantAccountId);
    const repaired = own.filter(({ kind }) => DIFFERENCE_ACTIONS[kind] === 'repaired').length;
    return {
      merchantAccountId,
      environment,
      compared: compared.filter((attempt) => attempt?.merchantAccountId === merchantAccountId).length,
      repaired,
      reported: own.length - repaired,
    };
  });
}

/** What is none of our payments belongs to the account whose account at the provider it is, where that is one. */
function newDifferenceOf(difference: Difference, run: ReconciliationRun): NewDifference {
  const { kind, attempt, attemptId, refundId, providerPaymentId, ours, theirs } = difference;
  const environment = ENVIRONMENTS.find((each) => each === run.environment) ?? null;
  return {
    kind,
    action: DIFFERENCE_ACTIONS[kind],
    merchantAccountId: attempt?.merchantAccountId ?? run.merchantAccountId,
    environment: attempt?.environment ?? environment,
    paymentIntentId: attempt?.paymentIntentId ?? null,
    attemptId,
    refundId,
    providerPaymentId,
    ours,
    theirs,
    eventId: newId('event'),
  };
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

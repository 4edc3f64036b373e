import { ApplicationFailure } from '@temporalio/activity';
import { isId } from '../domain/ids.ts';
import { newId } from '../domain/new-id.ts';
import {
  CANNOT_BE_RECONCILED,
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
  reconciliationFailureCodeOf,
  type ReconciliationProgress,
  type RecordedAttempt,
  repairEventOf,
  type TimeWindow,
} from '../domain/reconciliation.ts';
import { ENVIRONMENTS } from '../domain/payment.ts';
import { HOUR_MS } from '../domain/time.ts';
import type { ReconciliationMetrics } from '../metrics/worker-metrics.ts';
import type { Database } from '../prisma/client.ts';
import type { AccountScope } from '../prisma/conditions.ts';
import type { ReconciliationRun } from '../prisma/generated/client.ts';
import {
  type AccountCounts,
  type ComparedPage,
  type NewDifference,
  selectAttemptsToAsk,
  selectRecordedAttempts,
  selectUnmatchedCharges,
  writeComparedPage,
} from '../prisma/queries/reconciliation.ts';
import { canBeReconciled, type PaymentProvider } from '../providers/payment-provider.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { SealBrokenError } from '../vault/envelope.ts';
import { withHeartbeat } from './provider-calls.ts';
import type {
  BeginReconciliationRequest,
  FailReconciliationRequest,
  ReconcilePageRequest,
  ReconciliationActivities,
} from './reconciliation-activities.ts';

export interface ReconciliationDependencies {
  readonly database: Database;
  readonly registry: ProviderRegistry;
  readonly metrics: ReconciliationMetrics;
}

/** A run without a change for this long has lost its workflow. */
const ABANDONED_AFTER_MS = 2 * HOUR_MS;
const ABANDONED = 'Its workflow ended before it did.';

/** The cursor with which a run asks about payments one by one. */
const ONE_BY_ONE = 'one-by-one';
/** How many payments are asked about in one page: each takes a provider up to three requests. */
const ASKED_PER_PAGE = 20;

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
  await reconciledProvider(registry, provider).catch((error: unknown) => {
    // The first page fails with it, so that the run is recorded with its reason.
    if (!isSealBroken(error)) throw error;
  });
  const owner = await database.providerAccount.findUnique({
    where: { id: provider },
    select: { merchantAccountId: true, environment: true },
  });
  const abandonedBefore = new Date(Date.now() - ABANDONED_AFTER_MS);
  await database.reconciliationRun.updateMany({
    where: { provider, status: 'running', updatedAt: { lt: abandonedBefore }, id: { not: runId } },
    data: { status: 'failed', error: ABANDONED, failureCode: 'INTERRUPTED', finishedAt: new Date() },
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
  const startedAt = new Date();
  const columns = { windowFrom: window.from, windowTo: window.to, isContinuous: from === null, startedAt };
  await database.reconciliationRun.createMany({
    data: { id: runId, provider, ...owner, ...columns },
    skipDuplicates: true,
  });
  if (owner !== null) {
    await database.reconciliationAccount.createMany({
      data: { runId, ...owner, compared: 0, repaired: 0, reported: 0, createdAt: startedAt },
      skipDuplicates: true,
    });
  }
  return progressOf(await readRun(database, runId));
}

async function reconcilePage(
  dependencies: ReconciliationDependencies,
  { runId, page }: ReconcilePageRequest,
): Promise<ReconciliationProgress> {
  const { database, registry } = dependencies;
  const run = await readRun(database, runId);
  if (run.pages === page && run.status === 'running') {
    const compared = await comparePage(database, run, await reconciledProvider(registry, run.provider));
    // No row means that an earlier try, whose result was lost, has written the page.
    if ((await database.direct.row(writeComparedPage(compared))) !== undefined) count(dependencies, run, compared);
  }
  const written = await readRun(database, runId);
  if (written.status !== 'running') await database.reconciliationMatch.deleteMany({ where: { runId } });
  return progressOf(written);
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

/** What a page of a run compares. */
interface PageToCompare {
  readonly payments: readonly ListedPayment[];
  /** The attempts of these payments. */
  readonly recorded: readonly RecordedAttempt[];
  /** Attempts that were charged according to our rows, and that the provider does not have. */
  readonly missing: readonly RecordedAttempt[];
  /** Attempts of ours that need not be looked for any more. */
  readonly attemptIds: readonly string[];
  /** The window in which the payments have changed. */
  readonly window: TimeWindow;
  readonly nextCursor: string | null;
}

/** The list comes first. If a provider can be asked too, it is then asked about the attempts that the list lacks. */
function readPage(database: Database, run: ReconciliationRun, provider: PaymentProvider): Promise<PageToCompare> {
  const isAsking = run.cursor === ONE_BY_ONE || provider.listPayments === undefined;
  return isAsking ? readAskedPage(database, run, provider) : readListedPage(database, run, provider);
}

async function readListedPage(
  { direct }: Database,
  run: ReconciliationRun,
  provider: PaymentProvider,
): Promise<PageToCompare> {
  const window = { from: run.windowFrom, to: run.windowTo };
  const { payments, nextCursor } = await withHeartbeat(async (signal) => {
    const page = await provider.listPayments?.({ window: listedWindow(window), cursor: run.cursor }, signal);
    return page ?? { payments: [], nextCursor: null };
  });
  const attemptIds = payments.flatMap(({ attemptId }) => attemptId ?? []);
  const recorded = await direct.rows(selectRecordedAttempts(attemptIds));
  const listed = { payments, recorded, attemptIds, window, missing: [], nextCursor };
  if (nextCursor !== null) return listed;
  if (provider.findPayment !== undefined) return { ...listed, nextCursor: ONE_BY_ONE };
  const limit = MAXIMUM_STORED_DIFFERENCES + 1;
  const unmatched = { runId: run.id, provider: run.provider, window, besides: attemptIds, limit };
  return { ...listed, missing: await direct.rows(selectUnmatchedCharges(unmatched)) };
}

async function readAskedPage(
  { direct }: Database,
  run: ReconciliationRun,
  provider: PaymentProvider,
): Promise<PageToCompare> {
  const window = { from: run.windowFrom, to: run.windowTo };
  const asked = await direct.rows(
    selectAttemptsToAsk({ runId: run.id, provider: run.provider, window, limit: ASKED_PER_PAGE }),
  );
  const found = await withHeartbeat(async (signal) => {
    const payments: (ListedPayment | null)[] = [];
    for (const attempt of asked) payments.push((await provider.findPayment?.(attempt, signal)) ?? null);
    return payments;
  });
  return {
    payments: found.filter((payment) => payment !== null),
    recorded: asked,
    missing: asked.filter(({ outcome }, index) => outcome === 'approved' && found[index] === null),
    attemptIds: asked.map(({ attemptId }) => attemptId),
    // Our rows have changed in the window. The time of the provider's change does not matter, unless it is after the window.
    window: { from: new Date(0), to: window.to },
    nextCursor: asked.length < ASKED_PER_PAGE ? null : ONE_BY_ONE,
  };
}

async function comparePage(
  database: Database,
  run: ReconciliationRun,
  provider: PaymentProvider,
): Promise<ComparedPage> {
  const page = await readPage(database, run, provider);
  const found = compareAll(page, run);
  const compared = [...found.compared, ...page.missing];
  const differences = [...found.differences, ...page.missing.map(missingPayment)];
  return {
    runId: run.id,
    page: run.pages,
    nextCursor: page.nextCursor,
    compared: compared.length,
    attemptIds: page.attemptIds,
    accounts: countByAccount(run, compared, differences),
    differences: differences.map((difference) => newDifferenceOf(difference, run)),
    reports: differences.flatMap((difference) => {
      const event = repairEventOf(difference, run.provider, run.id);
      return event === null || difference.attempt === null
        ? []
        : [{ paymentIntentId: difference.attempt.paymentIntentId, event }];
    }),
  };
}

type ComparedAttempts = readonly (RecordedAttempt | null)[];

/** @returns the attempts that were compared, null for each payment that is not ours, and the differences */
function compareAll(
  { payments, recorded, window }: PageToCompare,
  { provider }: ReconciliationRun,
): { readonly compared: ComparedAttempts; readonly differences: readonly Difference[] } {
  const attempts = new Map(recorded.map((row) => [row.attemptId, row]));
  const pairs = payments
    .map((listed) => ({ listed, recorded: attempts.get(listed.attemptId ?? '') }))
    .filter(({ listed, recorded: attempt }) => !isOfOtherName(listed, attempt, provider))
    .map((pair) => (pair.recorded?.provider === provider ? pair : { ...pair, recorded: undefined }))
    .filter(({ listed, recorded: attempt }) => isComparable(listed, attempt, window));
  return {
    compared: pairs.map((pair) => pair.recorded ?? null),
    differences: pairs.flatMap((pair) => comparePayment(pair.listed, pair.recorded, window.to)),
  };
}

/** Two names may lead to one account at a vendor: then each lists the payments of both, and compares its own. */
function isOfOtherName(listed: ListedPayment, attempt: RecordedAttempt | undefined, provider: string): boolean {
  return (
    attempt !== undefined && attempt.provider !== provider && attempt.providerPaymentId === listed.providerPaymentId
  );
}

/** Everything listed at a merchant account's own account is the merchant's, even payments that are not ours. */
function countByAccount(
  run: ReconciliationRun,
  compared: ComparedAttempts,
  differences: readonly Difference[],
): readonly AccountCounts[] {
  const owner = ownerOf(run);
  if (owner !== null) return [{ ...owner, compared: compared.length, ...countActions(differences) }];
  const accounts = new Map(
    compared.flatMap((attempt) =>
      attempt === null ? [] : [[attempt.merchantAccountId, attempt.environment] as const],
    ),
  );
  return [...accounts].map(([merchantAccountId, environment]) => ({
    merchantAccountId,
    environment,
    compared: compared.filter((attempt) => attempt?.merchantAccountId === merchantAccountId).length,
    ...countActions(differences.filter(({ attempt }) => attempt?.merchantAccountId === merchantAccountId)),
  }));
}

function countActions(differences: readonly Difference[]): Pick<AccountCounts, 'repaired' | 'reported'> {
  const repaired = differences.filter(({ kind }) => DIFFERENCE_ACTIONS[kind] === 'repaired').length;
  return { repaired, reported: differences.length - repaired };
}

/** Whose account at the provider it is; null where accounts share the provider. */
function ownerOf({ merchantAccountId, environment }: ReconciliationRun): AccountScope | null {
  const known = ENVIRONMENTS.find((each) => each === environment);
  return merchantAccountId === null || known === undefined ? null : { merchantAccountId, environment: known };
}

/** A payment that is not ours belongs to the merchant account that owns the account at the provider, if there is one. */
function newDifferenceOf(difference: Difference, run: ReconciliationRun): NewDifference {
  const { kind, attempt, attemptId, refundId, providerPaymentId, ours, theirs } = difference;
  const account = attempt ?? ownerOf(run);
  return {
    kind,
    action: DIFFERENCE_ACTIONS[kind],
    merchantAccountId: account?.merchantAccountId ?? null,
    environment: account?.environment ?? null,
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

import {
  type ListedPayment,
  listedWindow,
  MAXIMUM_STORED_DIFFERENCES,
  type RecordedAttempt,
  type TimeWindow,
} from '../domain/reconciliation.ts';
import type { Database } from '../prisma/connection/client.ts';
import type { ReconciliationRun } from '../prisma/generated/client.ts';
import {
  selectAttemptsToAsk,
  selectRecordedAttempts,
  selectUnmatchedCharges,
} from '../prisma/queries/reconciliation.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { withHeartbeat } from './provider-calls.ts';

/** The cursor with which a run asks about payments one by one. */
const ONE_BY_ONE = 'one-by-one';
/** The beginning of the cursor with which a run asks about one attempt alone. */
const ONE_ALONE = 'one-alone:';
/** How many payments are asked about in one page: each takes a provider up to three requests. */
const ASKED_PER_PAGE = 20;

/** What a page of a run compares. */
export interface PageToCompare {
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
export function readPage(
  database: Database,
  run: ReconciliationRun,
  provider: PaymentProvider,
): Promise<PageToCompare> {
  const attemptId = attemptOfOne(run);
  if (attemptId !== null) return readOne(database, run, provider, attemptId);
  const isAsking = run.cursor === ONE_BY_ONE || provider.listPayments === undefined;
  return isAsking ? readAskedPage(database, run, provider) : readListedPage(database, run, provider);
}

/** The attempt of a run that asks about one alone; null of any other. */
export function attemptOfOne({ cursor }: ReconciliationRun): string | null {
  return cursor?.startsWith(ONE_ALONE) === true ? cursor.slice(ONE_ALONE.length) : null;
}

/** The cursor of a run that asks about one attempt alone. */
export function cursorOfOne(attemptId: string): string {
  return `${ONE_ALONE}${attemptId}`;
}

/** The attempt is compared whatever the time of its last change. */
async function readOne(
  { direct }: Database,
  { provider: name }: ReconciliationRun,
  provider: PaymentProvider,
  attemptId: string,
): Promise<PageToCompare> {
  const recorded = await direct.rows(selectRecordedAttempts([attemptId]));
  const asked = recorded.filter((attempt) => attempt.provider === name);
  const window = listedWindow({ from: new Date(0), to: new Date() });
  return { ...(await askAbout(provider, asked)), window, nextCursor: null };
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
  return {
    ...(await askAbout(provider, asked)),
    // Our rows have changed in the window. The time of the provider's change does not matter, unless it is after the window.
    window: { from: new Date(0), to: window.to },
    nextCursor: asked.length < ASKED_PER_PAGE ? null : ONE_BY_ONE,
  };
}

async function askAbout(
  provider: PaymentProvider,
  asked: readonly RecordedAttempt[],
): Promise<Pick<PageToCompare, 'payments' | 'recorded' | 'missing' | 'attemptIds'>> {
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
  };
}

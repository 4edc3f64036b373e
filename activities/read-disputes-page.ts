import { log } from '@temporalio/activity';
import { withNews } from '../domain/dispute.ts';
import { paymentIntentIdOfAttempt } from '../domain/ids.ts';
import type { DisputeEvent } from '../domain/provider-outcome.ts';
import { listedWindow, type TimeWindow } from '../domain/reconciliation.ts';
import { DAY_MS } from '../domain/time.ts';
import type { Database } from '../prisma/connection/client.ts';
import type { ReconciliationRun } from '../prisma/generated/client.ts';
import { selectReportsOfDisputes } from '../prisma/queries/dispute.ts';
import {
  selectAttemptsAtProvider,
  selectPaidAttempts,
  selectRecordedAttempts,
} from '../prisma/queries/reconciliation.ts';
import type { ListedDispute, PaymentProvider } from '../providers/payment-provider.ts';
import { CredentialsRefusedError } from '../providers/provider-errors.ts';
import { withHeartbeat } from './provider-calls.ts';
import { disputeIdFor } from './record-dispute.ts';

/** The beginning of the cursors with which a run reads disputes, after the payments. */
const DISPUTES = 'disputes:';
/** The same of a run that asks about one attempt alone. */
const OF_ONE = 'disputes-of:';
/** How old payments are when a provider without a list is asked for their disputes: cards may be disputed for months. */
const ASKED_AT_DAYS = [0, 7, 14, 30, 60, 90] as const;
/** Each takes the provider one request. */
const ASKED_PER_PAGE = 50;

/** A page of disputes: the reports that say something new, as events that reach the dispute like a webhook's. */
interface DisputesPage {
  readonly reports: readonly { readonly paymentIntentId: string; readonly event: DisputeEvent }[];
  readonly nextCursor: string | null;
}

/** Where a run goes on that has read the last of its payments; null where it cannot find disputes. @param attemptId the only one */
export function cursorOfDisputes(provider: PaymentProvider, attemptId: string | null): string | null {
  if (attemptId !== null) return provider.findDisputes === undefined ? null : `${OF_ONE}${attemptId}`;
  const canFind = provider.listDisputes !== undefined || provider.findDisputes !== undefined;
  return canFind ? DISPUTES : null;
}

export function isCursorOfDisputes(cursor: string | null): cursor is string {
  return cursor !== null && (cursor.startsWith(DISPUTES) || cursor.startsWith(OF_ONE));
}

/**
 * Reads a page of a provider's disputes, and keeps what webhooks have not reported. A key that has no right to disputes finds none, which
 * does not keep the payments from being compared.
 */
export async function readDisputesPage(
  database: Database,
  run: ReconciliationRun,
  provider: PaymentProvider,
): Promise<DisputesPage> {
  const { disputes, nextCursor } = await withHeartbeat((signal) =>
    find(database, run, provider, signal).catch((error: unknown) => {
      if (!(error instanceof CredentialsRefusedError)) throw error;
      log.warn('a provider does not let the key read disputes', { provider: run.provider, reason: error.message });
      return { disputes: [], nextCursor: null };
    }),
  );
  return { reports: await newsOf(database, run.provider, disputes), nextCursor };
}

interface Found {
  readonly disputes: readonly ListedDispute[];
  readonly nextCursor: string | null;
}

async function find(
  database: Database,
  run: ReconciliationRun,
  provider: PaymentProvider,
  signal: AbortSignal,
): Promise<Found> {
  const cursor = run.cursor ?? '';
  if (cursor.startsWith(OF_ONE)) {
    const asked = await database.direct.rows(selectRecordedAttempts([cursor.slice(OF_ONE.length)]));
    return { disputes: await ask(provider, asked, signal), nextCursor: null };
  }
  const place = cursor.slice(DISPUTES.length);
  if (provider.listDisputes === undefined) return findByAge(database, run, provider, { place, signal });
  const window = listedWindow({ from: run.windowFrom, to: run.windowTo });
  const page = await provider.listDisputes({ window, cursor: place === '' ? null : place }, signal);
  return { ...page, nextCursor: page.nextCursor === null ? null : `${DISPUTES}${page.nextCursor}` };
}

/** The payments of one age after the other. */
async function findByAge(
  { direct }: Database,
  run: ReconciliationRun,
  provider: PaymentProvider,
  { place, signal }: { readonly place: string; readonly signal: AbortSignal },
): Promise<Found> {
  const [number = '0', time = '', attemptId = ''] = place.split('|');
  const age = Number(number);
  const window = windowBefore(run, ASKED_AT_DAYS[age] ?? 0);
  const after = attemptId === '' ? null : { time: new Date(time), attemptId };
  const asked = await direct.rows(selectPaidAttempts({ provider: run.provider, window, after, limit: ASKED_PER_PAGE }));
  const last = asked.at(-1);
  const isMore = asked.length === ASKED_PER_PAGE && last !== undefined;
  const next = isMore ? [age, last.paidAt.toISOString(), last.attemptId] : [age + 1];
  const isEnd = !isMore && age + 1 >= ASKED_AT_DAYS.length;
  const disputes = await ask(provider, asked, signal);
  return { disputes, nextCursor: isEnd ? null : `${DISPUTES}${next.join('|')}` };
}

function windowBefore({ windowFrom, windowTo }: ReconciliationRun, days: number): TimeWindow {
  return { from: new Date(windowFrom.getTime() - days * DAY_MS), to: new Date(windowTo.getTime() - days * DAY_MS) };
}

async function ask(
  provider: PaymentProvider,
  attempts: readonly Parameters<NonNullable<PaymentProvider['findDisputes']>>[0][],
  signal: AbortSignal,
): Promise<readonly ListedDispute[]> {
  const found: ListedDispute[] = [];
  for (const attempt of attempts) found.push(...((await provider.findDisputes?.(attempt, signal)) ?? []));
  return found;
}

/** Disputes of other systems on the same account have no attempt. */
async function newsOf(
  { direct }: Database,
  provider: string,
  disputes: readonly ListedDispute[],
): Promise<DisputesPage['reports']> {
  const attemptIds = disputes.flatMap(({ attemptId }) => attemptId ?? []);
  const providerPaymentIds = disputes.flatMap(({ providerPaymentId }) => providerPaymentId ?? []);
  const attempts = await direct.rows(selectAttemptsAtProvider({ provider, attemptIds, providerPaymentIds }));
  const ids = disputes.flatMap(({ reports }) => reports.map((each) => disputeIdFor(provider, each.providerReference)));
  const known = new Map((await direct.rows(selectReportsOfDisputes(ids))).map(({ id, reports }) => [id, reports]));
  return disputes.toReversed().flatMap(({ attemptId, providerPaymentId, reports: [first, ...others] }) => {
    const attempt = attempts.find(
      (each) =>
        each.attemptId === attemptId || (providerPaymentId !== null && each.providerPaymentId === providerPaymentId),
    );
    const paymentIntentId = attempt === undefined ? undefined : paymentIntentIdOfAttempt(attempt.attemptId);
    if (attempt === undefined || paymentIntentId === undefined || first === undefined) return [];
    const disputeId = disputeIdFor(provider, first.providerReference);
    const earlier = known.get(disputeId) ?? [];
    const all = withNews(earlier, [first, ...others]);
    known.set(disputeId, all);
    return all.slice(earlier.length).map(({ eventId, ...report }) => ({
      paymentIntentId,
      event: { provider, eventId, dispute: { attemptId: attempt.attemptId, ...report } },
    }));
  });
}

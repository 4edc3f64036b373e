import { type AttemptOutcome, CAPTURE_METHODS, type Environment, ENVIRONMENTS } from '../../domain/payment.ts';
import {
  type DifferenceAction,
  type DifferenceKind,
  type DifferenceSide,
  MAXIMUM_STORED_DIFFERENCES,
  RECONCILIATION_STATUSES,
  type ReconciliationStatus,
  type RecordedAttempt,
  type RecordedRefund,
  type RepairEvent,
  type TimeWindow,
} from '../../domain/reconciliation.ts';
import type { StrayChargeStatus } from '../../domain/stray-charge.ts';
import { type AccountScope, ofAccount, isOfScope } from '../fragments/conditions.ts';
import { Prisma, type ReconciliationDifference } from '../generated/client.ts';
import { INSERT_EVENT } from '../fragments/insert-event.ts';
import type { JsonRow, Narrowed } from '../fragments/json-row.ts';
import {
  double,
  integer,
  json,
  nullable,
  oneOf,
  returning,
  type Statement,
  text,
  timestamp,
  uncheckedText,
} from '../connection/statement.ts';
import type { ListedRows } from './list.ts';

/** A time as JSON has it. */
function timeText(time: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`to_jsonb(${time}) #>> '{}'`;
}

const RECORDED_ATTEMPT = returning<RecordedAttempt>({
  attemptId: text,
  paymentIntentId: text,
  merchantAccountId: text,
  environment: oneOf(ENVIRONMENTS),
  provider: text,
  providerPaymentId: nullable(text),
  startedAt: text,
  amountMinor: double,
  currency: text,
  captureMethod: oneOf(CAPTURE_METHODS),
  outcome: nullable(uncheckedText<AttemptOutcome>()),
  heldMinor: double,
  voidedMinor: double,
  capturedMinor: double,
  reversedMinor: double,
  strayCharge: nullable(uncheckedText<StrayChargeStatus>()),
  refunds: json<readonly RecordedRefund[]>(),
  changedAt: text,
})`
  a.id AS "attemptId", i.id AS "paymentIntentId", i.merchant_account_id AS "merchantAccountId", i.environment,
  a.provider, a.provider_payment_id AS "providerPaymentId", ${timeText(Prisma.sql`a.started_at`)} AS "startedAt",
  a.amount_minor::float8 AS "amountMinor", a.currency,
  i.capture_method AS "captureMethod", a.outcome, moved.held AS "heldMinor", moved.voided AS "voidedMinor",
  moved.captured - moved.reversed AS "capturedMinor", moved.reversed AS "reversedMinor", stray_charge.status AS "strayCharge", refunds.list AS refunds,
  ${timeText(Prisma.sql`GREATEST(i.updated_at, a.started_at, a.finished_at, stray_charge.updated_at)`)} AS "changedAt"`;

const FROM_ATTEMPTS = Prisma.sql`
  FROM payment_attempt a JOIN payment_intent i ON i.id = a.payment_intent_id
  LEFT JOIN stray_charge ON stray_charge.attempt_id = a.id
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(t.amount_minor) FILTER (WHERE t.type = 'authorization'), 0)::float8 AS held,
      COALESCE(sum(t.amount_minor) FILTER (WHERE t.type = 'void' AND t.refund_id IS NULL), 0)::float8 AS voided,
      COALESCE(sum(t.amount_minor) FILTER (WHERE t.type = 'capture'), 0)::float8 AS captured,
      COALESCE(sum(t.amount_minor) FILTER (WHERE t.type = 'capture_reversal'), 0)::float8 AS reversed
    FROM transaction t WHERE t.payment_intent_id = a.payment_intent_id AND t.attempt_id = a.id
  ) moved
  CROSS JOIN LATERAL (
    SELECT COALESCE(jsonb_agg(jsonb_build_object('refundId', r.id, 'amountMinor', r.amount_minor,
      'currency', r.currency, 'status', r.status, 'providerRefundId', r.provider_refund_id, 'changedAt', r.updated_at)), '[]'::jsonb) AS list
    FROM refund r WHERE r.payment_intent_id = a.payment_intent_id AND r.attempt_id = a.id
  ) refunds`;

/** The attempts with these ids, of all accounts and at all providers. */
export function selectRecordedAttempts(attemptIds: readonly string[]): Statement<RecordedAttempt> {
  return returning(RECORDED_ATTEMPT.columns)`
    SELECT ${RECORDED_ATTEMPT.sql} ${FROM_ATTEMPTS}
    WHERE a.id = ANY (${[...attemptIds]}::text[])`;
}

export interface UnmatchedCharges {
  readonly runId: string;
  readonly provider: string;
  /** The attempts were started in it, and their payments have not changed after it. */
  readonly window: TimeWindow;
  /** Attempts found in the page that is not written yet. */
  readonly besides: readonly string[];
  readonly limit: number;
}

/** Attempts that were charged according to our rows, and that the provider does not list. */
export function selectUnmatchedCharges(of: UnmatchedCharges): Statement<RecordedAttempt> {
  const { runId, provider, window, besides, limit } = of;
  return returning(RECORDED_ATTEMPT.columns)`
    SELECT ${RECORDED_ATTEMPT.sql} ${FROM_ATTEMPTS}
    WHERE i.updated_at >= ${window.from} AND i.updated_at <= ${window.to}
      AND a.provider = ${provider} AND a.outcome = 'approved'
      AND a.started_at >= ${window.from} AND a.started_at <= ${window.to}
      AND a.id <> ALL (${[...besides]}::text[])
      AND NOT EXISTS (SELECT FROM reconciliation_match m WHERE m.run_id = ${runId} AND m.attempt_id = a.id)
    ORDER BY a.started_at, a.id
    LIMIT ${limit}`;
}

export interface AttemptsToAsk {
  readonly runId: string;
  readonly provider: string;
  /** Their payments have changed last in it. */
  readonly window: TimeWindow;
  readonly limit: number;
}

/** Attempts at a provider that the run has not found yet, those whose payments changed first before the others. */
export function selectAttemptsToAsk({ runId, provider, window, limit }: AttemptsToAsk): Statement<RecordedAttempt> {
  return returning(RECORDED_ATTEMPT.columns)`
    SELECT ${RECORDED_ATTEMPT.sql} ${FROM_ATTEMPTS}
    WHERE i.updated_at >= ${window.from} AND i.updated_at <= ${window.to} AND a.provider = ${provider}
      AND NOT EXISTS (SELECT FROM reconciliation_match m WHERE m.run_id = ${runId} AND m.attempt_id = a.id)
    ORDER BY i.updated_at, a.id
    LIMIT ${limit}`;
}

export interface ReferredAttempts {
  readonly provider: string;
  readonly attemptIds: readonly string[];
  readonly providerPaymentIds: readonly string[];
}

/** The attempts at a provider that it refers to by our id or by its own of the payment. */
export function selectAttemptsAtProvider({ provider, attemptIds, providerPaymentIds }: ReferredAttempts) {
  return returning({ attemptId: text, providerPaymentId: nullable(text) })`
    SELECT id AS "attemptId", provider_payment_id AS "providerPaymentId" FROM payment_attempt
    WHERE provider = ${provider} AND id = ANY (${[...attemptIds]}::text[])
    UNION
    SELECT id, provider_payment_id FROM payment_attempt
    WHERE provider = ${provider} AND provider_payment_id = ANY (${[...providerPaymentIds]}::text[])`;
}

export interface PaidAttempts {
  readonly provider: string;
  /** Their payments have changed last in it. */
  readonly window: TimeWindow;
  /** The last one of the page before; null for the first page. */
  readonly after: { readonly time: Date; readonly attemptId: string } | null;
  readonly limit: number;
}

/** Attempts at a provider that were approved, those whose payments changed first before the others. */
export function selectPaidAttempts({ provider, window: { from, to }, after, limit }: PaidAttempts) {
  const { time, attemptId } = after ?? { time: from, attemptId: '' };
  return returning({
    attemptId: text,
    environment: oneOf(ENVIRONMENTS),
    providerPaymentId: nullable(text),
    startedAt: text,
    paidAt: timestamp,
  })`
    SELECT a.id AS "attemptId", i.environment, a.provider_payment_id AS "providerPaymentId",
      ${timeText(Prisma.sql`a.started_at`)} AS "startedAt", i.updated_at AS "paidAt"
    FROM payment_attempt a JOIN payment_intent i ON i.id = a.payment_intent_id
    WHERE i.updated_at >= ${time} AND i.updated_at <= ${to} AND a.provider = ${provider} AND a.outcome = 'approved'
      AND (i.updated_at, a.id) > (${time}::timestamptz, ${attemptId})
    ORDER BY i.updated_at, a.id
    LIMIT ${limit}`;
}

/** A difference of a page as it is written. */
export interface NewDifference {
  readonly kind: DifferenceKind;
  readonly action: DifferenceAction;
  /** Null where nobody knows whose payment it is. */
  readonly merchantAccountId: string | null;
  readonly environment: Environment | null;
  readonly paymentIntentId: string | null;
  readonly attemptId: string | null;
  readonly refundId: string | null;
  readonly providerPaymentId: string | null;
  readonly ours: DifferenceSide | null;
  readonly theirs: DifferenceSide | null;
  /** The id of the event about it. */
  readonly eventId: string;
}

/** The counts of a page for the payments of one account. */
export interface AccountCounts extends AccountScope {
  readonly compared: number;
  readonly repaired: number;
  readonly reported: number;
}

/** A compared page. */
export interface ComparedPage {
  readonly runId: string;
  /** How many pages are written before it. */
  readonly page: number;
  /** Where the list continues; null where this was the last page. */
  readonly nextCursor: string | null;
  readonly compared: number;
  /** Attempts of ours that it lists. */
  readonly attemptIds: readonly string[];
  readonly accounts: readonly AccountCounts[];
  readonly differences: readonly NewDifference[];
  /** The events that repair differences: the workflows of these payments and refunds get them like a webhook's report. */
  readonly reports: readonly {
    readonly paymentIntentId: string;
    readonly event: RepairEvent;
  }[];
}

/**
 * Writes a page with all that follows from it, and ends the run after the last one. Writes and returns nothing where the page is
 * written already. An event tells a merchant of a reported difference, unless another run has found the same before. The run of one
 * event, whose window is empty, finds nothing again: two equal refunds are two.
 */
export function writeComparedPage(compared: ComparedPage) {
  const { runId, page, nextCursor, attemptIds, accounts, differences, reports } = compared;
  const repaired = differences.filter(({ action }) => action === 'repaired').length;
  const reported = differences.length - repaired;
  const isLast = nextCursor === null;
  return returning({ id: text })`
    WITH run AS (
      UPDATE reconciliation_run SET pages = pages + 1, cursor = ${nextCursor},
        compared = compared + ${compared.compared}::int, repaired = repaired + ${repaired}::int,
        reported = reported + ${reported}::int, updated_at = now(),
        status = CASE WHEN ${isLast} THEN 'completed' ELSE status END,
        finished_at = CASE WHEN ${isLast} THEN now() END
      WHERE id = ${runId} AND pages = ${page}::int AND status = 'running'
      RETURNING id, provider, started_at, window_from = window_to AS is_of_one_event,
        repaired + reported - ${differences.length}::int AS found_before
    ), matched AS (
      INSERT INTO reconciliation_match (run_id, attempt_id)
      SELECT DISTINCT run.id, attempt_id FROM run, unnest(${[...attemptIds]}::text[]) AS attempt_id
      ON CONFLICT DO NOTHING
    ), counted AS (
      INSERT INTO reconciliation_account (run_id, merchant_account_id, environment, compared, repaired, reported, created_at)
      SELECT run.id, of."merchantAccountId", of.environment, of.compared, of.repaired, of.reported, run.started_at
      FROM run, jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) AS of("merchantAccountId" text, environment text,
        compared int, repaired int, reported int)
      ON CONFLICT (run_id, merchant_account_id) DO UPDATE SET
        compared = reconciliation_account.compared + EXCLUDED.compared,
        repaired = reconciliation_account.repaired + EXCLUDED.repaired,
        reported = reconciliation_account.reported + EXCLUDED.reported
    ), reports AS (
      INSERT INTO provider_event (provider, event_id, payment_intent_id, refund_id, event)
      SELECT run.provider, of.event->>'eventId', of."paymentIntentId", of.event->>'refundId', of.event
      FROM run, jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) AS of("paymentIntentId" text, event jsonb)
      ON CONFLICT (provider, event_id) DO NOTHING
    ), found AS (
      SELECT run.provider, run.is_of_one_event, run.found_before + place AS number, of.*
      FROM run, ROWS FROM (jsonb_to_recordset(${JSON.stringify(differences)}::jsonb) AS ("eventId" text, kind text,
        action text, "merchantAccountId" text, environment text, "paymentIntentId" text, "attemptId" text,
        "refundId" text, "providerPaymentId" text, ours jsonb, theirs jsonb)) WITH ORDINALITY
        AS of("eventId", kind, action, "merchantAccountId", environment, "paymentIntentId", "attemptId", "refundId",
          "providerPaymentId", ours, theirs, place)
    ), stored AS (
      INSERT INTO reconciliation_difference (run_id, number, kind, action, merchant_account_id, environment,
        payment_intent_id, attempt_id, refund_id, provider_payment_id, ours, theirs)
      SELECT run.id, found.number, kind, action, "merchantAccountId", environment, "paymentIntentId", "attemptId",
        "refundId", "providerPaymentId", NULLIF(ours, 'null'), NULLIF(theirs, 'null')
      FROM run, found WHERE found.number <= ${MAXIMUM_STORED_DIFFERENCES}
      RETURNING *
    ), events AS (
      ${INSERT_EVENT}
      SELECT found."eventId", stored.merchant_account_id, stored.environment, 'reconciliation.difference_found',
        stored.run_id || '_' || stored.number, NULL, 0, NULL,
        jsonb_build_object('reconciliationDifference', to_jsonb(stored) || jsonb_build_object('provider', found.provider)),
        stored.created_at
      FROM stored JOIN found ON found.number = stored.number
      WHERE stored.action = 'reported' AND stored.merchant_account_id IS NOT NULL AND (found.is_of_one_event OR NOT EXISTS (
        SELECT FROM reconciliation_difference earlier
        WHERE (earlier.attempt_id = stored.attempt_id OR earlier.attempt_id IS NULL AND stored.attempt_id IS NULL
            AND earlier.provider_payment_id = stored.provider_payment_id)
          AND earlier.merchant_account_id = stored.merchant_account_id
          AND earlier.kind = stored.kind AND earlier.run_id <> stored.run_id
          AND earlier.refund_id IS NOT DISTINCT FROM stored.refund_id
          AND earlier.theirs IS NOT DISTINCT FROM stored.theirs))
    )
    SELECT id FROM run`;
}

/** A difference as JSON. */
export type DifferenceRow = Narrowed<
  JsonRow<ReconciliationDifference>,
  {
    readonly kind: DifferenceKind;
    readonly action: DifferenceAction;
    readonly environment: Environment | null;
    readonly ours: DifferenceSide | null;
    readonly theirs: DifferenceSide | null;
  }
>;

/** A run as one account sees it. */
export interface AccountRun {
  readonly id: string;
  readonly provider: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly status: ReconciliationStatus;
  /** Null where it did not fail, or failed before there were codes. */
  readonly failureCode: string | null;
  readonly windowFrom: Date;
  readonly windowTo: Date;
  readonly compared: number;
  readonly repaired: number;
  readonly reported: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** A run as an account sees it, from a row of `reconciliation_account` that is called `r`. */
export const ACCOUNT_RUN = returning<AccountRun>({
  id: text,
  provider: text,
  merchantAccountId: text,
  environment: oneOf(ENVIRONMENTS),
  status: oneOf(RECONCILIATION_STATUSES),
  failureCode: nullable(text),
  windowFrom: timestamp,
  windowTo: timestamp,
  compared: integer,
  repaired: integer,
  reported: integer,
  startedAt: timestamp,
  finishedAt: nullable(timestamp),
})`
  r.run_id AS id, ${runColumn('provider')} AS provider, r.merchant_account_id AS "merchantAccountId", r.environment,
  ${runColumn('status')} AS status, ${runColumn('failure_code')} AS "failureCode", ${runColumn('window_from')} AS "windowFrom", ${runColumn('window_to')} AS "windowTo",
  r.compared, r.repaired, r.reported, r.created_at AS "startedAt", ${runColumn('finished_at')} AS "finishedAt"`;

function runColumn(column: string): Prisma.Sql {
  return Prisma.sql`(SELECT run.${Prisma.raw(column)} FROM reconciliation_run run WHERE run.id = r.run_id)`;
}

/** The list of the runs that compared payments of an account, newest first. */
export function accountRuns(
  { merchantAccountId }: Pick<AccountScope, 'merchantAccountId'>,
  filter: { readonly provider?: string | undefined; readonly status?: string | undefined },
): ListedRows {
  const conditions = Object.entries(filter).flatMap(([column, value]) =>
    value === undefined
      ? []
      : [
          Prisma.sql`EXISTS (SELECT FROM reconciliation_run run
            WHERE run.id = run_id AND run.${Prisma.raw(column)} = ${value})`,
        ],
  );
  const account = ofAccount({ merchantAccountId });
  return {
    table: 'reconciliation_account',
    scope: [account],
    conditions: [account, ...conditions],
    order: { key: ['merchant_account_id', 'run_id'], by: ['created_at', 'run_id'], direction: 'DESC' },
  };
}

/** A run as an account sees it, if it compared payments of the account. */
export function selectAccountRun(id: string, scope: AccountScope): Statement<AccountRun> {
  return returning(ACCOUNT_RUN.columns)`
    SELECT ${ACCOUNT_RUN.sql} FROM reconciliation_account r WHERE r.run_id = ${id} AND ${isOfScope(scope, 'r')}`;
}

/** The differences of a run about an account's payments, in the order in which they were found. */
export function selectDifferences(runId: string, scope: AccountScope) {
  return returning({ row: json<DifferenceRow>() })`
    SELECT to_jsonb(d) AS row FROM reconciliation_difference d WHERE d.run_id = ${runId} AND ${isOfScope(scope, 'd')}
    ORDER BY d.number`;
}

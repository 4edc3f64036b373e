import { RATE_HALF_LIFE_ATTEMPTS } from '../../domain/approval-order.ts';
import type { Environment } from '../../domain/payment.ts';
import { IS_RATED } from '../fragments/rated-attempts.ts';
import { Prisma } from '../generated/client.ts';
import { bigint, double, integer, nullable, oneOf, returning, text, timestamp } from '../connection/statement.ts';

/** Returns one row if there are numbered events that are not counted: a cheap check, which an idle system repeats. */
export function selectUncounted() {
  return returning({ found: integer })`
    SELECT 1 AS found FROM statistics_cursor JOIN event_counter ON scope = '*' AND last_value > position`;
}

/** A part of a snapshot, null where it is of another kind. */
function part(snapshot: string, name: string, kind: 'array' | 'object'): Prisma.Sql {
  const value = Prisma.raw(`${snapshot}->'${name}'`);
  return Prisma.sql`CASE WHEN jsonb_typeof(${value}) = ${Prisma.raw(`'${kind}'`)} THEN ${value} END`;
}

/** An attempt whose end was not followed by an event within this time has ended long before. */
const END_IS_KNOWN_WITHIN = Prisma.sql`interval '1 day'`;

/** How much of its weight an attempt keeps with each later one of its provider. */
const KEPT_WEIGHT = Prisma.sql`${2 ** (-1 / RATE_HALF_LIFE_ATTEMPTS)}::float8`;

/**
 * The approval rates of the accounts whose routes are ordered by them: of all payments by the method, of those in the currency, and of
 * those in the currency from the country. Attempts of one batch weigh the same together as they would one after the other.
 */
const RATES = Prisma.sql`
  INSERT INTO approval_rate AS r (merchant_account_id, environment, method, provider, currency, country, approved, weight,
    attempts, updated_at)
  SELECT d.merchant_account_id, d.environment, d.method, d.provider, likeness.currency, likeness.country,
    avg((d.outcome = 'approved')::int) * (1 - power(${KEPT_WEIGHT}, count(*))) / (1 - ${KEPT_WEIGHT}),
    (1 - power(${KEPT_WEIGHT}, count(*))) / (1 - ${KEPT_WEIGHT}), count(*), now()
  FROM described d
    JOIN routing_setting s ON s.merchant_id = d.merchant_id AND s.environment = d.environment AND s.method = d.method
      AND s.ordering = 'approval_rate'
    CROSS JOIN LATERAL (
      SELECT '' AS currency, '' AS country UNION SELECT d.currency, '' UNION SELECT d.currency, COALESCE(d.country, '')
    ) AS likeness
  WHERE d."isRated"
  GROUP BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (merchant_account_id, environment, method, provider, currency, country)
  DO UPDATE SET approved = r.approved * power(${KEPT_WEIGHT}, excluded.attempts) + excluded.approved,
    weight = r.weight * power(${KEPT_WEIGHT}, excluded.attempts) + excluded.weight,
    attempts = r.attempts + excluded.attempts, updated_at = excluded.updated_at`;

/**
 * The attempts that have ended between an event `b` and the event before it of the same payment. The event before may have been
 * purged; an attempt that ended long ago was counted at that time.
 */
const ENDED_ATTEMPTS = Prisma.sql`
  SELECT b.merchant_account_id, b.environment, b.payment_intent_id, 'attempt' AS kind, a.outcome, a."finishedAt" AS at,
    a.currency, a.provider, a."paymentMethodId" AS payment_method_id, a.code, a."amountMinor" AS amount_minor, 1 AS number,
    ${IS_RATED} AS "isRated"
  FROM batch b
  LEFT JOIN LATERAL (
    SELECT e.snapshot->'attempts' AS attempts FROM event e
    WHERE e.payment_intent_id = b.payment_intent_id AND e.position < b.position
      AND jsonb_typeof(e.snapshot->'attempts') = 'array'
    ORDER BY e.position DESC LIMIT 1
  ) AS before ON true
  CROSS JOIN LATERAL jsonb_to_recordset(${part('b.snapshot', 'attempts', 'array')}) AS a(id text, number int, provider text, "paymentMethodId" text,
    "amountMinor" bigint, currency text, outcome text, code text, advice text, "finishedAt" timestamptz)
  WHERE a.outcome IS NOT NULL
    AND (before.attempts IS NOT NULL OR a."finishedAt" > b.created_at - ${END_IS_KNOWN_WITHIN})
    AND NOT EXISTS (
      SELECT FROM jsonb_to_recordset(before.attempts) AS known(id text, outcome text)
      WHERE known.id = a.id AND known.outcome IS NOT NULL
    )`;

/** The capture that an event `b` is about. */
const CAPTURES = Prisma.sql`
  SELECT b.merchant_account_id, b.environment, b.payment_intent_id, 'capture', 'captured', b.created_at, t.currency,
    t.provider, NULL, NULL, t."amountMinor", 1, false
  FROM batch b CROSS JOIN LATERAL jsonb_to_recordset(${part('b.snapshot', 'transactions', 'array')}) AS t(id text, type text, provider text,
    "amountMinor" bigint, currency text)
  WHERE b.type = 'transaction.created' AND t.id = b.resource_id AND t.type = 'capture'`;

/**
 * The capture that has failed after all, which an event `b` is about: it is taken back where it was counted, and with it the success
 * of a payment of which nothing is left. A capture of which a part is left still counts as one.
 */
const REVERSED_CAPTURES = Prisma.sql`
  SELECT b.merchant_account_id, b.environment, b.payment_intent_id, taken.kind, taken.outcome, captured.created_at, t.currency,
    CASE taken.kind WHEN 'capture' THEN t.provider END, NULL, NULL,
    -CASE taken.kind WHEN 'capture' THEN t."amountMinor" ELSE i.amount_minor END,
    CASE WHEN captured.is_whole OR i.status = 'failed' THEN -1 ELSE 0 END, false
  FROM batch b CROSS JOIN LATERAL jsonb_to_recordset(${part('b.snapshot', 'transactions', 'array')}) AS t(id text, type text, provider text,
      "attemptId" text, "amountMinor" bigint, currency text)
    CROSS JOIN LATERAL jsonb_to_record(${part('b.snapshot', 'intent', 'object')}) AS i(amount_minor bigint, status text)
    CROSS JOIN LATERAL (
      SELECT c.created_at, c.amount_minor = t."amountMinor" AS is_whole FROM transaction c
      WHERE c.payment_intent_id = b.payment_intent_id AND c.attempt_id = t."attemptId" AND c.type = 'capture'
        AND c.created_at <= b.created_at
      ORDER BY is_whole DESC, c.created_at DESC LIMIT 1
    ) AS captured
    CROSS JOIN (VALUES ('capture', 'captured'), ('payment', 'succeeded')) AS taken(kind, outcome)
  WHERE b.type = 'transaction.created' AND t.id = b.resource_id AND t.type = 'capture_reversal'
    AND (taken.kind = 'capture' OR i.status = 'failed')`;

/** The refund whose end an event `b` is about. */
const ENDED_REFUNDS = Prisma.sql`
  SELECT b.merchant_account_id, b.environment, b.payment_intent_id, 'refund', split_part(b.type, '.', 2), b.created_at,
    r.currency, r.provider, NULL, b.failure->>'code', r.amount_minor, 1, false
  FROM batch b CROSS JOIN LATERAL jsonb_to_record(${part('b.snapshot', 'refund', 'object')}) AS r(provider text, amount_minor bigint, currency text)
  WHERE b.type IN ('refund.succeeded', 'refund.failed')`;

/** The new payment, or the end of a payment, that an event `b` is about. */
const PAYMENTS = Prisma.sql`
  SELECT b.merchant_account_id, b.environment, b.payment_intent_id, 'payment', split_part(b.type, '.', 2), b.created_at,
    i.currency, NULL, NULL, NULL, i.amount_minor, 1, false
  FROM batch b CROSS JOIN LATERAL jsonb_to_record(${part('b.snapshot', 'intent', 'object')}) AS i(amount_minor bigint, currency text)
  WHERE b.type IN ('payment_intent.created', 'payment_intent.succeeded', 'payment_intent.canceled', 'payment_intent.expired')`;

/**
 * What an event `b` says of the number of disputes: a new inquiry or chargeback, an inquiry that has become a chargeback, an end. The
 * events of one step all have the dispute as it is after the step, so the event before it in the same step has the same stage.
 */
const DISPUTES = Prisma.sql`
  SELECT b.merchant_account_id, b.environment, b.payment_intent_id, 'dispute', news.outcome, b.created_at,
    COALESCE(d.currency, i.currency), d.provider, NULL, d.reason, COALESCE(d.amount_minor, 0), 1, false
  FROM batch b
    CROSS JOIN LATERAL jsonb_to_record(${part('b.snapshot', 'dispute', 'object')}) AS d(provider text, stage text, status text,
      reason text, amount_minor bigint, currency text)
    LEFT JOIN payment_intent i ON i.id = b.payment_intent_id
    LEFT JOIN LATERAL (
      SELECT e.snapshot->'dispute'->>'stage' AS stage FROM event e
      WHERE e.payment_intent_id = b.payment_intent_id AND e.position < b.position AND e.resource_id = b.resource_id
      ORDER BY e.position DESC LIMIT 1
    ) AS before ON true
    CROSS JOIN LATERAL (
      SELECT 'inquiry' AS outcome WHERE b.type = 'dispute.created' AND d.stage = 'inquiry'
      UNION ALL SELECT 'chargeback' WHERE d.stage <> 'inquiry' AND (b.type = 'dispute.created' OR before.stage = 'inquiry')
      UNION ALL SELECT d.status WHERE b.type = 'dispute.closed'
    ) AS news
  WHERE b.type LIKE 'dispute.%'`;

/** The warning of fraud that an event `b` is about. */
const FRAUD_WARNINGS = Prisma.sql`
  SELECT b.merchant_account_id, b.environment, b.payment_intent_id, 'dispute', 'fraud_warning', b.created_at,
    i.currency, NULL, NULL, NULL, i.amount_minor, 1, false
  FROM batch b CROSS JOIN LATERAL jsonb_to_record(${part('b.snapshot', 'intent', 'object')}) AS i(amount_minor bigint, currency text)
  WHERE b.type = 'payment_intent.fraud_warning'`;

/** Disputes are told by month, beside the payments of the month; all else by hour and day. */
const IS_KEPT_BY_PERIOD = Prisma.sql`CASE d.kind
  WHEN 'dispute' THEN periods.period = 'month' WHEN 'capture' THEN true ELSE periods.period <> 'month' END`;

/**
 * Counts the next numbered events, also for approval rates, and moves the cursor past them. Every event is counted once, because both are one statement.
 * The cursor must be locked; it is read by a subquery, because PostgreSQL would join it with all events. Data that a snapshot lacks
 * is not counted.
 */
export function insertCounted(batchSize: number) {
  return returning({ counted: integer })`
    WITH batch AS MATERIALIZED (
      SELECT e.merchant_account_id, e.environment, e.type, e.resource_id, e.payment_intent_id, e.failure, e.snapshot,
        e.position, e.created_at
      FROM event e WHERE e.position > (SELECT position FROM statistics_cursor WHERE id = 1)
      ORDER BY e.position LIMIT ${batchSize}
    ), facts AS (
      ${ENDED_ATTEMPTS} UNION ALL ${CAPTURES} UNION ALL ${REVERSED_CAPTURES} UNION ALL ${ENDED_REFUNDS} UNION ALL ${PAYMENTS}
      UNION ALL ${DISPUTES} UNION ALL ${FRAUD_WARNINGS}
    ), described AS (
      SELECT f.*, i.country, account.merchant_id, (
        SELECT type FROM payment_method WHERE id = COALESCE(f.payment_method_id, i.payment_method_id)
      ) AS method
      FROM facts f
      JOIN merchant_account account ON account.id = f.merchant_account_id AND account.environment = f.environment
      LEFT JOIN payment_intent i ON i.id = f.payment_intent_id
      WHERE f.currency IS NOT NULL AND f.amount_minor IS NOT NULL AND f.at IS NOT NULL
    ), written AS (
      INSERT INTO payment_statistic AS s (merchant_account_id, environment, period, currency, starts_at, kind, outcome,
        provider, method, country, code, count, amount_minor)
      SELECT d.merchant_account_id, d.environment, periods.period, d.currency, date_trunc(periods.period, d.at, 'UTC'),
        d.kind, d.outcome, COALESCE(d.provider, ''), COALESCE(d.method, ''), COALESCE(d.country, ''), COALESCE(d.code, ''),
        sum(d.number), sum(d.amount_minor)::bigint
      FROM described d JOIN (VALUES ('hour'), ('day'), ('month')) AS periods(period) ON ${IS_KEPT_BY_PERIOD}
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
      ON CONFLICT (merchant_account_id, environment, period, currency, starts_at, kind, outcome, provider, method, country,
        code)
      DO UPDATE SET count = s.count + excluded.count, amount_minor = s.amount_minor + excluded.amount_minor
    ), rated AS (
      ${RATES}
    ), moved AS (
      UPDATE statistics_cursor SET position = (SELECT max(position) FROM batch)
      WHERE id = 1 AND EXISTS (SELECT FROM batch)
    )
    SELECT count(*)::int AS counted FROM batch`;
}

/** The dimensions by which figures are grouped. */
export const STATISTIC_GROUPS = ['time', 'provider', 'method', 'country', 'code'] as const;

export interface StatisticsScope {
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

export interface StatisticsRange extends StatisticsScope {
  readonly currency: string;
  readonly period: 'hour' | 'day';
  /** The beginnings of hours or days; `to` is excluded. */
  readonly from: Date;
  readonly to: Date;
}

/** The figures of a range by time, by provider, by payment method, by country and by code, in one pass over its rows. */
export function selectStatistics({ merchantAccountId, environment, currency, period, from, to }: StatisticsRange) {
  const countOf = (kind: string, outcome: string) =>
    Prisma.sql`COALESCE(sum(count) FILTER (WHERE kind = ${kind} AND outcome = ${outcome}), 0)::bigint`;
  const amountOf = (kind: string, outcome: string) =>
    Prisma.sql`COALESCE(sum(amount_minor) FILTER (WHERE kind = ${kind} AND outcome = ${outcome}), 0)::float8`;
  return returning({
    group: oneOf(STATISTIC_GROUPS),
    startsAt: nullable(timestamp),
    value: nullable(text),
    created: bigint,
    succeeded: bigint,
    approved: bigint,
    declined: bigint,
    failed: bigint,
    notCharged: bigint,
    captured: bigint,
    capturedMinor: double,
    refunded: bigint,
    refundedMinor: double,
    refundsFailed: bigint,
  })`
    SELECT CASE WHEN GROUPING(starts_at) = 0 THEN 'time' WHEN GROUPING(provider) = 0 THEN 'provider'
        WHEN GROUPING(method) = 0 THEN 'method' WHEN GROUPING(country) = 0 THEN 'country' ELSE 'code' END AS "group",
      starts_at AS "startsAt", COALESCE(provider, method, country, code) AS value,
      ${countOf('payment', 'created')} AS created, ${countOf('payment', 'succeeded')} AS succeeded,
      ${countOf('attempt', 'approved')} AS approved, ${countOf('attempt', 'declined')} AS declined,
      ${countOf('attempt', 'failed')} AS failed, ${countOf('attempt', 'not_charged')} AS "notCharged",
      ${countOf('capture', 'captured')} AS captured, ${amountOf('capture', 'captured')} AS "capturedMinor",
      ${countOf('refund', 'succeeded')} AS refunded, ${amountOf('refund', 'succeeded')} AS "refundedMinor",
      ${countOf('refund', 'failed')} AS "refundsFailed"
    FROM payment_statistic
    WHERE merchant_account_id = ${merchantAccountId} AND environment = ${environment} AND period = ${period}
      AND currency = ${currency} AND starts_at >= ${from.toISOString()}::timestamptz
      AND starts_at < ${to.toISOString()}::timestamptz
    GROUP BY GROUPING SETS ((starts_at), (provider), (method), (country), (code))`;
}

/** The currencies in which an account has statistics, by their codes. */
export function selectStatisticCurrencies(scope: StatisticsScope) {
  return returning({ currency: text })`${currenciesOf(scope, 'day')}`;
}

/** Looks each currency up in the index. */
function currenciesOf({ merchantAccountId, environment }: StatisticsScope, period: 'day' | 'month'): Prisma.Sql {
  const next = (condition: Prisma.Sql) => Prisma.sql`
    SELECT currency FROM payment_statistic
    WHERE merchant_account_id = ${merchantAccountId} AND environment = ${environment} AND period = ${period} AND ${condition}
    ORDER BY currency LIMIT 1`;
  return Prisma.sql`
    WITH RECURSIVE found AS (
      (${next(Prisma.sql`true`)})
      UNION ALL
      SELECT (${next(Prisma.sql`currency > found.currency`)}) FROM found WHERE found.currency IS NOT NULL
    )
    SELECT currency FROM found WHERE currency IS NOT NULL`;
}

/** The dimensions by which disputes are grouped. */
const DISPUTE_GROUPS = ['month', 'provider', 'reason'] as const;

/**
 * The disputes of an account in all currencies, by month, by provider and by reason, and beside them its captures.
 * @param range the beginnings of months; `to` is excluded
 */
export function selectDisputeStatistics(
  scope: StatisticsScope,
  { from, to }: { readonly from: Date; readonly to: Date },
) {
  const { merchantAccountId, environment } = scope;
  const countOf = (outcome: string) =>
    Prisma.sql`COALESCE(sum(count) FILTER (WHERE kind = 'dispute' AND outcome = ${outcome}), 0)::float8`;
  return returning({
    group: oneOf(DISPUTE_GROUPS),
    startsAt: nullable(timestamp),
    value: nullable(text),
    payments: double,
    inquiries: double,
    chargebacks: double,
    won: double,
    lost: double,
    closed: double,
    fraudWarnings: double,
  })`
    SELECT CASE WHEN GROUPING(starts_at) = 0 THEN 'month' WHEN GROUPING(provider) = 0 THEN 'provider' ELSE 'reason' END AS "group",
      starts_at AS "startsAt", COALESCE(provider, code) AS value,
      COALESCE(sum(count) FILTER (WHERE kind = 'capture'), 0)::float8 AS payments,
      ${countOf('inquiry')} AS inquiries, ${countOf('chargeback')} AS chargebacks, ${countOf('won')} AS won,
      ${countOf('lost')} AS lost, ${countOf('closed')} AS closed, ${countOf('fraud_warning')} AS "fraudWarnings"
    FROM payment_statistic
    WHERE merchant_account_id = ${merchantAccountId} AND environment = ${environment} AND period = 'month'
      AND currency = ANY (ARRAY(${currenciesOf(scope, 'month')}))
      AND starts_at >= ${from.toISOString()}::timestamptz AND starts_at < ${to.toISOString()}::timestamptz
      AND kind IN ('capture', 'dispute')
    GROUP BY GROUPING SETS ((starts_at), (provider), (code))`;
}

/** The currency of an account's newest payment intent. */
export function selectNewestCurrency({ merchantAccountId, environment }: StatisticsScope) {
  return returning({ currency: text })`
    SELECT currency FROM payment_intent
    WHERE merchant_account_id = ${merchantAccountId} AND environment = ${environment}
    ORDER BY created_at DESC, id DESC LIMIT 1`;
}

/** The time up to which the statistics are complete: that of the first event that is not counted yet, otherwise now. */
export function selectStatisticsTime() {
  return returning({ asOf: timestamp })`
    SELECT LEAST(now(),
      (
        SELECT created_at FROM event WHERE position > (SELECT position FROM statistics_cursor WHERE id = 1)
        ORDER BY position LIMIT 1
      ),
      (SELECT created_at FROM event WHERE position IS NULL ORDER BY insertion LIMIT 1)) AS "asOf"`;
}

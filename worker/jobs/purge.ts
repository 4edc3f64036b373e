import { PAYMENT_STATUSES, isTerminal } from '../../domain/payment-state.ts';
import type { Database } from '../../prisma/client.ts';
import { markPurged } from '../../prisma/event-horizon.ts';
import { Prisma } from '../../prisma/generated/client.ts';

/** How long rows are kept, in days. */
export interface Retention {
  readonly eventsDays: number;
  readonly providerEventsDays: number;
  /** Payment intents in a terminal state, with all rows that belong to them. */
  readonly paymentsDays: number;
}

/** Rows to delete when the time in one of their columns is older than `keepDays`. */
export interface RetentionRule {
  readonly table: string;
  /** A column, or the expression of the index. */
  readonly column: string;
  readonly keepDays: number;
  /** A further condition. */
  readonly condition?: Prisma.Sql;
}

/** Rows that one statement deletes or erases at most. */
const PURGE_BATCH_SIZE = 500;

/** A stored response is valid for 24 hours; the additional hour is for requests that are still under way. */
const IDEMPOTENCY_DAYS = 25 / 24;
const PAYMENT_UPDATE_DAYS = 1;
/** Far longer than a request can be repeated under its idempotency key. */
const OPERATION_DAYS = 30;
/** A delivery that is pending so long after its last attempt is abandoned: no workflow could be started for it. */
const ABANDONED_DELIVERY_DAYS = 30;
/** Until the purge, a request with such a key gets `API_KEY_REVOKED` or `API_KEY_EXPIRED`, and the merchant can read when. */
const ENDED_KEY_DAYS = 90;
const PAYMENT_METHOD_DAYS_AFTER_END = 1;
const RATE_LIMIT_SURPLUS_MS = 60_000;
const CVC_HOURS_AFTER_EXPIRY = 1;

const TERMINAL_STATUSES = PAYMENT_STATUSES.filter(isTerminal);
const HAS_ENDED = Prisma.sql`payment_intent.status IN (${Prisma.join(TERMINAL_STATUSES)})`;

/** How long the rows of each table are kept. Card data, rate limits and payments have their own statements below. */
export function retentionRules(retention: Retention): readonly RetentionRule[] {
  return [
    {
      table: 'idempotency_record',
      column: 'created_at',
      keepDays: IDEMPOTENCY_DAYS,
      condition: Prisma.sql`(locked_until IS NULL OR locked_until < now())`,
    },
    {
      table: 'event',
      column: 'created_at',
      keepDays: retention.eventsDays,
      // An event is kept while one of its webhooks is not planned or delivered yet.
      condition: Prisma.sql`position <= (SELECT webhook_cursor.position FROM webhook_cursor)
        AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = event.id AND d.status = 'pending')`,
    },
    {
      table: 'webhook_delivery',
      column: 'created_at',
      keepDays: retention.eventsDays,
      condition: Prisma.sql`(status <> 'pending' OR created_at < ${daysAgo(retention.eventsDays + ABANDONED_DELIVERY_DAYS)})`,
    },
    { table: 'provider_event', column: 'received_at', keepDays: retention.providerEventsDays },
    {
      table: 'api_key',
      column: 'LEAST(revoked_at, expires_at)',
      keepDays: ENDED_KEY_DAYS,
      condition: Prisma.sql`(revoked_at IS NOT NULL OR expires_at IS NOT NULL)`,
    },
    { table: 'payment_intent_amendment', column: 'created_at', keepDays: PAYMENT_UPDATE_DAYS },
    {
      table: 'payment_operation',
      column: 'created_at',
      keepDays: OPERATION_DAYS,
      // A run that takes the payment over has to answer open operations.
      condition: Prisma.sql`(result IS NOT NULL OR NOT EXISTS (
        SELECT FROM payment_intent WHERE payment_intent.id = payment_operation.payment_intent_id AND NOT (${HAS_ENDED})))`,
    },
    {
      table: 'stray_charge',
      column: 'updated_at',
      keepDays: retention.eventsDays,
      condition: Prisma.sql`status <> 'pending'`,
    },
  ];
}

/**
 * Deletes or erases everything older than the retention allows, in small batches, until nothing is left or the signal aborts.
 * @returns how many rows were deleted or erased
 */
export async function purge(
  database: Database,
  retention: Retention,
  signal: AbortSignal,
  batchSize = PURGE_BATCH_SIZE,
): Promise<number> {
  let total = 0;
  for (const statement of purgeStatements(retention, batchSize)) {
    let affected: number;
    do {
      if (signal.aborted) return total;
      affected = await database.direct.execute(statement);
      total += affected;
    } while (affected >= batchSize);
  }
  return total;
}

/** Card data is erased first, so that it is erased even if a later statement fails. */
function purgeStatements(retention: Retention, batchSize: number): readonly Prisma.Sql[] {
  return [
    eraseSecurityCodes(batchSize),
    erasePaymentMethods(batchSize),
    ...retentionRules(retention).map((rule) => deleteOld(rule, batchSize)),
    deleteRateLimits(batchSize),
    deletePayments(retention.paymentsDays, batchSize),
  ];
}

const daysAgo = (days: number): Prisma.Sql => Prisma.sql`now() - make_interval(secs => ${days * 86_400}::float8)`;

/** Skips locked rows; the next run of the purge deletes them. */
function deleteOld({ table, column, keepDays, condition }: RetentionRule, batchSize: number): Prisma.Sql {
  const deletion = Prisma.sql`
    DELETE FROM ${Prisma.raw(table)}
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${Prisma.raw(table)}
      WHERE ${Prisma.raw(column)} < ${daysAgo(keepDays)} AND ${condition ?? Prisma.sql`true`}
      ORDER BY ${Prisma.raw(column)}
      LIMIT ${batchSize}
      FOR UPDATE SKIP LOCKED
    ))`;
  return table === 'event' ? deleteEvents(deletion) : deletion;
}

/** Raises the horizon, so that readers whose cursor is before it learn of the gap. The result counts events only. */
function deleteEvents(deletion: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH deleted AS (${deletion} RETURNING merchant_account_id, sequence),
      marked AS (${markPurged(Prisma.sql`deleted`)})
    SELECT FROM deleted`;
}

/** A safeguard: the workflow erases the CVC at the first outcome. Ended, overdue and unknown intents need none. */
function eraseSecurityCodes(batchSize: number): Prisma.Sql {
  return Prisma.sql`
    UPDATE payment_method SET cvc_ciphertext = NULL
    WHERE id IN (
      SELECT payment_method.id FROM payment_method
      LEFT JOIN payment_intent ON payment_intent.id = payment_method.payment_intent_id
      WHERE payment_method.cvc_ciphertext IS NOT NULL AND (
        ${HAS_ENDED}
        OR payment_intent.expires_at < now() - make_interval(hours => ${CVC_HOURS_AFTER_EXPIRY}::int)
        OR (payment_intent.id IS NULL AND payment_method.created_at < ${daysAgo(PAYMENT_METHOD_DAYS_AFTER_END)})
      )
      LIMIT ${batchSize}
      FOR UPDATE OF payment_method SKIP LOCKED
    )`;
}

/** The masked details are kept as long as the payment. */
function erasePaymentMethods(batchSize: number): Prisma.Sql {
  const cutOff = daysAgo(PAYMENT_METHOD_DAYS_AFTER_END);
  return Prisma.sql`
    UPDATE payment_method SET ciphertext = NULL, cvc_ciphertext = NULL
    WHERE id IN (
      SELECT payment_method.id FROM payment_method
      LEFT JOIN payment_intent ON payment_intent.id = payment_method.payment_intent_id
      WHERE payment_method.ciphertext IS NOT NULL AND payment_method.created_at < ${cutOff}
        AND (payment_intent.id IS NULL OR (${HAS_ENDED} AND payment_intent.updated_at < ${cutOff}))
      LIMIT ${batchSize}
      FOR UPDATE OF payment_method SKIP LOCKED
    )`;
}

/** The column holds milliseconds since 1970. */
function deleteRateLimits(batchSize: number): Prisma.Sql {
  return Prisma.sql`
    DELETE FROM rate_limit
    WHERE key IN (
      SELECT key FROM rate_limit
      WHERE expire < (extract(epoch FROM now()) * 1000)::bigint - ${RATE_LIMIT_SURPLUS_MS}::bigint
      LIMIT ${batchSize}
      FOR UPDATE SKIP LOCKED
    )`;
}

/**
 * Attempts, transactions, refunds and the timeline are deleted with the intent by foreign key. An intent with a pending refund
 * or stray charge is kept.
 */
function deletePayments(keepDays: number, batchSize: number): Prisma.Sql {
  return Prisma.sql`
    WITH old AS MATERIALIZED (
      SELECT id FROM payment_intent
      WHERE updated_at < ${daysAgo(keepDays)} AND ${HAS_ENDED} AND NOT EXISTS (
        SELECT FROM refund WHERE refund.payment_intent_id = payment_intent.id AND refund.status = 'pending'
      ) AND NOT EXISTS (
        SELECT FROM stray_charge WHERE stray_charge.payment_intent_id = payment_intent.id
          AND stray_charge.status = 'pending'
      )
      ORDER BY updated_at
      LIMIT ${batchSize}
      FOR UPDATE SKIP LOCKED
    ), payment_methods AS (
      DELETE FROM payment_method USING old WHERE payment_method.payment_intent_id = old.id
    ), events AS (
      DELETE FROM event USING old WHERE event.payment_intent_id = old.id
      RETURNING event.merchant_account_id, event.sequence
    ), marked AS (
      ${markPurged(Prisma.sql`events`)}
    ), provider_events AS (
      DELETE FROM provider_event USING old WHERE provider_event.payment_intent_id = old.id
    ), operations AS (
      DELETE FROM payment_operation USING old WHERE payment_operation.payment_intent_id = old.id
    ), stray_charges AS (
      DELETE FROM stray_charge USING old WHERE stray_charge.payment_intent_id = old.id
    )
    DELETE FROM payment_intent USING old WHERE payment_intent.id = old.id`;
}

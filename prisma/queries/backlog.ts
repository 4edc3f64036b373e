import { STUCK_AFTER_MS } from '../../domain/time-limits.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { Prisma } from '../generated/client.ts';
import { HAS_OPEN_DEPOSIT } from './deposit.ts';
import { double, integer, returning, text } from '../connection/statement.ts';

interface WaitingRows {
  /** The table, a join, or a function. */
  readonly from: string;
  /** The time since which a row has waited. */
  readonly since: string;
  readonly condition: Prisma.Sql;
  /** The order of the index, so that the oldest rows are counted; absent where no index has an order by time. */
  readonly order?: string;
  /** The environment of a row; absent where its table has none. */
  readonly environment?: string;
}

/** How late something may be before it counts as overdue: sweepers look every few seconds. */
const OVERDUE_AFTER_MS = MINUTE_MS;
/** Longer than all tries of a call together. */
const UNANSWERED_AFTER_MS = MINUTE_MS;
/** The customer may act for a day, an authorization is then valid for 7 days, and the purge erases the card a day after the end. */
const CARD_DATA_KEPT_AFTER_MS = 10 * DAY_MS;
/** A payment expires after a day at most, and the purge erases the code an hour later. */
const SECURITY_CODE_KEPT_AFTER_MS = 27 * HOUR_MS;

/** At most this many rows are counted, so that the statement stays cheap when backlogs are longest. */
const MAXIMUM_COUNT = 10_000;

const UNSTARTED_SINCE = 'COALESCE(next_attempt_at, created_at)';
const ATTEMPT_DUE = 'COALESCE(next_attempt_at, workflow_started_at)';
/** When the sweeper next checks a delivery; each check postpones the next. The index is in this order. */
const SWEEP_DUE = `GREATEST(claimed_at, ${ATTEMPT_DUE})`;

const BACKLOGS = {
  /** In `processing` for so long that the payment has its advisory, or should have it: not while it waits for confirmations. */
  stuck_payments: {
    from: 'payment_intent',
    since: 'status_since',
    condition: Prisma.sql`status = 'processing' AND status_since < ${ago(STUCK_AFTER_MS)}
      AND (advisory IS NOT NULL OR NOT ${HAS_OPEN_DEPOSIT})`,
    order: 'status_since',
    environment: 'environment',
  },
  /** Attempts of which the provider has said nothing yet: nobody knows whether it charged. */
  unknown_outcomes: {
    from: 'payment_intent JOIN payment_attempt ON payment_attempt.payment_intent_id = payment_intent.id',
    since: 'payment_attempt.started_at',
    condition: Prisma.sql`status = 'processing' AND status_since < ${ago(UNANSWERED_AFTER_MS)}
      AND outcome IS NULL AND provider_payment_id IS NULL`,
    order: 'status_since',
    environment: 'environment',
  },
  /** Operations on payments that have waited for their provider for minutes. */
  waiting_payments: {
    from: 'payment_intent',
    since: "(advisory->>'since')::timestamptz",
    condition: Prisma.sql`advisory->>'code' = 'WAITING_FOR_PROVIDER'`,
    order: "advisory->>'since'",
    environment: 'environment',
  },
  /** Refunds that have waited for their provider for unusually long. */
  waiting_refunds: {
    from: 'refund',
    since: "(advisory->>'since')::timestamptz",
    condition: Prisma.sql`advisory->>'code' = 'WAITING_FOR_PROVIDER'`,
    order: "advisory->>'since'",
    environment: 'environment',
  },
  /** Stray charges that are not returned yet, those included that somebody has to return by hand. */
  unreturned_stray_charges: {
    from: 'stray_charge',
    since: 'updated_at',
    condition: Prisma.sql`status IN ('pending', 'failed')`,
    order: 'updated_at',
    environment: 'environment',
  },
  overdue_payments: overdue('payment_intent'),
  overdue_refunds: overdue('refund'),
  overdue_stray_charges: overdue('stray_charge'),
  /** Not numbered yet. */
  unnumbered_events: {
    from: 'event',
    since: 'created_at',
    condition: Prisma.sql`position IS NULL`,
    order: 'insertion',
    environment: 'environment',
  },
  /** Numbered, but their deliveries are not planned yet. Positions have no gaps, so this range has all that are counted. */
  unplanned_events: {
    from: 'event',
    since: 'created_at',
    condition: Prisma.sql`position > (SELECT webhook_cursor.position FROM webhook_cursor)
      AND position <= (SELECT webhook_cursor.position FROM webhook_cursor) + ${MAXIMUM_COUNT}`,
    order: 'position',
    environment: 'environment',
  },
  /** Deliveries without a workflow that are due, wait for no other delivery, and whose endpoint does not fail. */
  unstarted_deliveries: {
    from: 'webhook_delivery',
    since: UNSTARTED_SINCE,
    condition: Prisma.sql`workflow_started_at IS NULL AND blocked_by IS NULL AND status = 'pending' AND NOT is_held
      AND ${Prisma.raw(UNSTARTED_SINCE)} <= now()`,
    order: `webhook_endpoint_id, ${UNSTARTED_SINCE}, position`,
    environment: 'environment',
  },
  /** Deliveries that wait until their endpoint answers. */
  held_deliveries: {
    from: 'webhook_delivery',
    since: 'created_at',
    condition: Prisma.sql`status = 'pending' AND is_held AND blocked_by IS NULL`,
    order: 'webhook_endpoint_id, position',
    environment: 'environment',
  },
  /** Endpoints that count as failing, of all merchants. */
  failing_endpoints: {
    from: 'webhook_endpoint',
    since: 'failing_since',
    condition: Prisma.sql`next_probe_at IS NOT NULL`,
    order: 'failing_since',
    environment: 'environment',
  },
  /** Deliveries whose next attempt should have been made. */
  overdue_deliveries: {
    from: 'webhook_delivery',
    since: ATTEMPT_DUE,
    condition: Prisma.sql`status = 'pending' AND workflow_started_at IS NOT NULL
      AND ${Prisma.raw(SWEEP_DUE)} < now() AND ${Prisma.raw(ATTEMPT_DUE)} < ${ago(OVERDUE_AFTER_MS)}`,
    order: SWEEP_DUE,
    environment: 'environment',
  },
  /** All deliveries that have not ended, those that wait for their next attempt included. */
  pending_deliveries: {
    from: 'webhook_delivery',
    since: 'created_at',
    condition: Prisma.sql`status = 'pending'`,
    environment: 'environment',
  },
  /** Provider events that are not marked as delivered, also those that a workflow has received and the sweeper has yet to mark. */
  undelivered_provider_events: {
    from: 'provider_event',
    since: 'received_at',
    condition: Prisma.sql`delivered_at IS NULL`,
    order: 'received_at',
  },
  /** Card data that the purge should have erased. */
  card_data_to_erase: {
    from: 'payment_method',
    since: 'created_at',
    condition: Prisma.sql`ciphertext IS NOT NULL AND created_at < ${ago(CARD_DATA_KEPT_AFTER_MS)}`,
    order: 'created_at',
    environment: 'environment',
  },
  /** CVCs that the purge should have erased; the table has only those of payments under way. */
  security_codes_to_erase: {
    from: 'payment_method_cvc',
    since: 'created_at',
    condition: Prisma.sql`created_at < ${ago(SECURITY_CODE_KEPT_AFTER_MS)}`,
  },
  /** Tables without a partition for the next week or month, or with rows of the last day that found none. */
  partition_problems: {
    from: 'partition_problems()',
    since: 'since',
    condition: Prisma.sql`true`,
  },
} as const satisfies Readonly<Record<string, WaitingRows>>;

export type BacklogName = keyof typeof BACKLOGS;
export const BACKLOG_NAMES = Object.keys(BACKLOGS) as readonly BacklogName[];

/** The environment of rows in tables that have none. */
export const ANY_ENVIRONMENT = 'any';

/** Rows that wait for something. */
export interface Backlog {
  readonly backlog: BacklogName;
  /** `any` where the rows have none. */
  readonly environment: string;
  readonly count: number;
  /** How long the oldest row has waited. */
  readonly oldestSeconds: number;
}

/** Whether the rows of a backlog have an environment. */
export function hasEnvironment(backlog: BacklogName): boolean {
  return 'environment' in BACKLOGS[backlog];
}

/** Counts the rows of a backlog, up to 10,000, in each environment; without any, there is no row. */
export function selectBacklog(backlog: BacklogName) {
  const { from, since, condition, order, environment }: WaitingRows = BACKLOGS[backlog];
  const inOrder = order === undefined ? Prisma.empty : Prisma.sql`ORDER BY ${Prisma.raw(order)}`;
  return returning({ environment: text, count: integer, oldestSeconds: double })`
    SELECT environment, count(*)::int AS count,
      GREATEST(extract(epoch FROM now() - min(since)), 0)::float8 AS "oldestSeconds"
    FROM (
      SELECT ${environment === undefined ? ANY_ENVIRONMENT : Prisma.raw(environment)}::text AS environment,
        ${Prisma.raw(since)} AS since
      FROM ${Prisma.raw(from)} WHERE ${condition} ${inOrder} LIMIT ${MAXIMUM_COUNT}
    ) AS waiting
    GROUP BY environment`;
}

function overdue(table: 'payment_intent' | 'refund' | 'stray_charge') {
  return {
    from: table,
    since: 'next_due_at',
    condition: Prisma.sql`next_due_at < ${ago(OVERDUE_AFTER_MS)}`,
    order: 'next_due_at',
    environment: 'environment',
  };
}

function ago(ms: number): Prisma.Sql {
  return Prisma.sql`now() - make_interval(secs => ${ms / SECOND_MS}::float8)`;
}

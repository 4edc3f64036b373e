import { ATTEMPTS_THAT_BLOCK, FAILURES_UNTIL_FAILING, type WebhookDeliveryStatus } from '../../domain/webhook.ts';
import { type AccountScope, isOfScope, isOwned } from '../fragments/conditions.ts';
import { Prisma } from '../generated/client.ts';
import { boolean, integer, nullable, returning, text } from '../connection/statement.ts';
import { type ListedRows, NEWEST_FIRST } from './list.ts';

/** Returns one row if there are numbered events whose deliveries are not planned: a cheap check, which an idle system repeats. */
export function selectUnplanned() {
  return returning({ found: integer })`
    SELECT 1 AS found FROM webhook_cursor JOIN event_counter ON scope = '*' AND last_value > position`;
}

/** Endpoints `w` that subscribe to an event `e`. */
const WANTS_EVENT = Prisma.sql`CASE WHEN e.type = 'webhook_endpoint.test' THEN w.id = e.resource_id
  ELSE w.enabled_events && ARRAY['*', e.type] END`;

/** The id of the first delivery of an event `e` to an endpoint `w`. */
const DELIVERY_ID = Prisma.sql`'whd_' || split_part(e.id, '_', 2) || '_' || split_part(w.id, '_', 2)`;

/**
 * Writes a delivery for each endpoint that subscribes to one of the next numbered events, and moves the cursor past them. The
 * events of one payment go to an endpoint one after the other: each waits for the one before it. Deliveries to a failing endpoint
 * are held from the beginning, but for a test, which somebody waits for. The cursor must be locked. It is read by a subquery,
 * because PostgreSQL would join it with all events.
 */
export function insertPlanned(batchSize: number) {
  return returning({ planned: integer })`
    WITH batch AS MATERIALIZED (
      SELECT e.id, e.merchant_account_id, e.environment, e.type, e.resource_id, e.payment_intent_id, e.position
      FROM event e WHERE e.position > (SELECT position FROM webhook_cursor WHERE id = 1)
      ORDER BY e.position LIMIT ${batchSize}
    ), wanted AS (
      SELECT e.*, w.id AS webhook_endpoint_id, ${DELIVERY_ID} AS delivery_id,
        e.type = 'webhook_endpoint.test' AS is_requested, w.next_probe_at IS NOT NULL AS is_failing
      FROM batch e JOIN webhook_endpoint w ON w.merchant_account_id = e.merchant_account_id
        AND w.environment = e.environment AND w.status = 'enabled' AND ${WANTS_EVENT}
    ), planned AS (
      INSERT INTO webhook_delivery (id, event_id, webhook_endpoint_id, merchant_account_id, environment, event_type,
        payment_intent_id, position, is_requested, is_held, blocked_by)
      SELECT delivery_id, wanted.id, webhook_endpoint_id, merchant_account_id, environment, type, payment_intent_id,
        position, is_requested, is_failing AND NOT is_requested, CASE WHEN payment_intent_id IS NOT NULL THEN COALESCE(
          lag(delivery_id) OVER (PARTITION BY webhook_endpoint_id, payment_intent_id ORDER BY position),
          (SELECT d.id FROM webhook_delivery d
            WHERE d.webhook_endpoint_id = wanted.webhook_endpoint_id AND d.payment_intent_id = wanted.payment_intent_id
              AND d.status = 'pending' AND d.attempt_count < ${ATTEMPTS_THAT_BLOCK}::int AND d.round = 1
            ORDER BY d.position DESC LIMIT 1)) END
      FROM wanted
      ON CONFLICT DO NOTHING
    ), probed AS (
      UPDATE webhook_endpoint w SET recovery_due_at = w.next_probe_at
      WHERE w.id IN (SELECT webhook_endpoint_id FROM wanted WHERE is_failing) AND w.recovery_due_at IS NULL
    ), moved AS (
      UPDATE webhook_cursor SET position = (SELECT max(position) FROM batch)
      WHERE id = 1 AND EXISTS (SELECT FROM batch)
    )
    SELECT count(*)::int AS planned FROM batch`;
}

/** Blocked deliveries that one statement looks at: a failing endpoint may have very many. */
export interface BlockedRange {
  /** Whether of what waits for failing endpoints: it is very much, and the others must not wait until all of it was looked at. */
  readonly isHeld: boolean;
  /** The blocking delivery after which the range begins; the empty text for the first. */
  readonly after: string;
  readonly limit: number;
}

/**
 * Unblocks deliveries whose blocking delivery does not block any more: it may have ended while the other was being planned, in a
 * concurrent transaction. Returns the end of the range; null where it was the last one.
 */
export function unblockDeliveries({ isHeld, after, limit }: BlockedRange) {
  const condition = isHeld ? Prisma.sql`is_held` : Prisma.sql`NOT is_held`;
  return returning({ last: nullable(text) })`
    WITH range AS MATERIALIZED (
      SELECT id, blocked_by FROM webhook_delivery WHERE blocked_by > ${after} AND ${condition} ORDER BY blocked_by LIMIT ${limit}
    ), unblocked AS (
      UPDATE webhook_delivery waiting SET blocked_by = NULL
      FROM range WHERE waiting.id = range.id AND NOT EXISTS (
        SELECT FROM webhook_delivery earlier
        WHERE earlier.id = range.blocked_by AND earlier.status = 'pending'
          AND earlier.attempt_count < ${ATTEMPTS_THAT_BLOCK}::int)
    )
    SELECT CASE WHEN count(*) = ${limit}::int THEN max(blocked_by) END AS last FROM range`;
}

export interface UnstartedClaims extends DeliveryClaims {
  /** The endpoint after which the statement begins to look, in the order of ids; the empty text for the first. */
  readonly afterEndpoint: string;
}

export interface DeliveryClaims {
  /** Deliveries that are claimed at most. */
  readonly limit: number;
  /** A claim ends after so many seconds. */
  readonly claimSeconds: number;
}

/** What may be started, in the order of the index. */
const TO_START = Prisma.sql`status = 'pending' AND workflow_started_at IS NULL AND blocked_by IS NULL AND NOT is_held`;
const DUE_AT = Prisma.sql`COALESCE(next_attempt_at, created_at)`;

/** Deliveries of one endpoint whose attempts are under way at most, so that the others get their share of workers and Temporal. */
export const SHARE_PER_ENDPOINT = 50;
/** One of so many goes to the newest of a backlog: what happens now does not wait until all that is older was delivered. */
const NEWEST_ONE_OF = 5;
/** Endpoints whose deliveries one statement looks at. */
const MOST_ENDPOINTS = 1_000;

/**
 * Endpoints that have deliveries under a condition, found by an index that begins with the endpoint: PostgreSQL reads one row for
 * each, however many deliveries it has. A recursive part of a WITH clause, named `endpoint`.
 */
function endpointsWith(condition: Prisma.Sql, after = ''): Prisma.Sql {
  return Prisma.sql`endpoint AS (
      (SELECT webhook_endpoint_id AS id FROM webhook_delivery
        WHERE webhook_endpoint_id > ${after} AND ${condition} ORDER BY webhook_endpoint_id LIMIT 1)
      UNION ALL
      SELECT (
        SELECT webhook_endpoint_id FROM webhook_delivery
        WHERE webhook_endpoint_id > endpoint.id AND ${condition} ORDER BY webhook_endpoint_id LIMIT 1
      ) FROM endpoint WHERE endpoint.id IS NOT NULL
    )`;
}

const FOUND_ENDPOINTS = Prisma.sql`(SELECT id FROM endpoint WHERE id IS NOT NULL LIMIT ${MOST_ENDPOINTS}::int)`;

/**
 * Holds deliveries that were planned before their endpoint began to fail, and returns how many. Those that somebody asked for are
 * made all the same. `areVeryMany`: whether more endpoints have deliveries that wait than one statement looks at.
 */
export function holdDeliveries(limit: number) {
  return returning({ held: integer, areVeryMany: boolean })`
    WITH RECURSIVE ${endpointsWith(TO_START)}, next AS MATERIALIZED (
      SELECT d.id FROM ${FOUND_ENDPOINTS} found
      JOIN webhook_endpoint w ON w.id = found.id AND w.next_probe_at IS NOT NULL
      CROSS JOIN LATERAL (
        SELECT id FROM webhook_delivery WHERE webhook_endpoint_id = w.id AND ${TO_START} AND NOT is_requested LIMIT ${limit}
      ) d
      LIMIT ${limit}
    ), held AS (
      UPDATE webhook_delivery d SET is_held = true, claimed_at = NULL FROM next
      WHERE d.id = next.id AND d.status = 'pending' AND d.workflow_started_at IS NULL
      RETURNING d.webhook_endpoint_id
    ), probed AS (
      UPDATE webhook_endpoint w SET recovery_due_at = COALESCE(w.next_probe_at, now())
      WHERE w.id IN (SELECT webhook_endpoint_id FROM held) AND w.recovery_due_at IS NULL
    )
    SELECT count(*)::int AS held, (SELECT count(*) FROM ${FOUND_ENDPOINTS} found) = ${MOST_ENDPOINTS}::int AS "areVeryMany" FROM held`;
}

/**
 * What is under way at an endpoint `w` at most. One that has never answered, or whose last attempt failed, gets as many as it takes
 * to see that it fails: deliveries to a dead one cost the others little before it counts as failing. From then on only what somebody
 * asked for is started.
 */
const SHARE = Prisma.sql`CASE WHEN w.next_probe_at IS NOT NULL OR (w.failing_since IS NULL AND w.last_success_at IS NOT NULL)
  THEN ${SHARE_PER_ENDPOINT}::int ELSE ${FAILURES_UNTIL_FAILING}::int END`;

/**
 * Claims deliveries that are due and have no workflow, a few of each endpoint in turn: of an endpoint no more than its share, less
 * the attempts that are under way. Concurrent workers claim different deliveries.
 */
export function claimUnstarted({ limit, claimSeconds, afterEndpoint }: UnstartedClaims) {
  const isFree = Prisma.sql`(claimed_at IS NULL OR claimed_at < now() - make_interval(secs => ${claimSeconds}))`;
  const ofEndpoint = (order: Prisma.Sql, most: Prisma.Sql) => Prisma.sql`(
    SELECT id, position, row_number() OVER () AS rank FROM (
      SELECT id, position FROM webhook_delivery
      WHERE webhook_endpoint_id = endpoint_id AND ${TO_START} AND ${DUE_AT} <= now() AND ${isFree}
        AND (is_requested OR NOT is_failing)
      ORDER BY ${order} LIMIT ${most}
    ) AS ordered)`;
  return returning({
    deliveryId: text,
    eventId: text,
    eventType: text,
    webhookEndpointId: text,
    merchantAccountId: text,
    environment: text,
    paymentIntentId: nullable(text),
    attemptsMade: integer,
  })`
    WITH RECURSIVE ${endpointsWith(TO_START, afterEndpoint)}, shares AS (
      SELECT found.id AS endpoint_id, w.next_probe_at IS NOT NULL AS is_failing, GREATEST(${SHARE} - (
        SELECT count(*) FROM (
          SELECT FROM webhook_delivery d
          WHERE d.webhook_endpoint_id = found.id AND d.status = 'pending' AND d.workflow_started_at IS NOT NULL
            AND COALESCE(d.next_attempt_at, d.created_at) <= now()
          LIMIT ${SHARE_PER_ENDPOINT}::int
        ) AS under_way
      ), 0) AS share
      FROM ${FOUND_ENDPOINTS} found LEFT JOIN webhook_endpoint w ON w.id = found.id
    ), ranked AS MATERIALIZED (
      SELECT id FROM shares CROSS JOIN LATERAL (
        ${ofEndpoint(Prisma.sql`${DUE_AT}, position`, Prisma.sql`share - share / ${NEWEST_ONE_OF}::int`)}
        UNION ALL
        ${ofEndpoint(Prisma.sql`${DUE_AT} DESC, position DESC`, Prisma.sql`share / ${NEWEST_ONE_OF}::int`)}
      ) AS candidate
      ORDER BY rank, position LIMIT ${limit}
    ), next AS (
      SELECT id FROM webhook_delivery
      WHERE id IN (SELECT id FROM ranked) AND ${TO_START} AND ${isFree}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_delivery d SET claimed_at = now()
    FROM next WHERE d.id = next.id
    RETURNING d.id AS "deliveryId", d.event_id AS "eventId", d.event_type AS "eventType",
      d.webhook_endpoint_id AS "webhookEndpointId", d.merchant_account_id AS "merchantAccountId", d.environment,
      d.payment_intent_id AS "paymentIntentId", d.attempt_count AS "attemptsMade"`;
}

/** Records that a delivery's workflow runs. */
export function markStarted(deliveryId: string): Prisma.Sql {
  return Prisma.sql`UPDATE webhook_delivery SET workflow_started_at = now() WHERE id = ${deliveryId}`;
}

/** Claims deliveries whose attempt is overdue for the time of a claim. The condition must match the partial index. */
export function claimOverdue({ limit, claimSeconds }: DeliveryClaims) {
  return returning({ id: text, attemptCount: integer })`
    UPDATE webhook_delivery d SET claimed_at = now()
    FROM (
      SELECT id FROM webhook_delivery
      WHERE status = 'pending' AND workflow_started_at IS NOT NULL
        AND GREATEST(claimed_at, COALESCE(next_attempt_at, workflow_started_at))
          < now() - make_interval(secs => ${claimSeconds})
      ORDER BY GREATEST(claimed_at, COALESCE(next_attempt_at, workflow_started_at))
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ) AS next
    WHERE d.id = next.id
    RETURNING d.id, d.attempt_count AS "attemptCount"`;
}

export interface Redelivery extends AccountScope {
  readonly eventId: string;
  /** The one endpoint to send to; null for all that subscribe to the event. */
  readonly webhookEndpointId: string | null;
}

/** Writes another delivery of an event for each enabled endpoint that has none under way. */
export function insertRedeliveries({ eventId, webhookEndpointId, ...scope }: Redelivery) {
  const isWanted = webhookEndpointId === null ? WANTS_EVENT : Prisma.sql`w.id = ${webhookEndpointId}`;
  return returning({ id: text })`
    INSERT INTO webhook_delivery (id, event_id, webhook_endpoint_id, merchant_account_id, environment, event_type,
      payment_intent_id, position, round, is_requested)
    SELECT ${DELIVERY_ID} || CASE WHEN last.round > 0 THEN '_' || last.round + 1 ELSE '' END,
      e.id, w.id, w.merchant_account_id, w.environment, e.type, e.payment_intent_id, e.position, last.round + 1, true
    FROM event e
    JOIN webhook_endpoint w ON w.merchant_account_id = e.merchant_account_id AND w.environment = e.environment
      AND w.status = 'enabled' AND ${isWanted}
    JOIN LATERAL (
      SELECT COALESCE(max(d.round), 0) AS round, COALESCE(bool_or(d.status = 'pending'), false) AS is_under_way
      FROM webhook_delivery d WHERE d.event_id = e.id AND d.webhook_endpoint_id = w.id
    ) AS last ON NOT last.is_under_way
    WHERE ${isOwned(eventId, scope, 'e')}
      AND e.position <= (SELECT position FROM webhook_cursor)
    ON CONFLICT DO NOTHING
    RETURNING id`;
}

/** Deliveries with a status, as a text in the statement: only so can PostgreSQL use the index of those that wait, or of the others. */
export const HAS_STATUS: Readonly<Record<WebhookDeliveryStatus, Prisma.Sql>> = {
  pending: Prisma.sql`status = 'pending'`,
  delivered: Prisma.sql`status = 'delivered' AND status <> 'pending'`,
  failed: Prisma.sql`status = 'failed' AND status <> 'pending'`,
  canceled: Prisma.sql`status = 'canceled' AND status <> 'pending'`,
};

/** The list of the deliveries to an endpoint of an account that have a status, newest first. */
export function endpointDeliveries(
  scope: AccountScope,
  webhookEndpointId: string,
  status: WebhookDeliveryStatus,
): ListedRows {
  const ofEndpoint = [Prisma.sql`webhook_endpoint_id = ${webhookEndpointId}`, isOfScope(scope)];
  return {
    table: 'webhook_delivery',
    scope: ofEndpoint,
    conditions: [...ofEndpoint, HAS_STATUS[status]],
    order: NEWEST_FIRST,
  };
}

export interface MissedEvents extends AccountScope {
  readonly webhookEndpointId: string;
  readonly since: Date;
  /** Events that are redelivered at most, the oldest first. */
  readonly limit: number;
  /** Of the account's newest events, so many are looked at. */
  readonly examined: number;
}

/**
 * Writes another delivery to an endpoint for each event since a time that it subscribes to, and has neither got nor waits for. While
 * the endpoint fails, they wait with the others. `isComplete`: whether every such event is under way now.
 */
export function insertMissed({ webhookEndpointId, since, limit, examined, ...scope }: MissedEvents) {
  return returning({ redelivered: integer, isComplete: boolean })`
    WITH newest AS MATERIALIZED (
      SELECT id, type, resource_id, payment_intent_id, position, sequence, created_at FROM event
      WHERE ${isOfScope(scope)} AND sequence IS NOT NULL
      ORDER BY sequence DESC LIMIT ${examined}
    ), missed AS MATERIALIZED (
      SELECT e.*, w.id AS webhook_endpoint_id, w.merchant_account_id, w.environment, ${DELIVERY_ID} AS delivery_id,
        last.round, w.next_probe_at IS NOT NULL AS is_failing
      FROM newest e JOIN webhook_endpoint w ON w.id = ${webhookEndpointId} AND ${isOfScope(scope, 'w')}
        AND w.status = 'enabled' AND ${WANTS_EVENT}
      JOIN LATERAL (
        SELECT COALESCE(max(d.round), 0) AS round,
          COALESCE(bool_or(d.status IN ('pending', 'delivered')), false) AS is_got
        FROM webhook_delivery d WHERE d.event_id = e.id AND d.webhook_endpoint_id = w.id
      ) AS last ON NOT last.is_got
      WHERE e.created_at >= ${since.toISOString()}::timestamptz AND e.position <= (SELECT position FROM webhook_cursor)
      ORDER BY e.sequence LIMIT ${limit}
    ), inserted AS (
      INSERT INTO webhook_delivery (id, event_id, webhook_endpoint_id, merchant_account_id, environment, event_type,
        payment_intent_id, position, round, is_held)
      SELECT delivery_id || CASE WHEN round > 0 THEN '_' || round + 1 ELSE '' END, id, webhook_endpoint_id, merchant_account_id,
        environment, type, payment_intent_id, position, round + 1, is_failing
      FROM missed
      ON CONFLICT DO NOTHING
      RETURNING is_held
    ), probed AS (
      UPDATE webhook_endpoint w SET recovery_due_at = w.next_probe_at
      WHERE w.id = ${webhookEndpointId} AND EXISTS (SELECT FROM inserted WHERE is_held) AND w.recovery_due_at IS NULL
    )
    SELECT (SELECT count(*)::int FROM inserted) AS redelivered,
      (SELECT count(*) FROM missed) < ${limit}::int AND ((SELECT count(*) FROM newest) < ${examined}::int
        OR (SELECT min(created_at) FROM newest) < ${since.toISOString()}::timestamptz) AS "isComplete"`;
}

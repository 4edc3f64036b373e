// Raw, because deliveries are written for every event, and claimed with SKIP LOCKED.
import { ATTEMPTS_THAT_BLOCK } from '../../domain/webhook.ts';
import { type AccountScope, isOwned } from '../conditions.ts';
import { Prisma } from '../generated/client.ts';
import { integer, nullable, returning, text } from '../statement.ts';

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
 * events of one payment go to an endpoint one after the other: each waits for the one before it. The cursor must be locked. It is
 * read by a subquery, because PostgreSQL would join it with all events.
 */
export function insertPlanned(batchSize: number) {
  return returning({ planned: integer })`
    WITH batch AS MATERIALIZED (
      SELECT e.id, e.merchant_account_id, e.environment, e.type, e.resource_id, e.payment_intent_id, e.position
      FROM event e WHERE e.position > (SELECT position FROM webhook_cursor WHERE id = 1)
      ORDER BY e.position LIMIT ${batchSize}
    ), wanted AS (
      SELECT e.*, w.id AS webhook_endpoint_id, ${DELIVERY_ID} AS delivery_id
      FROM batch e JOIN webhook_endpoint w ON w.merchant_account_id = e.merchant_account_id
        AND w.environment = e.environment AND w.status = 'enabled' AND ${WANTS_EVENT}
    ), planned AS (
      INSERT INTO webhook_delivery (id, event_id, webhook_endpoint_id, merchant_account_id, environment, event_type,
        payment_intent_id, position, blocked_by)
      SELECT delivery_id, wanted.id, webhook_endpoint_id, merchant_account_id, environment, type, payment_intent_id,
        position, CASE WHEN payment_intent_id IS NOT NULL THEN COALESCE(
          lag(delivery_id) OVER (PARTITION BY webhook_endpoint_id, payment_intent_id ORDER BY position),
          (SELECT d.id FROM webhook_delivery d
            WHERE d.webhook_endpoint_id = wanted.webhook_endpoint_id AND d.payment_intent_id = wanted.payment_intent_id
              AND d.status = 'pending' AND d.attempt_count < ${ATTEMPTS_THAT_BLOCK}::int AND d.round = 1
            ORDER BY d.position DESC LIMIT 1)) END
      FROM wanted
      ON CONFLICT DO NOTHING
    ), moved AS (
      UPDATE webhook_cursor SET position = (SELECT max(position) FROM batch)
      WHERE id = 1 AND EXISTS (SELECT FROM batch)
    )
    SELECT count(*)::int AS planned FROM batch`;
}

/**
 * Unblocks deliveries whose blocking delivery does not block any more: it may have ended while the other was being planned, in a
 * concurrent transaction.
 */
export function unblockDeliveries(): Prisma.Sql {
  return Prisma.sql`
    UPDATE webhook_delivery waiting SET blocked_by = NULL
    WHERE blocked_by IS NOT NULL AND NOT EXISTS (
      SELECT FROM webhook_delivery earlier
      WHERE earlier.id = waiting.blocked_by AND earlier.status = 'pending'
        AND earlier.attempt_count < ${ATTEMPTS_THAT_BLOCK}::int)`;
}

export interface DeliveryClaims {
  /** Deliveries that are claimed at most. */
  readonly limit: number;
  /** A claim ends after so many seconds. */
  readonly claimSeconds: number;
}

/** Claims deliveries that are not blocked and have no workflow yet. Concurrent workers claim different deliveries. */
export function claimUnstarted({ limit, claimSeconds }: DeliveryClaims) {
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
    UPDATE webhook_delivery d SET claimed_at = now()
    FROM (
      SELECT id FROM webhook_delivery
      WHERE workflow_started_at IS NULL AND blocked_by IS NULL AND status = 'pending'
        AND (claimed_at IS NULL OR claimed_at < now() - make_interval(secs => ${claimSeconds}))
      ORDER BY position
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ) AS next
    WHERE d.id = next.id
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
      payment_intent_id, position, round)
    SELECT ${DELIVERY_ID} || CASE WHEN last.round > 0 THEN '_' || last.round + 1 ELSE '' END,
      e.id, w.id, w.merchant_account_id, w.environment, e.type, e.payment_intent_id, e.position, last.round + 1
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

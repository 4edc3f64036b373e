import type { WebhookDeliveryStatus } from '../../domain/webhook.ts';
import { Prisma } from '../generated/client.ts';
import { boolean, integer, nullable, returning, text, timestamp } from '../connection/statement.ts';
import { HAS_STATUS } from './webhook-delivery.ts';

/** Deliveries that wait until their endpoint answers, and for no other delivery. */
const IS_HELD = Prisma.sql`status = 'pending' AND is_held AND blocked_by IS NULL`;

/** Failing endpoints whose probe is claimed at a time. */
const PROBES_AT_ONCE = 50;
/** Endpoints that get their held deliveries at the same time, over all workers: the others take turns. */
const RECOVERIES_AT_ONCE = 8;
/** A worker that claims an endpoint and does not go on with it within this time loses the claim. */
const CLAIM_SECONDS = 60;

/**
 * Claims endpoints whose recovery workflow is to be started: those that fail and are due for a probe, and of those that have
 * recovered a few: those first whose account has fewest that get theirs, and of these the longest waiting.
 */
export function claimRecoveries() {
  return returning({ webhookEndpointId: text, merchantAccountId: text, environment: text })`
    WITH to_probe AS (
      SELECT id FROM webhook_endpoint
      WHERE recovery_due_at <= now() AND next_probe_at IS NOT NULL AND status = 'enabled'
      ORDER BY recovery_due_at LIMIT ${PROBES_AT_ONCE}::int FOR UPDATE SKIP LOCKED
    ), to_empty AS (
      SELECT id FROM webhook_endpoint waiting
      WHERE recovery_due_at <= now() AND next_probe_at IS NULL AND status = 'enabled'
      ORDER BY (SELECT count(*) FROM webhook_endpoint of_account WHERE of_account.recovery_due_at > now()
          AND of_account.next_probe_at IS NULL AND of_account.merchant_account_id = waiting.merchant_account_id),
        recovery_due_at
      LIMIT GREATEST(${RECOVERIES_AT_ONCE}::int - (
        SELECT count(*) FROM webhook_endpoint WHERE recovery_due_at > now() AND next_probe_at IS NULL
      ), 0) FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_endpoint e SET recovery_due_at = now() + make_interval(secs => ${CLAIM_SECONDS}::float8)
    WHERE e.id IN (SELECT id FROM to_probe UNION ALL SELECT id FROM to_empty)
    RETURNING e.id AS "webhookEndpointId", e.merchant_account_id AS "merchantAccountId", e.environment`;
}

/** The state of an endpoint, and the delivery that a probe sends: one that was never tried, the newest first, else the one that is due. */
export function selectProbe(webhookEndpointId: string) {
  return returning({
    isEnabled: boolean,
    isFailing: boolean,
    deliveryId: nullable(text),
    attemptCount: nullable(integer),
    dueAt: nullable(timestamp),
  })`
    SELECT w.status = 'enabled' AS "isEnabled", w.next_probe_at IS NOT NULL AS "isFailing", d.id AS "deliveryId",
      d.attempt_count AS "attemptCount", d.next_attempt_at AS "dueAt"
    FROM webhook_endpoint w LEFT JOIN LATERAL (
      SELECT id, attempt_count, next_attempt_at FROM webhook_delivery
      WHERE webhook_endpoint_id = w.id AND ${IS_HELD}
      ORDER BY COALESCE(next_attempt_at, '-infinity'), position DESC LIMIT 1
    ) d ON true
    WHERE w.id = ${webhookEndpointId}`;
}

/** Sets when a worker next looks at a failing endpoint; null: once another delivery is held. */
export function postponeProbe(webhookEndpointId: string, until: Date | null): Prisma.Sql {
  return Prisma.sql`
    UPDATE webhook_endpoint SET recovery_due_at = ${until?.toISOString() ?? null}::timestamptz
    WHERE id = ${webhookEndpointId} AND next_probe_at IS NOT NULL`;
}

export interface HeldBatch {
  readonly webhookEndpointId: string;
  readonly limit: number;
}

/** Renews the claim on an endpoint that has recovered, and returns held deliveries in their order; without any there is one row of nulls. */
export function claimHeld({ webhookEndpointId, limit }: HeldBatch) {
  return returning({ deliveryId: nullable(text), attemptCount: nullable(integer) })`
    WITH endpoint AS (
      UPDATE webhook_endpoint SET recovery_due_at = now() + make_interval(secs => ${CLAIM_SECONDS}::float8)
      WHERE id = ${webhookEndpointId} AND status = 'enabled' AND next_probe_at IS NULL
      RETURNING id
    )
    SELECT d.id AS "deliveryId", d.attempt_count AS "attemptCount"
    FROM endpoint LEFT JOIN LATERAL (
      SELECT id, attempt_count, position FROM webhook_delivery
      WHERE webhook_endpoint_id = endpoint.id AND ${IS_HELD} ORDER BY position LIMIT ${limit}
    ) d ON true
    ORDER BY d.position`;
}

/** Ends a turn of an endpoint that has recovered. @param isEmptied whether no delivery is held any more; otherwise it gets another turn */
export function endTurn(webhookEndpointId: string, isEmptied: boolean): Prisma.Sql {
  return Prisma.sql`
    UPDATE webhook_endpoint SET recovery_due_at = CASE WHEN NOT ${isEmptied} THEN now() END
    WHERE id = ${webhookEndpointId} AND next_probe_at IS NULL`;
}

/** Endpoints with held deliveries, found as in `claimUnstarted`. */
const ENDPOINTS_THAT_HOLD = Prisma.sql`endpoint AS (
      (SELECT webhook_endpoint_id AS id FROM webhook_delivery WHERE ${IS_HELD} ORDER BY webhook_endpoint_id LIMIT 1)
      UNION ALL
      SELECT (
        SELECT webhook_endpoint_id FROM webhook_delivery
        WHERE webhook_endpoint_id > endpoint.id AND ${IS_HELD} ORDER BY webhook_endpoint_id LIMIT 1
      ) FROM endpoint WHERE endpoint.id IS NOT NULL
    )`;

/**
 * Cancels held deliveries whose endpoint was deleted or disabled, and has a worker look at endpoints whose deliveries nobody
 * would send: they were held in a transaction that was concurrent with the recovery. Returns how many were canceled.
 */
export function settleHeld(limit: number) {
  return returning({ canceled: integer })`
    WITH RECURSIVE ${ENDPOINTS_THAT_HOLD}, states AS MATERIALIZED (
      SELECT endpoint.id, w.id IS NULL AS is_deleted, w.status, w.next_probe_at, w.recovery_due_at
      FROM endpoint LEFT JOIN webhook_endpoint w ON w.id = endpoint.id WHERE endpoint.id IS NOT NULL
    ), over AS MATERIALIZED (
      SELECT d.id, d.is_deleted FROM (
        SELECT held.id, states.is_deleted FROM states CROSS JOIN LATERAL (
          SELECT id FROM webhook_delivery
          WHERE webhook_endpoint_id = states.id AND status = 'pending' AND is_held ORDER BY created_at LIMIT ${limit}
        ) held WHERE states.is_deleted OR states.status = 'disabled'
      ) d LIMIT ${limit}
    ), canceled AS (
      UPDATE webhook_delivery d SET status = 'canceled', is_held = false, blocked_by = NULL, next_attempt_at = NULL,
        finished_at = now(), reason = CASE WHEN over.is_deleted THEN 'endpoint_deleted' ELSE 'endpoint_disabled' END
      FROM over WHERE d.id = over.id
      RETURNING d.id
    ), unblocked AS (
      UPDATE webhook_delivery d SET blocked_by = NULL
      WHERE d.blocked_by IN (SELECT id FROM over) AND d.id NOT IN (SELECT id FROM over)
    ), due AS (
      UPDATE webhook_endpoint w SET recovery_due_at = COALESCE(w.next_probe_at, now())
      FROM states WHERE w.id = states.id AND states.status = 'enabled' AND w.recovery_due_at IS NULL
    )
    SELECT count(*)::int AS canceled FROM canceled`;
}

/** Deliveries that are counted for an endpoint at most. */
const MOST_COUNTED = 10_000;

/**
 * The deliveries of each of the endpoints: how many wait, and since when the oldest; of those that began within the last 24 hours, how
 * many there are and how many were delivered. Each number is at most 10,000 of a status.
 */
export function selectDeliveryCounts(webhookEndpointIds: readonly string[]) {
  const recent = (status: WebhookDeliveryStatus) => Prisma.sql`(
    SELECT count(*)::int FROM (
      SELECT FROM webhook_delivery WHERE webhook_endpoint_id = endpoint.id AND ${HAS_STATUS[status]}
        AND created_at >= now() - interval '1 day' LIMIT ${MOST_COUNTED}::int
    ) AS counted)`;
  return returning({
    webhookEndpointId: text,
    pending: integer,
    oldestAt: nullable(timestamp),
    recent: integer,
    recentDelivered: integer,
  })`
    SELECT endpoint.id AS "webhookEndpointId", waiting.pending, waiting."oldestAt",
      ${recent('pending')} + ${recent('failed')} + ${recent('canceled')} + delivered.number AS recent,
      delivered.number AS "recentDelivered"
    FROM unnest(${[...webhookEndpointIds]}::text[]) AS endpoint(id) CROSS JOIN LATERAL (
      SELECT count(*)::int AS pending, min(created_at) AS "oldestAt" FROM (
        SELECT created_at FROM webhook_delivery
        WHERE webhook_endpoint_id = endpoint.id AND ${HAS_STATUS.pending} ORDER BY created_at LIMIT ${MOST_COUNTED}::int
      ) AS counted
    ) AS waiting CROSS JOIN LATERAL (SELECT ${recent('delivered')} AS number) AS delivered`;
}

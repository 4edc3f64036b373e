// Raw, because an attempt is written together with its delivery, its endpoint and the delivery that it blocked.
import { WORKER } from '../../domain/audit.ts';
import { newId } from '../../domain/new-id.ts';
import { SECOND_MS } from '../../domain/time.ts';
import {
  ATTEMPTS_THAT_BLOCK,
  describeReply,
  DISABLE_AFTER_FAILING_MS,
  WEBHOOK_DELIVERY_STATUSES,
  type WebhookCancellationReason,
  type WebhookReply,
} from '../../domain/webhook.ts';
import { Prisma } from '../generated/client.ts';
import { INSERT_AUDIT_EVENT } from '../insert-audit-event.ts';
import { INSERT_EVENT } from '../insert-event.ts';
import { oneOf, returning } from '../statement.ts';
import { webhookEndpointJson, webhookEndpointResource } from '../webhook-endpoint-json.ts';

/** An attempt that was made. */
export interface MadeAttempt {
  readonly deliveryId: string;
  readonly webhookEndpointId: string;
  /** From 1. */
  readonly number: number;
  /** The pause before the next attempt; null where this was the last one. */
  readonly retryPauseMs: number | null;
  readonly reply: WebhookReply;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** HTTP 410: the endpoint accepts no more events. */
const GONE = 410;

/** The last success is written at most this often, so that a busy endpoint's row is not updated for every event. */
const NOTE_SUCCESS_EVERY_MS = SECOND_MS;

/** Writes an attempt that succeeded, with its delivery. A worker that was paused may write it after later attempts. */
export function recordDelivered(made: MadeAttempt): Prisma.Sql {
  const { deliveryId, webhookEndpointId, number } = made;
  const at = endOf(made);
  return Prisma.sql`
    WITH attempt AS (${insertAttempt(made)}), endpoint AS (
      UPDATE webhook_endpoint SET last_success_at = ${at}::timestamptz, failing_since = NULL
      WHERE id = ${webhookEndpointId} AND (failing_since IS NOT NULL OR last_success_at IS NULL
        OR last_success_at < ${at}::timestamptz - make_interval(secs => ${NOTE_SUCCESS_EVERY_MS / SECOND_MS}::float8))
    ), unblocked AS (${unblock(deliveryId)})
    UPDATE webhook_delivery SET status = 'delivered', attempt_count = ${countOf(number)}, next_attempt_at = NULL,
      finished_at = ${at}::timestamptz
    WHERE id = ${deliveryId}`;
}

/**
 * Writes an attempt that failed, and returns the status of its delivery. An endpoint that answered 410, or has been failing for
 * too long, is disabled, and an event and an audit event are written about that. A delivery that another worker has ended
 * meanwhile is not changed, and not returned. A worker that was paused may write it after later attempts, whose count and pause
 * stay.
 */
export function recordFailed(made: MadeAttempt) {
  const { deliveryId, webhookEndpointId, number, retryPauseMs, reply } = made;
  const at = endOf(made);
  const isGone = reply.statusCode === GONE;
  const next = retryPauseMs === null ? null : new Date(Date.parse(at) + retryPauseMs).toISOString();
  const endsBlock = Prisma.sql`${number >= ATTEMPTS_THAT_BLOCK || next === null} OR (SELECT is_disabled FROM decision)`;
  return returning({ status: oneOf(WEBHOOK_DELIVERY_STATUSES) })`
    WITH attempt AS (${insertAttempt(made)}), before AS MATERIALIZED (
      SELECT id, webhook_endpoint AS stored, ${isGone} OR COALESCE(failing_since < ${at}::timestamptz
        - make_interval(secs => ${DISABLE_AFTER_FAILING_MS / SECOND_MS}::float8), false) AS is_over
      FROM webhook_endpoint WHERE id = ${webhookEndpointId} AND status = 'enabled'
      FOR UPDATE
    ), endpoint AS (
      UPDATE webhook_endpoint e SET
        last_failure_at = ${at}::timestamptz,
        last_failure = ${describeReply(reply)},
        failing_since = COALESCE(failing_since, ${at}::timestamptz),
        status = CASE WHEN is_over THEN 'disabled' ELSE status END,
        disabled_reason = CASE WHEN is_over THEN ${isGone ? 'gone' : 'failing'} END,
        disabled_at = CASE WHEN is_over THEN ${at}::timestamptz END,
        version = version + is_over::int,
        updated_at = CASE WHEN is_over THEN ${at}::timestamptz ELSE updated_at END
      FROM before WHERE e.id = before.id
      RETURNING e.*, is_over
    ), created_event AS (
      ${INSERT_EVENT}
      SELECT ${newId('event')}, merchant_account_id, environment, 'webhook_endpoint.disabled', id, NULL, version, NULL,
        jsonb_build_object('webhookEndpoint', ${webhookEndpointJson('endpoint')} - 'is_over'), disabled_at
      FROM endpoint WHERE is_over
    ), audited AS (
      ${INSERT_AUDIT_EVENT}
      SELECT ${newId('auditEvent')}, account.merchant_id, endpoint.environment, account.id, 'webhook_endpoint.disabled',
        endpoint.id, ${WORKER.type}, ${WORKER.id}, ${WORKER.address}, ${webhookEndpointResource('before.stored')},
        ${webhookEndpointResource('endpoint')}
      FROM endpoint JOIN before ON before.id = endpoint.id
        JOIN merchant_account account ON account.id = endpoint.merchant_account_id
      WHERE endpoint.is_over
    ), decision AS (
      SELECT EXISTS (SELECT FROM endpoint WHERE is_over) AS is_disabled
    ), unblocked AS (${unblock(deliveryId, endsBlock)})
    UPDATE webhook_delivery SET
      status = CASE WHEN is_disabled OR ${next === null} THEN 'failed' ELSE 'pending' END,
      reason = CASE WHEN is_disabled THEN 'endpoint_disabled' WHEN ${next === null} THEN 'attempts_used_up' END,
      attempt_count = ${countOf(number)},
      next_attempt_at = CASE WHEN NOT is_disabled
        THEN CASE WHEN attempt_count > ${number}::int THEN next_attempt_at ELSE ${next}::timestamptz END END,
      finished_at = CASE WHEN is_disabled OR ${next === null} THEN ${at}::timestamptz END
    FROM decision WHERE id = ${deliveryId} AND status = 'pending'
    RETURNING status`;
}

/** Ends a delivery whose endpoint or event does not exist any more, or whose endpoint is disabled. */
export function cancelDelivery(deliveryId: string, reason: WebhookCancellationReason): Prisma.Sql {
  return Prisma.sql`
    WITH released AS (${unblock(deliveryId)})
    UPDATE webhook_delivery SET status = 'canceled', reason = ${reason}, next_attempt_at = NULL, finished_at = now()
    WHERE id = ${deliveryId} AND status = 'pending'`;
}

function insertAttempt({ deliveryId, number, startedAt, durationMs, reply }: MadeAttempt): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, status_code, error, response_body)
    VALUES (${deliveryId}, ${number}::int, ${startedAt.toISOString()}::timestamptz, ${durationMs}::int,
      ${reply.statusCode}::int, ${reply.error}, ${reply.responseBody})
    ON CONFLICT (delivery_id, number) DO NOTHING`;
}

/** How many attempts of a delivery were made, as SQL. */
function countOf(number: number): Prisma.Sql {
  return Prisma.sql`GREATEST(attempt_count, ${number}::int)`;
}

/** Unblocks the payment's next delivery to the endpoint. */
function unblock(deliveryId: string, condition = Prisma.sql`true`): Prisma.Sql {
  return Prisma.sql`UPDATE webhook_delivery SET blocked_by = NULL WHERE blocked_by = ${deliveryId} AND (${condition})`;
}

function endOf({ startedAt, durationMs }: MadeAttempt): string {
  return new Date(startedAt.getTime() + durationMs).toISOString();
}

import { WORKER } from '../../domain/audit.ts';
import { newId } from '../../domain/new-id.ts';
import { SECOND_MS } from '../../domain/time.ts';
import {
  ATTEMPTS_THAT_BLOCK,
  describeReply,
  DISABLE_AFTER_FAILING_MS,
  FAILURES_UNTIL_FAILING,
  PROBE_PAUSES_MS,
  WEBHOOK_DELIVERY_STATUSES,
  type WebhookCancellationReason,
  type WebhookReply,
} from '../../domain/webhook.ts';
import { Prisma } from '../generated/client.ts';
import { INSERT_AUDIT_EVENT } from '../fragments/insert-audit-event.ts';
import { INSERT_EVENT } from '../fragments/insert-event.ts';
import { boolean, oneOf, returning } from '../connection/statement.ts';
import { webhookEndpointJson, webhookEndpointResource } from '../fragments/webhook-endpoint-json.ts';

/** An attempt that was made. */
export interface MadeAttempt {
  readonly deliveryId: string;
  readonly webhookEndpointId: string;
  /** From 1. */
  readonly number: number;
  /** The pause before the next attempt; null where this was the last one. */
  readonly retryPauseMs: number | null;
  /** Whether it was a probe of a failing endpoint, which determines when the next one is made. */
  readonly isProbe: boolean;
  readonly reply: WebhookReply;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** HTTP 410: the endpoint accepts no more events. */
const GONE = 410;

/** The last success is written at most this often, so that a busy endpoint's row is not updated for every event. */
const NOTE_SUCCESS_EVERY_MS = SECOND_MS;

/**
 * Writes an attempt that succeeded, with its delivery. A failing endpoint has recovered by it: an event says so, and the deliveries
 * that were held are due. A worker that was paused may write it after later attempts.
 */
export function recordDelivered(made: MadeAttempt): Prisma.Sql {
  const { deliveryId, webhookEndpointId, number } = made;
  const at = endOf(made);
  return Prisma.sql`
    WITH attempt AS (${insertAttempt(made)}), before AS MATERIALIZED (
      SELECT id, next_probe_at IS NOT NULL AS was_failing FROM webhook_endpoint
      WHERE id = ${webhookEndpointId} AND (failing_since IS NOT NULL OR last_success_at IS NULL
        OR last_success_at < ${at}::timestamptz - make_interval(secs => ${NOTE_SUCCESS_EVERY_MS / SECOND_MS}::float8))
      FOR UPDATE
    ), endpoint AS (
      UPDATE webhook_endpoint e SET last_success_at = ${at}::timestamptz, failing_since = NULL, consecutive_failures = 0,
        probe_count = 0, next_probe_at = NULL, recovery_due_at = CASE WHEN was_failing THEN now() ELSE recovery_due_at END
      FROM before WHERE e.id = before.id
      RETURNING e.*, was_failing
    ), created_event AS (${insertEndpointEvent('webhook_endpoint.recovered', at, ['was_failing'])}), unblocked AS (
      ${unblock(deliveryId)}
    )
    UPDATE webhook_delivery SET status = 'delivered', attempt_count = ${countOf(number)}, next_attempt_at = NULL,
      is_held = false, finished_at = ${at}::timestamptz
    WHERE id = ${deliveryId}`;
}

/** The pauses before probes, in seconds. */
const PROBE_PAUSES = Prisma.sql`ARRAY[${Prisma.join(PROBE_PAUSES_MS.map((ms) => ms / SECOND_MS))}]::float8[]`;

/**
 * Writes an attempt that failed, and returns the status of its delivery. An endpoint that answered 410, or has been failing for
 * too long, is disabled, and an event and an audit event are written about that. One that has failed several times in a row counts
 * as failing from then on, which an event says too: its deliveries are held. A delivery that another worker has ended meanwhile is
 * not changed, and not returned. A worker that was paused may write it after later attempts, whose count and pause stay.
 */
export function recordFailed(made: MadeAttempt) {
  const { deliveryId, webhookEndpointId, number, retryPauseMs, isProbe, reply } = made;
  const at = endOf(made);
  const isGone = reply.statusCode === GONE;
  const next = retryPauseMs === null ? null : new Date(Date.parse(at) + retryPauseMs).toISOString();
  const endsBlock = Prisma.sql`${number >= ATTEMPTS_THAT_BLOCK || next === null} OR (SELECT is_disabled FROM decision)`;
  return returning({ status: oneOf(WEBHOOK_DELIVERY_STATUSES), isHeld: boolean })`
    WITH attempt AS (${insertAttempt(made)}), before AS MATERIALIZED (
      SELECT id, webhook_endpoint AS stored, ${isGone} OR COALESCE(failing_since < ${at}::timestamptz
          - make_interval(secs => ${DISABLE_AFTER_FAILING_MS / SECOND_MS}::float8), false) AS is_over,
        next_probe_at IS NULL AND consecutive_failures + 1 >= ${FAILURES_UNTIL_FAILING}::int AS begins_to_fail,
        next_probe_at IS NOT NULL AND ${isProbe} AS fails_probe
      FROM webhook_endpoint WHERE id = ${webhookEndpointId} AND status = 'enabled'
      FOR UPDATE
    ), planned AS MATERIALIZED (
      SELECT before.*, CASE WHEN is_over THEN NULL WHEN begins_to_fail OR fails_probe THEN ${at}::timestamptz
          + make_interval(secs => (${PROBE_PAUSES})[LEAST((stored).probe_count + 1 + fails_probe::int, ${PROBE_PAUSES_MS.length}::int)])
        ELSE (stored).next_probe_at END AS probe_at
      FROM before
    ), endpoint AS (
      UPDATE webhook_endpoint e SET
        last_failure_at = ${at}::timestamptz,
        last_failure = ${describeReply(reply)},
        failing_since = COALESCE(failing_since, ${at}::timestamptz),
        consecutive_failures = consecutive_failures + 1,
        probe_count = CASE WHEN is_over THEN 0 ELSE probe_count + fails_probe::int END,
        next_probe_at = probe_at,
        recovery_due_at = CASE WHEN is_over THEN NULL WHEN begins_to_fail OR fails_probe THEN probe_at
          ELSE COALESCE(recovery_due_at, probe_at) END,
        status = CASE WHEN is_over THEN 'disabled' ELSE status END,
        disabled_reason = CASE WHEN is_over THEN ${isGone ? 'gone' : 'failing'} END,
        disabled_at = CASE WHEN is_over THEN ${at}::timestamptz END,
        version = version + is_over::int,
        updated_at = CASE WHEN is_over THEN ${at}::timestamptz ELSE updated_at END
      FROM planned WHERE e.id = planned.id
      RETURNING e.*, is_over, begins_to_fail AND NOT is_over AS begins
    ), disabled_event AS (${insertEndpointEvent('webhook_endpoint.disabled', at, ['is_over', 'begins'])}),
    failing_event AS (${insertEndpointEvent('webhook_endpoint.failing', at, ['begins', 'is_over'])}),
    audited AS (
      ${INSERT_AUDIT_EVENT}
      SELECT ${newId('auditEvent')}, account.merchant_id, endpoint.environment, account.id, 'webhook_endpoint.disabled',
        endpoint.id, ${WORKER.type}, ${WORKER.id}, ${WORKER.address}, ${webhookEndpointResource('before.stored')},
        ${webhookEndpointResource('endpoint')}
      FROM endpoint JOIN before ON before.id = endpoint.id
        JOIN merchant_account account ON account.id = endpoint.merchant_account_id
      WHERE endpoint.is_over
    ), decision AS (
      SELECT EXISTS (SELECT FROM endpoint WHERE is_over) AS is_disabled,
        EXISTS (SELECT FROM endpoint WHERE next_probe_at IS NOT NULL) AS is_failing
    ), unblocked AS (${unblock(deliveryId, endsBlock)})
    UPDATE webhook_delivery SET
      status = CASE WHEN is_disabled OR ${next === null} THEN 'failed' ELSE 'pending' END,
      reason = CASE WHEN is_disabled THEN 'endpoint_disabled' WHEN ${next === null} THEN 'attempts_used_up' END,
      attempt_count = ${countOf(number)},
      next_attempt_at = CASE WHEN NOT is_disabled
        THEN CASE WHEN attempt_count > ${number}::int THEN next_attempt_at ELSE ${next}::timestamptz END END,
      is_held = is_failing AND ${next !== null},
      is_requested = false,
      workflow_started_at = CASE WHEN NOT is_failing THEN workflow_started_at END,
      claimed_at = CASE WHEN NOT is_failing THEN claimed_at END,
      finished_at = CASE WHEN is_disabled OR ${next === null} THEN ${at}::timestamptz END
    FROM decision WHERE id = ${deliveryId} AND status = 'pending'
    RETURNING status, is_held AS "isHeld"`;
}

type EndpointEventType = 'webhook_endpoint.disabled' | 'webhook_endpoint.failing' | 'webhook_endpoint.recovered';

/** Writes an event about the row `endpoint` of the statement. @param flags its own columns: the first says whether there is an event */
function insertEndpointEvent(type: EndpointEventType, at: string, flags: readonly [string, ...string[]]): Prisma.Sql {
  return Prisma.sql`
    ${INSERT_EVENT}
    SELECT ${newId('event')}, merchant_account_id, environment, ${type}, id, NULL, version, NULL,
      jsonb_build_object('webhookEndpoint', ${webhookEndpointJson('endpoint')} - ${[...flags]}::text[]), ${at}::timestamptz
    FROM endpoint WHERE ${Prisma.raw(flags[0])}`;
}

/**
 * Holds a delivery whose endpoint fails: it waits as a row, without a workflow, until the endpoint answers. One whose endpoint has
 * recovered meanwhile goes out with those that were held.
 */
export function holdDelivery(deliveryId: string): Prisma.Sql {
  return Prisma.sql`
    WITH held AS (
      UPDATE webhook_delivery SET is_held = true, workflow_started_at = NULL, claimed_at = NULL
      WHERE id = ${deliveryId} AND status = 'pending'
      RETURNING webhook_endpoint_id
    )
    UPDATE webhook_endpoint e SET recovery_due_at = COALESCE(next_probe_at, now())
    FROM held WHERE e.id = held.webhook_endpoint_id AND e.recovery_due_at IS NULL`;
}

/** Ends a delivery whose endpoint or event does not exist any more, or whose endpoint is disabled. */
export function cancelDelivery(deliveryId: string, reason: WebhookCancellationReason): Prisma.Sql {
  return Prisma.sql`
    WITH released AS (${unblock(deliveryId)})
    UPDATE webhook_delivery SET status = 'canceled', reason = ${reason}, next_attempt_at = NULL, is_held = false,
      finished_at = now()
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

/** Unblocks the payment's next delivery to the endpoint. After one that was held, it goes out with those that were held, too. */
function unblock(deliveryId: string, condition = Prisma.sql`true`): Prisma.Sql {
  return Prisma.sql`
    UPDATE webhook_delivery waiting SET blocked_by = NULL, is_held = waiting.is_held OR EXISTS (
        SELECT FROM webhook_delivery earlier WHERE earlier.id = ${deliveryId} AND earlier.is_held)
    WHERE waiting.blocked_by = ${deliveryId} AND (${condition})`;
}

function endOf({ startedAt, durationMs }: MadeAttempt): string {
  return new Date(startedAt.getTime() + durationMs).toISOString();
}

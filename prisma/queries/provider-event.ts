import type { IdentifiedEvent, ProviderEventReference } from '../../domain/provider-outcome.ts';
import { Prisma } from '../generated/client.ts';
import { boolean, nullable, returning, type Statement, text, timestamp, unknownJson } from '../connection/statement.ts';
import { keepFromPurge, STRAY_CHARGE_REPORTED_AGAIN } from './stray-charge.ts';

export interface EventSubject {
  readonly paymentIntentId: string;
  readonly refundId: string | null;
}

/** The most events of one payment, or of one refund, that are stored: more than a provider sends. */
export const MAXIMUM_EVENTS_OF_SUBJECT = 200;

/**
 * Stores an event, once, and reads the state of its attempt, which is null if there is no such attempt. A merchant knows the
 * webhook secret of its own account at a provider, so events of such an account are stored only if they are about payments of its
 * merchant account, and only up to a number for each payment and refund.
 */
export function insertProviderEvent(event: IdentifiedEvent, { paymentIntentId, refundId }: EventSubject) {
  const attemptId = 'attemptId' in event ? event.attemptId : null;
  return returning({
    isNew: boolean,
    outcome: nullable(text),
    startedAt: nullable(timestamp),
    status: nullable(text),
  })`
    WITH stored AS (
      INSERT INTO provider_event (provider, event_id, payment_intent_id, refund_id, event)
      SELECT ${event.provider}, ${event.eventId}, ${paymentIntentId}, ${refundId}, ${JSON.stringify(event)}::jsonb
      WHERE NOT EXISTS (
        SELECT FROM provider_account account
        LEFT JOIN payment_intent own ON own.id = ${paymentIntentId}
          AND own.merchant_account_id = account.merchant_account_id AND own.environment = account.environment
        WHERE account.id = ${event.provider} AND (own.id IS NULL OR ${MAXIMUM_EVENTS_OF_SUBJECT} <= (
          SELECT count(*) FROM provider_event earlier
          WHERE earlier.payment_intent_id = own.id AND earlier.provider = account.id
            AND earlier.refund_id IS NOT DISTINCT FROM ${refundId}))
      )
      ON CONFLICT (provider, event_id) DO NOTHING
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM stored) AS "isNew", attempt.outcome, attempt.started_at AS "startedAt", intent.status
    FROM (SELECT 1) AS one
    LEFT JOIN payment_attempt attempt ON attempt.id = ${attemptId}
    LEFT JOIN payment_intent intent ON intent.id = attempt.payment_intent_id`;
}

/** A stored event, if it is about that payment or refund. */
export function selectProviderEvent({ provider, eventId }: ProviderEventReference, subject: EventSubject) {
  return returning({ event: unknownJson })`
    SELECT event FROM provider_event
    WHERE provider = ${provider} AND event_id = ${eventId} AND payment_intent_id = ${subject.paymentIntentId}
      AND refund_id IS NOT DISTINCT FROM ${subject.refundId}`;
}

/** More reports about one subject than a provider makes. */
const LATEST_REPORTS = 50;

/** The events of a provider about a payment or refund, newest first. */
export function selectLatestReports(provider: string, { paymentIntentId, refundId }: EventSubject) {
  return returning({ event: unknownJson })`
    SELECT event FROM provider_event
    WHERE payment_intent_id = ${paymentIntentId} AND provider = ${provider} AND refund_id IS NOT DISTINCT FROM ${refundId}
    ORDER BY received_at DESC, event_id DESC
    LIMIT ${LATEST_REPORTS}`;
}

/**
 * Whether an event says that the provider has voided what it had reported as captured: under automatic capture, some report an
 * authorization as captured, and a cancel may have come before the capture. After a manual capture, a void only releases the rest of the hold.
 */
const IS_VOID_AFTER_CAPTURE = Prisma.sql`(payment_intent.status = 'succeeded' AND payment_intent.capture_method = 'automatic'
  AND COALESCE(event->'outcome' ? 'voided', false))`;

/** Whether an event says that the provider has voided the hold of an attempt whose outcome is not recorded yet. */
const IS_VOID_OF_OPEN_ATTEMPT = Prisma.sql`(COALESCE(event->'outcome' ? 'voided', false) AND EXISTS (
  SELECT FROM payment_attempt WHERE payment_attempt.id = event->>'attemptId' AND outcome IS NULL
    AND payment_attempt.provider = provider_event.provider))`;

/** Whether an event says that money was captured, though its capture is known to have failed. */
const IS_CAPTURE_AFTER_FAILURE = Prisma.sql`(payment_intent.status = 'failed' AND COALESCE(event->'outcome'->>'captured' = 'true', false)
  AND EXISTS (SELECT FROM payment_attempt WHERE payment_attempt.id = event->>'attemptId' AND outcome = 'approved'
    AND payment_attempt.provider = provider_event.provider))`;

/**
 * Marks events as delivered that only repeat the recorded outcome of an attempt. Six kinds are not marked: a charge for an attempt
 * that ended without one or after its hold was voided; the capture or void of a hold, while the intent is in `requires_capture`; the
 * void of a payment that counts as captured; a report that was not understood, about which the provider is asked; a capture with a
 * name, of which there may be several; and a capture of a payment whose capture had failed.
 */
export function markRepeatedOutcomes(receivedBefore: Date): Prisma.Sql {
  return Prisma.sql`
    UPDATE provider_event SET delivered_at = now()
    FROM payment_attempt JOIN payment_intent ON payment_intent.id = payment_attempt.payment_intent_id
    WHERE delivered_at IS NULL AND received_at < ${receivedBefore} AND payment_attempt.id = event->>'attemptId'
      AND outcome IS NOT NULL AND (event->'outcome'->>'kind' <> 'approved' OR outcome = 'approved')
      AND NOT (event ? 'notUnderstood') AND NOT (event ? 'captureReference') AND NOT ${IS_CAPTURE_AFTER_FAILURE}
      AND (payment_intent.status <> 'canceled' OR event->'outcome'->>'captured' IS DISTINCT FROM 'true')
      AND NOT (outcome = 'approved' AND payment_intent.status = 'requires_capture'
        AND (event->'outcome'->>'kind' = 'not_charged' OR event->'outcome'->>'captured' = 'true'))
      AND NOT (outcome = 'approved' AND ${IS_VOID_AFTER_CAPTURE})`;
}

/** Marks events about refunds that have ended as delivered, but for those that contradict the recorded end. */
export function markEndedRefunds(receivedBefore: Date): Prisma.Sql {
  return Prisma.sql`
    UPDATE provider_event SET delivered_at = now() FROM refund
    WHERE delivered_at IS NULL AND received_at < ${receivedBefore} AND refund.id = refund_id AND refund.status <> 'pending'
      AND NOT (refund.status = 'succeeded' AND event->'refundOutcome'->>'kind' = 'refused')
      AND NOT (refund.status = 'failed' AND event->'refundOutcome'->>'kind' = 'refunded')`;
}

/** Gives events their account whose payment did not exist when they came, and exists now. */
export function adoptUnknown(): Prisma.Sql {
  return Prisma.sql`
    UPDATE provider_event SET merchant_account_id = payment_intent.merchant_account_id FROM payment_intent
    WHERE delivered_at IS NULL AND provider_event.merchant_account_id IS NULL
      AND payment_intent.id = provider_event.payment_intent_id`;
}

/** An event that is not marked as delivered, and the status of its intent. */
export interface UndeliveredEvent {
  readonly provider: string;
  readonly eventId: string;
  readonly paymentIntentId: string;
  readonly refundId: string | null;
  readonly event: unknown;
  readonly receivedAt: Date;
  readonly status: string;
  readonly isVoidAfterCapture: boolean;
  readonly isVoidOfOpenAttempt: boolean;
  readonly isCaptureAfterFailure: boolean;
  readonly merchantAccountId: string;
}

export interface UndeliveredEvents {
  readonly receivedBefore: Date;
  /** Of each account that the sweep has reached, the last event: only those after it. */
  readonly after: readonly Pick<UndeliveredEvent, 'merchantAccountId' | 'receivedAt' | 'provider' | 'eventId'>[];
  readonly limit: number;
}

/** Events of one account that a page has at most. */
const SHARE_PER_ACCOUNT = 10;
const UNDELIVERED_OF_NEXT_ACCOUNT = (condition: Prisma.Sql) => Prisma.sql`
  SELECT merchant_account_id AS id FROM provider_event WHERE delivered_at IS NULL ${condition}
  ORDER BY merchant_account_id LIMIT 1`;

/**
 * Events of known intents that are not marked as delivered: some of each account in turn, the oldest first, so that an account with
 * very many does not keep the others waiting. The index leads from one account to the next.
 */
export function selectUndelivered({ receivedBefore, after, limit }: UndeliveredEvents): Statement<UndeliveredEvent> {
  return returning<UndeliveredEvent>({
    provider: text,
    eventId: text,
    paymentIntentId: text,
    refundId: nullable(text),
    event: unknownJson,
    receivedAt: timestamp,
    status: text,
    isVoidAfterCapture: boolean,
    isVoidOfOpenAttempt: boolean,
    isCaptureAfterFailure: boolean,
    merchantAccountId: text,
  })`
    WITH RECURSIVE account AS (
      (${UNDELIVERED_OF_NEXT_ACCOUNT(Prisma.sql`AND merchant_account_id IS NOT NULL`)})
      UNION ALL
      SELECT (${UNDELIVERED_OF_NEXT_ACCOUNT(Prisma.sql`AND merchant_account_id > account.id`)}) FROM account WHERE account.id IS NOT NULL
    ), reached AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(after)}::jsonb)
        AS r("merchantAccountId" text, "receivedAt" timestamptz, provider text, "eventId" text)
    ), page AS MATERIALIZED (
      SELECT next.* FROM account LEFT JOIN reached ON reached."merchantAccountId" = account.id CROSS JOIN LATERAL (
        SELECT ordered.*, row_number() OVER (ORDER BY received_at, provider, event_id) AS turn FROM (
          SELECT provider, event_id, received_at FROM provider_event
          WHERE merchant_account_id = account.id AND delivered_at IS NULL AND received_at < ${receivedBefore}
            AND (received_at, provider_event.provider, event_id) > (COALESCE(reached."receivedAt", '-infinity'),
              COALESCE(reached.provider, ''), COALESCE(reached."eventId", ''))
            AND EXISTS (SELECT FROM payment_intent WHERE payment_intent.id = payment_intent_id)
          ORDER BY received_at, provider, event_id LIMIT ${SHARE_PER_ACCOUNT}::int
        ) AS ordered
      ) AS next
      ORDER BY turn, received_at, provider, event_id LIMIT ${limit}
    )
    SELECT provider_event.provider, provider_event.event_id AS "eventId", payment_intent_id AS "paymentIntentId", refund_id AS "refundId",
      event, provider_event.received_at AS "receivedAt", payment_intent.merchant_account_id AS "merchantAccountId", payment_intent.status, ${IS_VOID_AFTER_CAPTURE} AS "isVoidAfterCapture",
      ${IS_VOID_OF_OPEN_ATTEMPT} AS "isVoidOfOpenAttempt", ${IS_CAPTURE_AFTER_FAILURE} AS "isCaptureAfterFailure"
    FROM page
    JOIN provider_event ON provider_event.provider = page.provider AND provider_event.event_id = page.event_id
    JOIN payment_intent ON payment_intent.id = provider_event.payment_intent_id
    ORDER BY page.turn, page.received_at, page.provider, page.event_id`;
}

/**
 * Marks an event that a workflow has received as delivered, unless its attempt has ended meanwhile: the workflow may have decided
 * on that end before it received the report. The report of a charge is marked by the sweeper only, because this statement does not
 * see an end that is being recorded.
 */
export function markReceived({ provider, eventId }: ProviderEventReference): Prisma.Sql {
  return Prisma.sql`
    UPDATE provider_event SET delivered_at = now()
    WHERE provider = ${provider} AND event_id = ${eventId} AND NOT EXISTS (
      SELECT FROM payment_attempt WHERE payment_attempt.id = event->>'attemptId' AND outcome IS NOT NULL)`;
}

/**
 * Marks an event as delivered. Where it reports a stray charge, this records it too, because the workflow may have ended. Run it
 * under the lock of the intent's row, so that it sees an end that is being recorded.
 */
export function markDelivered({ provider, eventId }: Pick<UndeliveredEvent, 'provider' | 'eventId'>) {
  return returning({ attemptId: text })`
    WITH marked AS (
      UPDATE provider_event SET delivered_at = now()
      WHERE provider = ${provider} AND event_id = ${eventId} AND delivered_at IS NULL
      RETURNING provider, event
    ), charged AS (
      SELECT attempt.id, intent.id AS payment_intent_id, intent.merchant_account_id, intent.environment, attempt.provider
      FROM marked JOIN payment_attempt attempt ON attempt.id = marked.event->>'attemptId'
        AND attempt.provider = marked.provider
      JOIN payment_intent intent ON intent.id = attempt.payment_intent_id
        AND (attempt.outcome <> 'approved'
          OR (intent.status = 'canceled' AND marked.event->'outcome'->>'captured' = 'true'))
      WHERE marked.event->'outcome'->>'kind' = 'approved'
    ), kept AS (${keepFromPurge(Prisma.sql`charged`)})
    INSERT INTO stray_charge (attempt_id, payment_intent_id, merchant_account_id, environment, provider)
    SELECT charged.* FROM charged JOIN kept ON kept.id = charged.payment_intent_id
    ${STRAY_CHARGE_REPORTED_AGAIN}
    RETURNING attempt_id AS "attemptId"`;
}

// Raw, because each provider's report is stored and compared with its attempt in one statement.
import type { ProviderEvent, RefundProviderEvent } from '../../domain/provider-outcome.ts';
import { boolean, nullable, returning, text, timestamp } from '../statement.ts';

export interface EventSubject {
  readonly paymentIntentId: string;
  readonly refundId: string | null;
}

/** Stores an event, once, and reads the state of its attempt; what is read is null where there is no such attempt. */
export function insertProviderEvent(
  event: ProviderEvent | RefundProviderEvent,
  { paymentIntentId, refundId }: EventSubject,
) {
  const attemptId = 'attemptId' in event ? event.attemptId : null;
  return returning({
    isNew: boolean,
    outcome: nullable(text),
    startedAt: nullable(timestamp),
    status: nullable(text),
  })`
    WITH stored AS (
      INSERT INTO provider_event (provider, event_id, payment_intent_id, refund_id, event)
      VALUES (${event.provider}, ${event.eventId}, ${paymentIntentId}, ${refundId}, ${JSON.stringify(event)}::jsonb)
      ON CONFLICT (provider, event_id) DO NOTHING
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM stored) AS "isNew", attempt.outcome, attempt.started_at AS "startedAt", intent.status
    FROM (SELECT 1) AS one
    LEFT JOIN payment_attempt attempt ON attempt.id = ${attemptId}
    LEFT JOIN payment_intent intent ON intent.id = attempt.payment_intent_id`;
}

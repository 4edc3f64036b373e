import { ENVIRONMENTS } from '../../domain/payment.ts';
import { boolean, bytes, nullable, oneOf, returning, text } from '../connection/statement.ts';

/** `returned`: nothing was sent yet; `sent`: it may have reached the provider; `closed`: it will never be sent. */
const STATUSES = ['returned', 'sent', 'closed'] as const;

/** The attempt that a customer comes back to, and where the customer goes on. */
export function selectReturnTarget(attemptId: string) {
  return returning({
    paymentIntentId: text,
    provider: text,
    environment: oneOf(ENVIRONMENTS),
    isOpen: boolean,
    returnUrl: nullable(text),
  })`
    SELECT intent.id AS "paymentIntentId", attempt.provider, intent.environment, attempt.outcome IS NULL AS "isOpen", intent.return_url AS "returnUrl"
    FROM payment_attempt attempt JOIN payment_intent intent ON intent.id = attempt.payment_intent_id
    WHERE attempt.id = ${attemptId}`;
}

interface SealedResult {
  readonly keyId: string;
  readonly ciphertext: Uint8Array;
}

/** Stores the first result of an open attempt, unless it was closed. Returns what is stored now. */
export function insertCustomerReturn(attemptId: string, { keyId, ciphertext }: SealedResult) {
  return returning({ status: oneOf(STATUSES) })`
    WITH stored AS (
      INSERT INTO customer_return (attempt_id, payment_intent_id, status, result_key_id, result_ciphertext)
      SELECT id, payment_intent_id, 'returned', ${keyId}, ${ciphertext}
      FROM payment_attempt WHERE id = ${attemptId} AND outcome IS NULL
      ON CONFLICT (attempt_id) DO NOTHING
      RETURNING status
    )
    SELECT status FROM stored UNION ALL SELECT status FROM customer_return WHERE attempt_id = ${attemptId}`;
}

/**
 * Records that the result of an open attempt is about to be sent to the provider. The result is null where it must not be sent:
 * the attempt was closed, or has ended. A result that was sent is returned even after an approval: its repeat changes nothing,
 * and an inquiry has no other way to find the hold.
 */
export function beginCompletion(attemptId: string) {
  return returning({
    isClosed: boolean,
    environment: oneOf(ENVIRONMENTS),
    keyId: nullable(text),
    ciphertext: nullable(bytes),
  })`
    WITH begun AS (
      UPDATE customer_return SET status = 'sent' FROM payment_attempt attempt
      WHERE customer_return.attempt_id = ${attemptId} AND customer_return.status <> 'closed'
        AND attempt.id = customer_return.attempt_id
        AND (attempt.outcome IS NULL OR (attempt.outcome = 'approved' AND customer_return.status = 'sent'))
      RETURNING result_key_id, result_ciphertext
    )
    SELECT customer_return.status = 'closed' AS "isClosed", intent.environment, begun.result_key_id AS "keyId",
      begun.result_ciphertext AS ciphertext
    FROM customer_return JOIN payment_intent intent ON intent.id = customer_return.payment_intent_id
    LEFT JOIN begun ON true
    WHERE customer_return.attempt_id = ${attemptId}`;
}

/**
 * Records that no result of an open attempt will be sent any more, if its customer is awaited or has come back. Returns nothing
 * if a result may have been sent, or if nobody knows whether the provider waits for one.
 */
export function closeCompletion(attemptId: string) {
  return returning({ status: oneOf(STATUSES) })`
    INSERT INTO customer_return (attempt_id, payment_intent_id, status)
    SELECT attempt.id, intent.id, 'closed'
    FROM payment_attempt attempt JOIN payment_intent intent ON intent.id = attempt.payment_intent_id
    WHERE attempt.id = ${attemptId} AND attempt.outcome IS NULL AND (intent.status = 'requires_action'
      OR EXISTS (SELECT FROM customer_return earlier WHERE earlier.attempt_id = attempt.id))
    ON CONFLICT (attempt_id) DO UPDATE SET status = 'closed', result_key_id = NULL, result_ciphertext = NULL
    WHERE customer_return.status <> 'sent'
    RETURNING status`;
}

// Raw, because every payment stores and reads its method.
import { isTerminal, PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import type { Environment, MaskedPaymentMethod } from '../../domain/payment.ts';
import { Prisma } from '../generated/client.ts';
import { bytes, nullable, returning, text } from '../statement.ts';

/** An encrypted part of a payment method. */
export interface SealedPart {
  readonly keyId: string;
  readonly ciphertext: Uint8Array;
}

export interface NewMethod extends SealedPart {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly paymentIntentId: string;
  readonly masked: MaskedPaymentMethod;
  /** Null where the method has no CVC. */
  readonly cvc: SealedPart | null;
}

/** Writes a payment method, and its CVC to a table that is not logged; nothing where the method exists already. */
export function insertMethod(method: NewMethod): Prisma.Sql {
  const { id, merchantAccountId, environment, paymentIntentId, masked, cvc } = method;
  const inserted = Prisma.sql`
    INSERT INTO payment_method (id, merchant_account_id, environment, payment_intent_id, type, masked, key_id, ciphertext)
    VALUES (${id}, ${merchantAccountId}, ${environment}, ${paymentIntentId}, ${masked.type},
      ${JSON.stringify(masked)}::jsonb, ${method.keyId}, ${method.ciphertext})
    ON CONFLICT (id) DO NOTHING`;
  if (cvc === null) return inserted;
  return Prisma.sql`
    WITH method AS (${inserted} RETURNING id, payment_intent_id), cvc AS (
      INSERT INTO payment_method_cvc (payment_method_id, payment_intent_id, key_id, ciphertext)
      SELECT id, payment_intent_id, ${cvc.keyId}, ${cvc.ciphertext} FROM method
    )
    SELECT FROM method`;
}

/** A payment method of an intent. */
export interface MethodReference {
  readonly id: string;
  readonly paymentIntentId: string;
}

/** The encrypted parts of a payment method; null where they were erased. */
export function selectMethod({ id, paymentIntentId }: MethodReference) {
  return returning({
    merchantAccountId: text,
    keyId: text,
    ciphertext: nullable(bytes),
    cvcKeyId: text,
    cvcCiphertext: nullable(bytes),
  })`
    SELECT m.merchant_account_id AS "merchantAccountId", m.key_id AS "keyId", m.ciphertext,
      COALESCE(c.key_id, m.key_id) AS "cvcKeyId", COALESCE(c.ciphertext, m.cvc_ciphertext) AS "cvcCiphertext"
    FROM payment_method m LEFT JOIN payment_method_cvc c ON c.payment_method_id = m.id
    WHERE m.id = ${id} AND m.payment_intent_id = ${paymentIntentId}`;
}

/** A card whose CVC may be restored; no row where it may not. */
export function selectMethodWithoutCvc(method: MethodReference) {
  return returning({ merchantAccountId: text, keyId: text, ciphertext: nullable(bytes) })`
    SELECT merchant_account_id AS "merchantAccountId", key_id AS "keyId", ciphertext
    FROM payment_method WHERE ${mayHaveCvcAgain(method)}`;
}

/** Stores the CVC of a card that may have it again; no row where it may not. */
export function insertCvcAgain(method: MethodReference, { keyId, ciphertext }: SealedPart) {
  return returning({ id: text })`
    INSERT INTO payment_method_cvc (payment_method_id, payment_intent_id, key_id, ciphertext)
    SELECT id, payment_intent_id, ${keyId}, ${ciphertext} FROM payment_method WHERE ${mayHaveCvcAgain(method)}
    ON CONFLICT (payment_method_id) DO NOTHING
    RETURNING payment_method_id AS id`;
}

const ENDED = Prisma.join(PAYMENT_STATUSES.filter(isTerminal));

/** Whether a card is stored without its CVC, no attempt with it has an outcome, and its intent has not ended. */
function mayHaveCvcAgain({ id, paymentIntentId }: MethodReference): Prisma.Sql {
  return Prisma.sql`
    payment_method.id = ${id} AND payment_method.payment_intent_id = ${paymentIntentId}
    AND payment_method.ciphertext IS NOT NULL AND payment_method.cvc_ciphertext IS NULL
    AND NOT EXISTS (SELECT FROM payment_method_cvc WHERE payment_method_cvc.payment_method_id = payment_method.id)
    AND NOT EXISTS (
      SELECT FROM payment_attempt WHERE payment_attempt.payment_intent_id = payment_method.payment_intent_id
        AND payment_attempt.payment_method_id = payment_method.id AND payment_attempt.outcome IS NOT NULL
    )
    AND NOT EXISTS (
      SELECT FROM payment_intent WHERE payment_intent.id = payment_method.payment_intent_id
        AND payment_intent.status IN (${ENDED})
    )`;
}

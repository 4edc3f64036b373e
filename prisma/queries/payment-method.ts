// Raw, because every payment stores and reads its method.
import { isTerminal, PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import type { Environment, MaskedPaymentMethod } from '../../domain/payment.ts';
import { Prisma } from '../generated/client.ts';
import { bytes, nullable, returning, text } from '../statement.ts';

/** The encrypted parts of a payment method. */
export interface SealedMethod {
  readonly keyId: string;
  readonly ciphertext: Uint8Array;
  /** Null where the method has no CVC. */
  readonly cvcCiphertext: Uint8Array | null;
}

export interface NewMethod extends SealedMethod {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly paymentIntentId: string;
  readonly masked: MaskedPaymentMethod;
}

/** Writes a payment method; nothing where it exists already. */
export function insertMethod(method: NewMethod): Prisma.Sql {
  const { id, merchantAccountId, environment, paymentIntentId, masked } = method;
  return Prisma.sql`
    INSERT INTO payment_method (id, merchant_account_id, environment, payment_intent_id, type, masked, key_id,
      ciphertext, cvc_ciphertext)
    VALUES (${id}, ${merchantAccountId}, ${environment}, ${paymentIntentId}, ${masked.type},
      ${JSON.stringify(masked)}::jsonb, ${method.keyId}, ${method.ciphertext}, ${method.cvcCiphertext})
    ON CONFLICT (id) DO NOTHING`;
}

/** The encrypted parts of a payment method; null where they were erased. */
export function selectMethod(id: string) {
  return returning({
    merchantAccountId: text,
    keyId: text,
    ciphertext: nullable(bytes),
    cvcCiphertext: nullable(bytes),
  })`
    SELECT merchant_account_id AS "merchantAccountId", key_id AS "keyId", ciphertext, cvc_ciphertext AS "cvcCiphertext"
    FROM payment_method WHERE id = ${id}`;
}

/** A card whose CVC may be restored; no row where it may not. */
export function selectMethodWithoutCvc(id: string) {
  return returning({ merchantAccountId: text, keyId: text, ciphertext: nullable(bytes) })`
    SELECT merchant_account_id AS "merchantAccountId", key_id AS "keyId", ciphertext
    FROM payment_method WHERE ${mayHaveCvcAgain(id)}`;
}

/** Replaces the encrypted parts of a card whose CVC may be restored; no row where it may not. */
export function updateMethodWithoutCvc(id: string, { keyId, ciphertext, cvcCiphertext }: SealedMethod) {
  return returning({ id: text })`
    UPDATE payment_method SET key_id = ${keyId}, ciphertext = ${ciphertext}, cvc_ciphertext = ${cvcCiphertext}
    WHERE ${mayHaveCvcAgain(id)}
    RETURNING id`;
}

const ENDED = Prisma.join(PAYMENT_STATUSES.filter(isTerminal));

/** Whether a card is stored without its CVC, no attempt with it has an outcome, and its intent has not ended. */
function mayHaveCvcAgain(id: string): Prisma.Sql {
  return Prisma.sql`
    payment_method.id = ${id} AND payment_method.ciphertext IS NOT NULL AND payment_method.cvc_ciphertext IS NULL
    AND NOT EXISTS (
      SELECT FROM payment_attempt WHERE payment_attempt.payment_intent_id = payment_method.payment_intent_id
        AND payment_attempt.payment_method_id = payment_method.id AND payment_attempt.outcome IS NOT NULL
    )
    AND NOT EXISTS (
      SELECT FROM payment_intent WHERE payment_intent.id = payment_method.payment_intent_id
        AND payment_intent.status IN (${ENDED})
    )`;
}

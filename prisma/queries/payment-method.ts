// Raw, because every payment stores and reads its method.
import { isTerminal, PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { type Environment, ENVIRONMENTS, type MaskedPaymentMethod } from '../../domain/payment.ts';
import { Prisma } from '../generated/client.ts';
import { boolean, bytes, json, nullable, oneOf, returning, text } from '../statement.ts';

/** An encrypted part of a payment method. */
export interface SealedPart {
  readonly keyId: string;
  readonly ciphertext: Uint8Array;
}

/** Keyed digests by which declines of a card are counted. */
export interface CardDigests {
  readonly card: string;
  /** Of the first digits, in the merchant account; null where they are not known. */
  readonly bin: string | null;
}

export interface NewMethod extends SealedPart {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly paymentIntentId: string;
  readonly masked: MaskedPaymentMethod;
  /** The provider whose token the method is; null where it is none. */
  readonly tokenProvider: string | null;
  /** Null where the method has no CVC. */
  readonly cvc: SealedPart | null;
  /** Null where the method is no card. */
  readonly digests: CardDigests | null;
}

/** Writes a payment method, and its CVC and digests to tables that are not logged; writes nothing if the method exists already. */
export function insertMethod(method: NewMethod): Prisma.Sql {
  return Prisma.sql`${insertionOf(method, Prisma.sql`true`)} SELECT FROM method`;
}

/** The same, if the intent has fewer other methods than the maximum. Run it under the lock of the intent's row. */
export function insertMethodWithin(method: NewMethod, maximum: number) {
  const others = Prisma.sql`(SELECT count(*) FROM payment_method WHERE payment_intent_id = ${method.paymentIntentId}
    AND id <> ${method.id})`;
  return returning({ isNew: boolean, hasRoom: boolean })`
    ${insertionOf(method, Prisma.sql`${others} < ${maximum}`)}
    SELECT EXISTS (SELECT FROM method) AS "isNew", ${others} < ${maximum} AS "hasRoom"`;
}

function insertionOf(method: NewMethod, condition: Prisma.Sql): Prisma.Sql {
  const { id, merchantAccountId, environment, paymentIntentId, masked, tokenProvider, cvc, digests } = method;
  const inserted = Prisma.sql`
    INSERT INTO payment_method (id, merchant_account_id, environment, payment_intent_id, type, masked, token_provider, key_id,
      ciphertext)
    SELECT ${id}, ${merchantAccountId}, ${environment}, ${paymentIntentId}, ${masked.type},
      ${JSON.stringify(masked)}::jsonb, ${tokenProvider}, ${method.keyId}, ${method.ciphertext}::bytea
    WHERE ${condition}
    ON CONFLICT (id) DO NOTHING`;
  const code = cvc === null ? Prisma.empty : insertCvc(cvc);
  const counted = digests === null ? Prisma.empty : insertDigests(digests);
  return Prisma.sql`
    WITH method AS (${inserted} RETURNING id, payment_intent_id)${code}${counted}`;
}

/** A payment method of an intent. */
export interface MethodReference {
  readonly id: string;
  readonly paymentIntentId: string;
}

function insertCvc({ keyId, ciphertext }: SealedPart): Prisma.Sql {
  return Prisma.sql`, cvc AS (
      INSERT INTO payment_method_cvc (payment_method_id, payment_intent_id, key_id, ciphertext)
      SELECT id, payment_intent_id, ${keyId}, ${ciphertext} FROM method
    )`;
}

function insertDigests({ card, bin }: CardDigests): Prisma.Sql {
  return Prisma.sql`, digests AS (
      INSERT INTO card_digest (payment_method_id, payment_intent_id, card, bin)
      SELECT id, payment_intent_id, ${card}, ${bin} FROM method
    )`;
}

/** The digests of a stored card; no row where it was stored by an earlier version, or its intent has ended. */
export function selectCardDigests(id: string) {
  return returning({
    card: text,
    bin: nullable(text),
  })`SELECT card, bin FROM card_digest WHERE payment_method_id = ${id}`;
}

/** The masked details of a payment method that is stored for an intent and not erased. */
export function selectMaskedMethod({ id, paymentIntentId }: MethodReference) {
  return returning({ masked: json<MaskedPaymentMethod>() })`
    SELECT masked FROM payment_method
    WHERE id = ${id} AND payment_intent_id = ${paymentIntentId} AND ciphertext IS NOT NULL`;
}

/** The encrypted parts of a payment method; null where they were erased. */
export function selectMethod({ id, paymentIntentId }: MethodReference) {
  return returning({
    merchantAccountId: text,
    environment: oneOf(ENVIRONMENTS),
    keyId: text,
    ciphertext: nullable(bytes),
    cvcKeyId: text,
    cvcCiphertext: nullable(bytes),
  })`
    SELECT m.merchant_account_id AS "merchantAccountId", m.environment, m.key_id AS "keyId", m.ciphertext,
      COALESCE(c.key_id, m.key_id) AS "cvcKeyId", COALESCE(c.ciphertext, m.cvc_ciphertext) AS "cvcCiphertext"
    FROM payment_method m LEFT JOIN payment_method_cvc c ON c.payment_method_id = m.id
    WHERE m.id = ${id} AND m.payment_intent_id = ${paymentIntentId}`;
}

/** The masked details that a stored card must have to get its CVC again. */
export interface CardToRestore extends MethodReference {
  readonly merchantAccountId: string;
  readonly masked: MaskedPaymentMethod;
}

/** Stores the CVC of a card again, if it may have it; returns no row otherwise. */
export function insertCvcAgain(card: CardToRestore, { keyId, ciphertext }: SealedPart) {
  return returning({ id: text })`
    INSERT INTO payment_method_cvc (payment_method_id, payment_intent_id, key_id, ciphertext)
    SELECT id, payment_intent_id, ${keyId}, ${ciphertext} FROM payment_method WHERE ${mayHaveCvcAgain(card)}
    ON CONFLICT (payment_method_id) DO NOTHING
    RETURNING payment_method_id AS id`;
}

const ENDED = Prisma.join(PAYMENT_STATUSES.filter(isTerminal));

/** Whether this card is stored without its CVC, no attempt with it has an outcome, and its intent has not ended. */
function mayHaveCvcAgain({ id, paymentIntentId, merchantAccountId, masked }: CardToRestore): Prisma.Sql {
  return Prisma.sql`
    payment_method.id = ${id} AND payment_method.payment_intent_id = ${paymentIntentId}
    AND payment_method.merchant_account_id = ${merchantAccountId} AND payment_method.masked = ${JSON.stringify(masked)}::jsonb
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

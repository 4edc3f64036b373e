import { isAuthorizedOrEnded, PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { type Environment, ENVIRONMENTS, type MaskedCard, type MaskedPaymentMethod } from '../../domain/payment.ts';
import {
  type Consent,
  FUTURE_USAGES,
  type FutureUsage,
  SAVED_METHOD_USES,
  type SavedMethodUse,
} from '../../domain/saved-payment-method.ts';
import { type AccountScope, isOwned } from '../fragments/conditions.ts';
import { Prisma } from '../generated/client.ts';
import { jsonParameter } from '../fragments/payment-json.ts';
import type { CardGroup } from '../../domain/card-groups.ts';
import { bytes, json, nullable, oneOf, returning, text } from '../connection/statement.ts';

const AUTHORIZED_OR_ENDED = Prisma.join(PAYMENT_STATUSES.filter(isAuthorizedOrEnded));

/** An encrypted part of a payment method. */
export interface SealedPart {
  readonly keyId: string;
  readonly ciphertext: Uint8Array;
}

/** Keyed digests by which confirms are counted. */
export interface CardDigests {
  /** Of the card, or of the virtual payment address. */
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
  /** Null where the method is neither a card nor a virtual payment address. */
  readonly digests: CardDigests | null;
  /** Set where the card may be saved for the customer. */
  readonly save?: NewSave | undefined;
}

/** A card that is to be saved once a payment with it is approved. */
export interface NewSave {
  readonly customerId: string;
  /** Null where the customer has not agreed yet. */
  readonly agreed: AgreedSave | null;
  /** Keyed digests of customer and card, one for each root key and newest first. */
  readonly fingerprints: readonly [string, ...string[]];
  /** The card, encrypted for the row of the saved payment method; null where numbers are not stored. */
  readonly sealed: SealedPart | null;
  readonly cardExpiresAt: Date;
}

/** What the customer has agreed to. */
export interface AgreedSave {
  readonly usage: FutureUsage;
  readonly consent: Consent | null;
}

/** What `insertMethod` did. `stored_before`: a row with this id exists, even if its secrets were erased since. */
const INSERT_METHOD_RESULTS = ['inserted', 'stored_before', 'intent_authorized_or_ended', 'intent_full'] as const;

/** What `insertReference` did. `not_saved`: the customer has no such saved payment method that is active. */
const INSERT_REFERENCE_RESULTS = [...INSERT_METHOD_RESULTS, 'not_saved'] as const;

/**
 * Writes a payment method, and its CVC and digests to unlogged tables, and reads the groups that its card may belong to. Writes nothing if the method exists, if its intent is
 * authorized or has ended, or if the intent has the maximum of other methods. An intent that does not exist yet sets no limit. The
 * lock makes this statement and a step of the payment wait for each other. Simultaneous requests do not see each other's methods,
 * so an intent may get a few more than the maximum.
 * @param maximum null for any number
 */
export function insertMethod(method: NewMethod, maximum: number | null) {
  const { id, merchantAccountId, environment, paymentIntentId, masked, tokenProvider, cvc, digests } = method;
  const groups = masked.type === 'card' ? selectCardGroups(method) : Prisma.sql`NULL::jsonb`;
  return returning({ result: oneOf(INSERT_METHOD_RESULTS), cardGroups: nullable(json<readonly CardGroup[]>()) })`
    WITH ${limitsOf({ id, paymentIntentId }, maximum)}, method AS (
      INSERT INTO payment_method (id, merchant_account_id, environment, payment_intent_id, type, masked, token_provider, key_id,
        ciphertext)
      SELECT ${id}, ${merchantAccountId}, ${environment}, ${paymentIntentId}, ${masked.type},
        ${JSON.stringify(masked)}::jsonb, ${tokenProvider}, ${method.keyId}, ${method.ciphertext}::bytea
      WHERE NOT EXISTS (SELECT FROM intent WHERE "isAuthorizedOrEnded" OR "isFull")
      ON CONFLICT (id) DO NOTHING
      RETURNING id, payment_intent_id, merchant_account_id, environment
    )${cvc === null ? Prisma.empty : insertCvc(cvc)}${digests === null ? Prisma.empty : insertDigests(digests)}${method.save === undefined ? Prisma.empty : insertSave(method.save)}
    SELECT CASE
      WHEN EXISTS (SELECT FROM method) THEN 'inserted'
      WHEN EXISTS (SELECT FROM intent WHERE "isAuthorizedOrEnded") THEN 'intent_authorized_or_ended'
      WHEN EXISTS (SELECT FROM intent WHERE "isFull") THEN 'intent_full'
      ELSE 'stored_before' END AS result, (${groups}) AS "cardGroups"`;
}

/** The groups of cards of the account's merchant; null without any. */
function selectCardGroups({ merchantAccountId, environment }: NewMethod): Prisma.Sql {
  return Prisma.sql`
    SELECT jsonb_agg(jsonb_build_object('id', g.id, 'prefixes', g.prefixes))
    FROM merchant_account a JOIN card_group g ON g.merchant_id = a.merchant_id
    WHERE a.id = ${merchantAccountId} AND g.environment = ${environment}`;
}

/** Records the groups that a stored card belongs to. */
export function updateCardGroups({ id, paymentIntentId }: MethodReference, groups: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    UPDATE payment_method SET card_groups = ${groups}::text[]
    WHERE id = ${id} AND payment_intent_id = ${paymentIntentId}`;
}

/** A table expression named `intent`: whether the intent takes another payment method; no row where it does not exist yet. */
function limitsOf({ id, paymentIntentId }: MethodReference, maximum: number | null): Prisma.Sql {
  return Prisma.sql`intent AS (
      SELECT status IN (${AUTHORIZED_OR_ENDED}) AS "isAuthorizedOrEnded",
        (SELECT count(*) FROM payment_method WHERE payment_intent_id = ${paymentIntentId} AND id <> ${id}) >= ${maximum}::int
          AS "isFull"
      FROM payment_intent WHERE id = ${paymentIntentId} FOR NO KEY UPDATE
    )`;
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

/** A card that the customer has saved already keeps its digest, whichever root key made it. */
function insertSave({ customerId, agreed, fingerprints, sealed, cardExpiresAt }: NewSave): Prisma.Sql {
  return Prisma.sql`, save AS (
      INSERT INTO payment_method_save (payment_method_id, payment_intent_id, merchant_account_id, environment, customer_id, usage,
        consent, card_fingerprint, key_id, ciphertext, card_expires_at)
      SELECT id, payment_intent_id, merchant_account_id, environment, ${customerId}, ${agreed?.usage ?? null},
        ${jsonParameter(agreed?.consent ?? null)}::jsonb,
        COALESCE((SELECT m.card_fingerprint FROM saved_payment_method m
          WHERE m.customer_id = ${customerId} AND m.card_fingerprint = ANY(${fingerprints}::text[]) AND m.status IN ('active', 'invalid')
          LIMIT 1), ${fingerprints[0]}),
        ${sealed?.keyId ?? null}, ${sealed?.ciphertext ?? null}::bytea, ${cardExpiresAt.toISOString()}::timestamptz
      FROM method
    )`;
}

/** A payment method of an intent that refers to a saved one. */
export interface NewReference extends AccountScope, MethodReference {
  readonly savedPaymentMethodId: string;
  readonly customerId: string;
  readonly use: SavedMethodUse;
  /** Null where the customer entered none. */
  readonly cvc: SealedPart | null;
  readonly digests: CardDigests;
}

/**
 * Writes a payment method that refers to an active saved one of the customer, and its CVC and digests to unlogged tables; under the same
 * conditions as `insertMethod`. It also writes nothing where there is no such saved payment method.
 * @param maximum null for any number
 */
export function insertReference(
  { id, paymentIntentId, savedPaymentMethodId, customerId, use, cvc, digests, ...account }: NewReference,
  maximum: number | null,
) {
  return returning({ result: oneOf(INSERT_REFERENCE_RESULTS) })`
    WITH ${limitsOf({ id, paymentIntentId }, maximum)}, saved AS (
      SELECT m.id, m.masked, m.card_groups FROM saved_payment_method m
      WHERE ${isOwned(savedPaymentMethodId, account, 'm')} AND m.customer_id = ${customerId} AND m.status = 'active'
    ), method AS (
      INSERT INTO payment_method (id, merchant_account_id, environment, payment_intent_id, type, masked, card_groups, saved_payment_method_id,
        saved_use)
      SELECT ${id}, ${account.merchantAccountId}, ${account.environment}, ${paymentIntentId}, 'card', saved.masked,
        saved.card_groups, saved.id, ${use}
      FROM saved WHERE NOT EXISTS (SELECT FROM intent WHERE "isAuthorizedOrEnded" OR "isFull")
      ON CONFLICT (id) DO NOTHING
      RETURNING id, payment_intent_id, merchant_account_id, environment
    )${cvc === null ? Prisma.empty : insertCvc(cvc)}${insertDigests(digests)}
    SELECT CASE
      WHEN EXISTS (SELECT FROM method) THEN 'inserted'
      WHEN EXISTS (SELECT FROM intent WHERE "isAuthorizedOrEnded") THEN 'intent_authorized_or_ended'
      WHEN EXISTS (SELECT FROM intent WHERE "isFull") THEN 'intent_full'
      WHEN EXISTS (SELECT FROM payment_method WHERE id = ${id}) THEN 'stored_before'
      WHEN NOT EXISTS (SELECT FROM saved) THEN 'not_saved'
      ELSE 'stored_before' END AS result`;
}

/** Records what the customer agrees to of a card that was stored before; null takes an agreement back. Returns no row if it cannot be saved. */
export function agreeToSave({ id, paymentIntentId }: MethodReference, customerId: string, agreed: AgreedSave | null) {
  return returning({ id: text })`
    UPDATE payment_method_save SET usage = ${agreed?.usage ?? null}, consent = ${jsonParameter(agreed?.consent ?? null)}::jsonb
    WHERE payment_method_id = ${id} AND payment_intent_id = ${paymentIntentId} AND customer_id = ${customerId}
    RETURNING payment_method_id AS id`;
}

/** The digests of a stored card; no row where its intent is authorized or has ended. */
export function selectCardDigests(id: string) {
  return returning({
    card: text,
    bin: nullable(text),
  })`SELECT card, bin FROM card_digest WHERE payment_method_id = ${id}`;
}

/** The masked details of a payment method that is stored for an intent and not erased, and the saved one that it refers to. */
export function selectMaskedMethod({ id, paymentIntentId }: MethodReference) {
  return returning({ masked: json<MaskedPaymentMethod>(), savedId: nullable(text) })`
    SELECT masked, CASE WHEN saved_use = 'on_session' THEN saved_payment_method_id END AS "savedId" FROM payment_method
    WHERE id = ${id} AND payment_intent_id = ${paymentIntentId} AND (ciphertext IS NOT NULL OR saved_use = 'on_session')`;
}

/**
 * The encrypted parts of a payment method; null where they were erased. A card that may be charged without the customer already is
 * saved with this agreement again, because the token that a provider issues takes the place of the one before.
 */
export function selectMethod({ id, paymentIntentId }: MethodReference) {
  return returning({
    merchantAccountId: text,
    environment: oneOf(ENVIRONMENTS),
    keyId: nullable(text),
    ciphertext: nullable(bytes),
    savedUse: nullable(oneOf(SAVED_METHOD_USES)),
    cvcKeyId: nullable(text),
    cvcCiphertext: nullable(bytes),
    saveUsage: nullable(oneOf(FUTURE_USAGES)),
    saveCustomerId: nullable(text),
  })`
    SELECT m.merchant_account_id AS "merchantAccountId", m.environment, m.key_id AS "keyId", m.ciphertext,
      m.saved_use AS "savedUse",
      c.key_id AS "cvcKeyId", c.ciphertext AS "cvcCiphertext", 
      CASE WHEN EXISTS (
        SELECT FROM saved_payment_method known
        WHERE known.customer_id = s.customer_id AND known.card_fingerprint = s.card_fingerprint
          AND known.status = 'active' AND known.usage = 'off_session'
      ) THEN 'off_session' ELSE s.usage END AS "saveUsage",
      s.customer_id AS "saveCustomerId"
    FROM payment_method m LEFT JOIN payment_method_cvc c ON c.payment_method_id = m.id
    LEFT JOIN payment_method_save s ON s.payment_method_id = m.id AND s.usage IS NOT NULL
    WHERE m.id = ${id} AND m.payment_intent_id = ${paymentIntentId}`;
}

/**
 * The saved payment method that a payment method refers to, with what a provider has issued for it, and whatever provider's network
 * transaction id; no row where it is detached, or its customer is not the payment's. Without the customer, only what was issued under an
 * agreement to such payments counts.
 */
export function selectSavedToCharge({ id, paymentIntentId }: MethodReference, provider: string) {
  return returning({
    id: text,
    merchantAccountId: text,
    environment: oneOf(ENVIRONMENTS),
    customerId: text,
    usage: oneOf(FUTURE_USAGES),
    masked: json<MaskedCard>(),
    keyId: nullable(text),
    ciphertext: nullable(bytes),
    tokenKeyId: nullable(text),
    tokenCiphertext: nullable(bytes),
    networkProvider: nullable(text),
    networkKeyId: nullable(text),
    networkCiphertext: nullable(bytes),
  })`
    SELECT saved.id, saved.merchant_account_id AS "merchantAccountId", saved.environment, saved.customer_id AS "customerId",
      saved.usage, saved.masked, saved.key_id AS "keyId", saved.ciphertext, own.key_id AS "tokenKeyId",
      own.ciphertext AS "tokenCiphertext", network.provider AS "networkProvider", network.key_id AS "networkKeyId",
      network.ciphertext AS "networkCiphertext"
    FROM payment_method m JOIN payment_intent i ON i.id = m.payment_intent_id
      JOIN saved_payment_method saved ON saved.id = m.saved_payment_method_id AND saved.customer_id = i.customer_id
        AND saved.merchant_account_id = i.merchant_account_id AND saved.environment = i.environment AND saved.status <> 'detached'
      LEFT JOIN saved_payment_method_credential own ON own.saved_payment_method_id = saved.id AND own.provider = ${provider}
        AND own.status IN ('active', 'pending') AND own.ciphertext IS NOT NULL
        AND (m.saved_use = 'on_session' OR own.usage = 'off_session')
      LEFT JOIN LATERAL (
        SELECT c.provider, c.key_id, c.ciphertext FROM saved_payment_method_credential c
        WHERE c.saved_payment_method_id = saved.id AND c.has_network_transaction_id
          AND (m.saved_use = 'on_session' OR c.usage = 'off_session')
        ORDER BY c.created_at, c.provider LIMIT 1
      ) network ON true
    WHERE m.id = ${id} AND m.payment_intent_id = ${paymentIntentId} AND m.saved_use IS NOT NULL`;
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

/** Whether this card is stored without its CVC, no attempt with it has an outcome, and its intent is neither authorized nor ended. */
function mayHaveCvcAgain({ id, paymentIntentId, merchantAccountId, masked }: CardToRestore): Prisma.Sql {
  return Prisma.sql`
    payment_method.id = ${id} AND payment_method.payment_intent_id = ${paymentIntentId}
    AND payment_method.merchant_account_id = ${merchantAccountId} AND payment_method.masked = ${JSON.stringify(masked)}::jsonb
    AND payment_method.ciphertext IS NOT NULL
    AND NOT EXISTS (SELECT FROM payment_method_cvc WHERE payment_method_cvc.payment_method_id = payment_method.id)
    AND NOT EXISTS (
      SELECT FROM payment_attempt WHERE payment_attempt.payment_intent_id = payment_method.payment_intent_id
        AND payment_attempt.payment_method_id = payment_method.id AND payment_attempt.outcome IS NOT NULL
    )
    AND NOT EXISTS (
      SELECT FROM payment_intent WHERE payment_intent.id = payment_method.payment_intent_id
        AND payment_intent.status IN (${AUTHORIZED_OR_ENDED})
    )`;
}

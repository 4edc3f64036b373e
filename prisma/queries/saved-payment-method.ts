import { savedPaymentMethodIdOf } from '../../domain/ids.ts';
import { type Environment, ENVIRONMENTS, type MaskedCard } from '../../domain/payment.ts';
import {
  type CredentialStatus,
  CURRENCY_WITHOUT_NUMBERS,
  FUTURE_USAGES,
  MAXIMUM_SAVED_METHODS,
  SAVED_METHOD_STATUSES,
  type SavedMethodReason,
  type SavedMethodStatus,
} from '../../domain/saved-payment-method.ts';
import { type AccountScope, isOwned, withValues } from '../fragments/conditions.ts';
import { Prisma } from '../generated/client.ts';
import { jsonParameter } from '../fragments/payment-json.ts';
import {
  insertSavedMethodEvents,
  type SavedCredentialRow,
  savedCredentialsJson,
  savedMethodJson,
  type SavedMethodRow,
} from '../fragments/saved-payment-method-json.ts';
import { boolean, integer, json, nullable, oneOf, returning, text, timestamp } from '../connection/statement.ts';
import type { SealedPart } from './payment-method.ts';
import { foundAccountRows, type ListedRows } from './list.ts';

/** How many payments a customer saves one card by, within reason. */
const MAXIMUM_SAVING_ATTEMPTS = 200;

/** A saved payment method as it is read for a response. */
export interface StoredSavedMethod {
  readonly method: SavedMethodRow;
  readonly credentials: readonly SavedCredentialRow[];
}

/** A saved payment method as it is read for a response, from a row that is called `r`. */
export const STORED_SAVED_METHOD = returning<StoredSavedMethod>({
  method: json<SavedMethodRow>(),
  credentials: json<readonly SavedCredentialRow[]>(),
})`${savedMethodJson('r')} AS method, ${savedCredentialsJson(Prisma.sql`r.id`)} AS credentials`;

/** Which of an account's saved payment methods are listed. */
export interface AccountSavedMethodFilter {
  readonly customerId?: string | undefined;
  readonly status?: SavedMethodStatus | undefined;
}

/** The list of an account's saved payment methods. */
export function accountSavedMethods(scope: AccountScope, { customerId, status }: AccountSavedMethodFilter): ListedRows {
  return foundAccountRows('saved_payment_method', scope, {
    metadata: undefined,
    conditions: withValues({ customer_id: customerId, status }),
    times: {},
  });
}

/** One saved payment method of an account. */
export function selectSavedMethod(id: string, account: AccountScope) {
  return returning(STORED_SAVED_METHOD.columns)`
    SELECT ${STORED_SAVED_METHOD.sql} FROM saved_payment_method r WHERE ${isOwned(id, account, 'r')}`;
}

/**
 * An active saved payment method of a customer; no row where the customer has none with this id.
 * @param isRepeat whether an earlier execution of the request may have used it, after which it may be in any state
 */
export function selectSavedToUse(id: string, account: AccountScope, customerId: string, isRepeat: boolean) {
  return returning({ masked: json<MaskedCard>(), usage: oneOf(FUTURE_USAGES) })`
    SELECT m.masked, m.usage FROM saved_payment_method m
    WHERE ${isOwned(id, account, 'm')} AND m.customer_id = ${customerId} AND (m.status = 'active' OR ${isRepeat})`;
}

/** The active saved payment methods of a payment's customer, the preferred one and the latest used first; none without its permission. */
export function selectSavedOfPayment(paymentIntentId: string, account: AccountScope) {
  return returning({ id: text, masked: json<MaskedCard>(), isDefault: boolean })`
    SELECT m.id, m.masked, m.is_default AS "isDefault"
    FROM payment_intent i JOIN saved_payment_method m ON m.merchant_account_id = i.merchant_account_id
      AND m.customer_id = i.customer_id AND m.environment = i.environment
    WHERE ${isOwned(paymentIntentId, account, 'i')} AND m.status = 'active'
    ORDER BY m.is_default DESC, m.last_used_at DESC, m.id LIMIT ${MAXIMUM_SAVED_METHODS}`;
}

/** The active saved payment methods of a customer, in the same order. */
export function selectSavedOfCustomer(customerId: string, { merchantAccountId, environment }: AccountScope) {
  return returning({ id: text, masked: json<MaskedCard>(), isDefault: boolean })`
    SELECT m.id, m.masked, m.is_default AS "isDefault" FROM saved_payment_method m
    WHERE m.merchant_account_id = ${merchantAccountId} AND m.customer_id = ${customerId} AND m.environment = ${environment}
      AND m.status = 'active'
    ORDER BY m.is_default DESC, m.last_used_at DESC, m.id LIMIT ${MAXIMUM_SAVED_METHODS}`;
}

/** How many other cards are saved for a customer. @param fingerprints the digests of the card that is not counted */
export function countOtherSavedMethods(customerId: string, account: AccountScope, fingerprints: readonly string[]) {
  return returning({ total: integer })`
    SELECT count(*)::int AS total FROM saved_payment_method
    WHERE merchant_account_id = ${account.merchantAccountId} AND customer_id = ${customerId} AND status IN ('active', 'invalid')
      AND card_fingerprint <> ALL(${fingerprints}::text[])`;
}

/**
 * Saves the card of a payment method for its customer, or changes the row of a card that is saved already; from a table expression
 * named `updated` with the payment after its step. An agreement to charge without the customer outlives one to less.
 */
export function upsertSavedMethod(paymentMethodId: string): Prisma.Sql {
  const keepsAgreement = Prisma.sql`m.status = 'active' AND m.usage = 'off_session' AND excluded.usage = 'on_session'`;
  return Prisma.sql`
      INSERT INTO saved_payment_method AS m (id, merchant_account_id, environment, customer_id, status, masked, usage, consent,
        initial_payment_intent_id, card_groups, card_fingerprint, key_id, ciphertext, card_expires_at, last_used_at, next_due_at, created_at,
        updated_at)
      SELECT ${savedPaymentMethodIdOf(paymentMethodId)}, updated.merchant_account_id, updated.environment, save.customer_id, 'active',
        paid.masked, save.usage, save.consent, updated.id, paid.card_groups, save.card_fingerprint,
        CASE WHEN updated.currency <> ${CURRENCY_WITHOUT_NUMBERS} THEN save.key_id END,
        CASE WHEN updated.currency <> ${CURRENCY_WITHOUT_NUMBERS} THEN save.ciphertext END,
        save.card_expires_at, updated.updated_at, updated.updated_at, updated.updated_at, updated.updated_at
      FROM updated
        JOIN payment_method_save save ON save.payment_method_id = ${paymentMethodId} AND save.payment_intent_id = updated.id
          AND save.customer_id = updated.customer_id AND save.usage IS NOT NULL
        JOIN payment_method paid ON paid.id = save.payment_method_id
      ON CONFLICT (customer_id, card_fingerprint) WHERE status IN ('active', 'invalid') DO UPDATE SET
        status = 'active', status_reason = NULL, masked = excluded.masked, card_groups = excluded.card_groups,
        card_expires_at = excluded.card_expires_at,
        usage = CASE WHEN ${keepsAgreement} THEN m.usage ELSE excluded.usage END,
        consent = CASE WHEN ${keepsAgreement} THEN m.consent ELSE excluded.consent END,
        initial_payment_intent_id = CASE WHEN ${keepsAgreement} THEN m.initial_payment_intent_id
          ELSE excluded.initial_payment_intent_id END,
        last_used_at = excluded.last_used_at, next_due_at = excluded.next_due_at, version = m.version + 1,
        updated_at = excluded.updated_at
      RETURNING m.*`;
}

/**
 * Notes that a provider's token is to be read. A token that is known already can be used until then.
 * @param saved the table expression with the saved payment method, ours
 */
export function insertPendingCredential(
  saved: string,
  { attemptId, provider }: { readonly attemptId: string; readonly provider: string },
): Prisma.Sql {
  const method = Prisma.raw(saved);
  return Prisma.sql`
      INSERT INTO saved_payment_method_credential (saved_payment_method_id, provider, merchant_account_id, environment, attempt_id, status,
        usage)
      SELECT ${method}.id, ${provider}, ${method}.merchant_account_id, ${method}.environment, ${attemptId}, 'pending', ${method}.usage
      FROM ${method}
      ON CONFLICT (saved_payment_method_id, provider) DO UPDATE SET attempt_id = excluded.attempt_id, status = 'pending',
        usage = excluded.usage, updated_at = excluded.updated_at`;
}

/** The credentials of a saved payment method as the statement leaves them, which changes the one of a provider. */
export function credentialsWith(
  id: Prisma.Sql,
  {
    provider,
    status,
    hasNetworkTransactionId = false,
  }: Pick<SavedCredentialRow, 'provider' | 'status'> & Partial<SavedCredentialRow>,
): Prisma.Sql {
  return Prisma.sql`((SELECT COALESCE(jsonb_agg(jsonb_build_object('provider', c.provider, 'status', c.status,
      'hasNetworkTransactionId', c.has_network_transaction_id) ORDER BY c.provider), '[]'::jsonb)
    FROM saved_payment_method_credential c WHERE c.saved_payment_method_id = ${id} AND c.provider <> ${provider})
    || jsonb_build_object('provider', ${provider}::text, 'status', ${status}::text,
      'hasNetworkTransactionId', ${hasNetworkTransactionId}::boolean))`;
}

/** The changes of a saved payment method; a property that is absent changes nothing. */
export interface SavedMethodChanges {
  readonly isDefault?: boolean | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly expiry?: { readonly month: number; readonly year: number; readonly at: Date } | undefined;
}

/**
 * Changes a saved payment method that is not detached, with its event; no row where there is none. Run it under the lock of the
 * customer, because another default ceases to be one.
 */
export function updateSavedMethod(
  id: string,
  account: AccountScope,
  { isDefault, metadata, expiry }: SavedMethodChanges,
) {
  const masked = expiry === undefined ? null : { expiryMonth: expiry.month, expiryYear: expiry.year };
  return returning({ id: text })`
    WITH changed AS (
      UPDATE saved_payment_method m SET is_default = COALESCE(${isDefault ?? null}::boolean, m.is_default),
        metadata = COALESCE(${jsonParameter(metadata ?? null)}::jsonb, m.metadata),
        masked = m.masked || COALESCE(${jsonParameter(masked)}::jsonb, '{}'::jsonb),
        card_expires_at = COALESCE(${expiry?.at.toISOString() ?? null}::timestamptz, m.card_expires_at),
        version = m.version + 1, updated_at = now()
      WHERE ${isOwned(id, account, 'm')} AND m.status <> 'detached'
      RETURNING m.*
    ), former AS (
      UPDATE saved_payment_method o SET is_default = false, version = o.version + 1, updated_at = now()
      FROM changed WHERE changed.is_default AND o.merchant_account_id = changed.merchant_account_id
        AND o.customer_id = changed.customer_id AND o.is_default AND o.id <> changed.id
    ), events AS (${insertSavedMethodEvents('changed', 'payment_method.updated')})
    SELECT id FROM changed`;
}

/**
 * A table expression named `detached`, and one that writes its events: saved payment methods are removed, and their card numbers
 * erased. Their workflows then remove what providers have.
 */
export function detaching(condition: Prisma.Sql, reason: SavedMethodReason): Prisma.Sql {
  return Prisma.sql`detached AS (
      UPDATE saved_payment_method m SET status = 'detached', status_reason = ${reason}, is_default = false, key_id = NULL,
        ciphertext = NULL, version = m.version + 1, updated_at = now(),
        next_due_at = CASE WHEN EXISTS (SELECT FROM saved_payment_method_credential c WHERE c.saved_payment_method_id = m.id)
          THEN now() END
      WHERE m.status IN ('active', 'invalid') AND ${condition}
      RETURNING m.*
    ), detached_events AS (${insertSavedMethodEvents('detached', 'payment_method.detached')})`;
}

/**
 * Removes a saved payment method of an account; no row where there is none, it is detached already, or a payment with it is under way.
 * Run it under the lock of the row, because an attempt with it may begin at the same moment.
 */
export function detachSavedMethod(id: string, account: AccountScope) {
  const isIdle = Prisma.sql`NOT EXISTS (
      SELECT FROM payment_method p JOIN payment_intent i ON i.id = p.payment_intent_id AND i.payment_method_id = p.id
      WHERE p.saved_payment_method_id = m.id AND p.saved_use IS NOT NULL AND i.status IN ('processing', 'requires_action')
    )`;
  return returning({ id: text })`
    WITH ${detaching(Prisma.sql`${isOwned(id, account, 'm')} AND ${isIdle}`, 'requested')} SELECT id FROM detached`;
}

/** Removes the saved cards that have expired, or were not used, for so many days. */
export function detachOldSavedMethods(
  reason: Extract<SavedMethodReason, 'card_expired' | 'unused'>,
  { days, limit }: { readonly days: number; readonly limit: number },
): Prisma.Sql {
  const since = Prisma.raw(reason === 'unused' ? 'last_used_at' : 'card_expires_at');
  const old = Prisma.sql`m.id IN (
      SELECT id FROM saved_payment_method
      WHERE status IN ('active', 'invalid') AND ${since} < now() - make_interval(days => ${days}::int)
      ORDER BY ${since} LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`;
  return Prisma.sql`WITH ${detaching(old, reason)} SELECT id FROM detached`;
}

/** Claims saved payment methods whose workflow has something to do, which is looked at again a minute later. */
export function claimDueSavedMethods(limit: number) {
  return returning({
    savedPaymentMethodId: text,
    merchantAccountId: text,
    environment: oneOf<Environment>(ENVIRONMENTS),
  })`
    UPDATE saved_payment_method SET next_due_at = now() + interval '1 minute'
    WHERE id IN (
      SELECT id FROM saved_payment_method WHERE next_due_at <= now() ORDER BY next_due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    RETURNING id AS "savedPaymentMethodId", merchant_account_id AS "merchantAccountId", environment`;
}

/** A credential as a provider's answer leaves it. */
export interface AnsweredCredential {
  readonly savedPaymentMethodId: string;
  readonly provider: string;
  /** The attempt of the question: a later save asks again. Null of an imported token. */
  readonly attemptId: string | null;
  readonly status: CredentialStatus;
  /** Null leaves what is stored. */
  readonly sealed: SealedPart | null;
  readonly hasNetworkTransactionId: boolean;
  /** The card's present expiry; absent where the provider does not say it. */
  readonly expiry?: { readonly month: number; readonly year: number; readonly at: Date } | undefined;
}

/** Stores a provider's answer about its token, with the event; no row where the card was saved again meanwhile. */
export function storeCredential(answered: AnsweredCredential) {
  const { savedPaymentMethodId, provider, attemptId, status, sealed, hasNetworkTransactionId, expiry } = answered;
  const masked = expiry === undefined ? null : { expiryMonth: expiry.month, expiryYear: expiry.year };
  return returning({ status: oneOf(SAVED_METHOD_STATUSES) })`
    WITH stored AS (
      UPDATE saved_payment_method_credential SET status = ${status}, key_id = COALESCE(${sealed?.keyId ?? null}, key_id),
        ciphertext = COALESCE(${sealed?.ciphertext ?? null}::bytea, ciphertext),
        has_network_transaction_id = has_network_transaction_id OR ${hasNetworkTransactionId}, updated_at = now()
      WHERE saved_payment_method_id = ${savedPaymentMethodId} AND provider = ${provider}
        AND attempt_id IS NOT DISTINCT FROM ${attemptId}::text
      RETURNING saved_payment_method_id
    ), changed AS (
      UPDATE saved_payment_method m SET version = m.version + 1, updated_at = now(),
        masked = m.masked || COALESCE(${jsonParameter(masked)}::jsonb, '{}'::jsonb),
        card_expires_at = COALESCE(${expiry?.at.toISOString() ?? null}::timestamptz, m.card_expires_at)
      FROM stored WHERE m.id = stored.saved_payment_method_id
      RETURNING m.*
    ), kept AS (SELECT * FROM changed WHERE status <> 'detached'),
    events AS (
      ${insertSavedMethodEvents('kept', 'payment_method.updated', credentialsWith(Prisma.sql`kept.id`, answered))}
    )
    SELECT status FROM changed`;
}

/** Which saved cards a provider's report is about. */
export interface ReportedCredentials {
  readonly provider: string;
  readonly of: { readonly attemptId: string } | { readonly providerCustomerId: string };
}

/**
 * Has the workflows of saved cards ask a provider again what it has issued for them. What is known can be used until then. An imported
 * token cannot be asked about: one that its provider does not know, when an attempt names it, is not used any more.
 */
export function askAboutCredentials({ provider, of }: ReportedCredentials): Prisma.Sql {
  const reported =
    'attemptId' in of
      ? Prisma.sql`
        SELECT paid.saved_payment_method_id AS id FROM payment_attempt attempt
          JOIN payment_method paid ON paid.id = attempt.payment_method_id
        WHERE attempt.id = ${of.attemptId} AND attempt.provider = ${provider}`
      : Prisma.sql`
        SELECT m.id FROM provider_customer known
          JOIN saved_payment_method m ON m.merchant_account_id = known.merchant_account_id AND m.customer_id = known.customer_id
        WHERE known.provider = ${provider} AND known.provider_customer_id = ${of.providerCustomerId}`;
  return Prisma.sql`
    WITH reported AS MATERIALIZED (${reported}), asked AS (
      UPDATE saved_payment_method_credential c
      SET status = CASE WHEN c.attempt_id IS NULL THEN 'disabled' ELSE 'pending' END, updated_at = now() FROM reported
      WHERE c.saved_payment_method_id = reported.id AND c.provider = ${provider}
        AND (c.attempt_id IS NOT NULL OR ${'attemptId' in of})
      RETURNING c.saved_payment_method_id AS id
    )
    UPDATE saved_payment_method m SET next_due_at = now() FROM asked
    WHERE m.id = asked.id AND m.status IN ('active', 'invalid')`;
}

/** Ends the work of a saved payment method's workflow, unless something has come meanwhile. */
export function endDueSavedMethod(savedPaymentMethodId: string): Prisma.Sql {
  return Prisma.sql`
    UPDATE saved_payment_method m SET next_due_at = NULL
    WHERE m.id = ${savedPaymentMethodId} AND NOT EXISTS (
      SELECT FROM saved_payment_method_credential c
      WHERE c.saved_payment_method_id = m.id AND (m.status = 'detached' OR c.status = 'pending')
    )`;
}

/** Makes a saved payment method invalid that has neither a card number nor a token of a provider. */
export function invalidateWithoutCredential(savedPaymentMethodId: string): Prisma.Sql {
  return Prisma.sql`
    WITH invalid AS (
      UPDATE saved_payment_method m SET status = 'invalid', status_reason = 'token_disabled', version = m.version + 1,
        updated_at = now()
      WHERE m.id = ${savedPaymentMethodId} AND m.status = 'active' AND m.ciphertext IS NULL AND NOT EXISTS (
        SELECT FROM saved_payment_method_credential c
        WHERE c.saved_payment_method_id = m.id AND c.status IN ('active', 'pending')
      )
      RETURNING m.*
    ), events AS (${insertSavedMethodEvents('invalid', 'payment_method.invalidated')})
    SELECT id FROM invalid`;
}

/** Which approved attempts at a provider have saved the card of a saved payment method, oldest first: each may have a token of its own. */
export function selectSavingAttempts(savedPaymentMethodId: string, provider: string) {
  return returning({ attemptId: text, providerPaymentId: nullable(text), startedAt: timestamp })`
    SELECT a.id AS "attemptId", a.provider_payment_id AS "providerPaymentId", a.started_at AS "startedAt"
    FROM payment_method paid JOIN payment_attempt a ON a.payment_intent_id = paid.payment_intent_id AND a.payment_method_id = paid.id
    WHERE paid.saved_payment_method_id = ${savedPaymentMethodId} AND paid.saved_use IS NULL AND a.provider = ${provider}
      AND a.outcome = 'approved'
    ORDER BY a.started_at, a.id LIMIT ${MAXIMUM_SAVING_ATTEMPTS}`;
}

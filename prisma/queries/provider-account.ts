import { newId } from '../../domain/new-id.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { PROVIDER_KIND_NAMES } from '../../domain/provider-account.ts';
import type { AccountScope } from '../fragments/conditions.ts';
import { Prisma } from '../generated/client.ts';
import { INSERT_EVENT } from '../fragments/insert-event.ts';
import { providerAccountJson } from '../fragments/provider-account-json.ts';
import { boolean, bytes, integer, nullable, oneOf, returning, text } from '../connection/statement.ts';

/** An account at a provider with its sealed credentials. */
export function selectProviderAccount(id: string) {
  return returning({
    merchantAccountId: text,
    environment: oneOf(ENVIRONMENTS),
    kind: oneOf(PROVIDER_KIND_NAMES),
    version: integer,
    credentialsKeyId: text,
    credentialsCiphertext: bytes,
    refusedOperation: nullable(text),
    isRefusalOfEarlier: boolean,
  })`
    SELECT merchant_account_id AS "merchantAccountId", environment, kind, version,
      credentials_key_id AS "credentialsKeyId", credentials_ciphertext AS "credentialsCiphertext",
      credentials_refused_operation AS "refusedOperation", ${IS_REFUSAL_OF_EARLIER} AS "isRefusalOfEarlier"
    FROM provider_account WHERE id = ${id}`;
}

/** The sealed credentials of an account that were rotated away, and with which webhooks may still be signed; the latest first. */
export function selectPreviousCredentials(id: string) {
  return returning({ credentialsKeyId: text, credentialsCiphertext: bytes })`
    SELECT credentials_key_id AS "credentialsKeyId", credentials_ciphertext AS "credentialsCiphertext"
    FROM provider_account_previous_credentials WHERE provider_account_id = ${id} AND expires_at > now()
    ORDER BY expires_at DESC`;
}

/** Whether the credentials that were refused have been replaced since. */
const IS_REFUSAL_OF_EARLIER = Prisma.sql`COALESCE(credentials_refused_since < credentials_updated_at, false)`;

/** An account with the credentials of a call. */
export interface CalledAccount {
  readonly id: string;
  /** Its version when it was called. */
  readonly version: number;
}

/** Notes that a provider refuses the credentials of an account, with the event about it; no row where that is noted already. */
export function noteRefusedCredentials({ id, version }: CalledAccount, operation: string) {
  return returning({ id: text })`
    WITH account AS (
      UPDATE provider_account SET credentials_refused_since = now(), credentials_refused_operation = ${operation}
      WHERE id = ${id} AND version = ${version}::int AND (credentials_refused_since IS NULL OR ${IS_REFUSAL_OF_EARLIER})
      RETURNING *
    )
    ${insertAccountEvent('provider_account.credentials_refused')}`;
}

/** The operation of an account whose credentials were refused in a test: any call that is answered shows that they work. */
export const CREDENTIALS_TEST = 'test';

/**
 * Notes that a provider accepts the credentials of an account again, with the event about it; no row where no refusal was noted, or
 * that of another operation, which may need more rights.
 */
export function noteAcceptedCredentials({ id, version }: CalledAccount, operation: string) {
  return returning({ id: text })`
    WITH account AS (
      UPDATE provider_account SET credentials_refused_since = NULL, credentials_refused_operation = NULL
      WHERE id = ${id} AND version = ${version}::int AND credentials_refused_since IS NOT NULL
        AND (${operation} = ${CREDENTIALS_TEST} OR credentials_refused_operation IN (${operation}, ${CREDENTIALS_TEST})
          OR ${IS_REFUSAL_OF_EARLIER})
      RETURNING *
    )
    ${insertAccountEvent('provider_account.credentials_accepted')}`;
}

/** Writes an event about the row `account` of the statement. */
function insertAccountEvent(type: 'provider_account.credentials_refused' | 'provider_account.credentials_accepted') {
  return Prisma.sql`
    ${INSERT_EVENT}
    SELECT ${newId('event')}, merchant_account_id, environment, ${type}, id, NULL, version, NULL,
      jsonb_build_object('providerAccount', ${providerAccountJson('account')}), now()
    FROM account
    RETURNING resource_id AS id`;
}

/** The uses that keep an account at a provider from being deleted. */
export function selectProviderAccountUse(id: string, { merchantAccountId }: Pick<AccountScope, 'merchantAccountId'>) {
  return returning({ isRouted: boolean, hasPayments: boolean, hasRefunds: boolean, hasStrayCharges: boolean })`
    SELECT
      EXISTS (
        SELECT FROM payment_route r
        WHERE r.merchant_id = account.merchant_id AND r.environment = account.environment AND r.provider = ${id}
      ) AS "isRouted",
      EXISTS (
        SELECT FROM payment_intent i JOIN payment_attempt a ON a.payment_intent_id = i.id
        WHERE i.merchant_account_id = account.id AND a.provider = ${id}
          AND i.status IN ('processing', 'requires_action', 'requires_capture')
      ) AS "hasPayments",
      EXISTS (
        SELECT FROM refund r
        WHERE r.merchant_account_id = account.id AND r.status = 'pending' AND r.provider = ${id}
      ) AS "hasRefunds",
      EXISTS (
        SELECT FROM stray_charge s WHERE s.next_due_at IS NOT NULL AND s.status = 'pending' AND s.provider = ${id}
      ) AS "hasStrayCharges"
    FROM merchant_account account WHERE account.id = ${merchantAccountId}`;
}

export interface AccountsToWatch {
  /** Only accounts after the one with this id. */
  readonly after: string | undefined;
  readonly limit: number;
  /** How long a disabled account is watched after its last change. */
  readonly disabledDays: number;
}

/**
 * Accounts on chains that have given out an address: active ones, and disabled ones for some time or as long as a deposit is
 * open. Ordered by id, along the index of cursors: each such account has one.
 */
export function selectAccountsToWatch({ after = '', limit, disabledDays }: AccountsToWatch) {
  return returning({ id: text, version: integer })`
    SELECT account.id, account.version
    FROM deposit_cursor c JOIN provider_account account ON account.id = c.provider
    WHERE c.provider > ${after} AND account.kind = 'evm' AND (
      account.status = 'active' OR account.updated_at > now() - ${disabledDays} * interval '1 day'
      OR EXISTS (SELECT FROM deposit_address d WHERE d.provider = account.id AND d.status = 'open')
    )
    ORDER BY c.provider
    LIMIT ${limit}`;
}

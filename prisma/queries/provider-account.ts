// Raw, because each call to an account at a provider, and each webhook from one, begins with the first of these statements.
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { PROVIDER_KIND_NAMES } from '../../domain/provider-account.ts';
import type { AccountScope } from '../conditions.ts';
import { boolean, bytes, integer, oneOf, returning, text } from '../statement.ts';

/** An account at a provider with its sealed credentials. */
export function selectProviderAccount(id: string) {
  return returning({
    merchantAccountId: text,
    environment: oneOf(ENVIRONMENTS),
    kind: oneOf(PROVIDER_KIND_NAMES),
    version: integer,
    credentialsKeyId: text,
    credentialsCiphertext: bytes,
  })`
    SELECT merchant_account_id AS "merchantAccountId", environment, kind, version,
      credentials_key_id AS "credentialsKeyId", credentials_ciphertext AS "credentialsCiphertext"
    FROM provider_account WHERE id = ${id}`;
}

/** What still needs an account at a provider. */
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

// Raw, because each call to an account at a provider, and each webhook from one, begins with this statement.
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { PROVIDER_KIND_NAMES } from '../../domain/provider-account.ts';
import { bytes, integer, oneOf, returning, text } from '../statement.ts';

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

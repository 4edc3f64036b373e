const CLIENT_SECRET = /^((pi_[0-9a-f]{32})_secret_[0-9A-Za-z]{24})([0-9A-Za-z]{24})$/;

/** What requests are signed with: the key in place of an API key, the salt in place of a secret salt. */
export interface ClientCredentials {
  readonly key: string;
  readonly salt: string;
  readonly paymentIntentId: string;
}

/** Splits a client secret; null when it is none. */
export function splitClientSecret(clientSecret: string): ClientCredentials | null {
  const [, key, paymentIntentId, salt] = CLIENT_SECRET.exec(clientSecret) ?? [];
  return key === undefined || paymentIntentId === undefined || salt === undefined
    ? null
    : { key, salt, paymentIntentId };
}

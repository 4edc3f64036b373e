import { createHmac } from 'node:crypto';

export interface Credentials {
  /** `svc_test_…` in the sandbox, `svc_live_…` in production. */
  readonly apiKey: string;
  /** Came with the API key. Neither of them belongs in a browser or a repository. */
  readonly secretSalt: string;
  /** The merchant account to act for; without it, the one that the key was issued to. */
  readonly merchantId?: string | undefined;
}

/** A request without a body signs this text. */
const NO_BODY = '{}';

/** HMAC-SHA256 over time and body, keyed with the secret salt, hexadecimal. */
export function signatureOf(secretSalt: string, timestamp: string, body: string | Uint8Array): string {
  return createHmac('sha256', secretSalt).update(timestamp).update(body).digest('hex');
}

/**
 * The headers that make a request authentic, now; they are good for 5 minutes.
 * @param body what is sent, byte for byte; undefined when nothing is
 */
export function signedHeaders(
  { apiKey, secretSalt, merchantId }: Credentials,
  body: string | Uint8Array | undefined,
): Record<string, string> {
  const timestamp = new Date().toISOString();
  return {
    Authorization: `Bearer ${apiKey}`,
    'X-Timestamp': timestamp,
    'X-Secret-Salt': secretSalt,
    'X-Signature': signatureOf(secretSalt, timestamp, body ?? NO_BODY),
    ...(merchantId === undefined ? {} : { 'X-Merchant-ID': merchantId }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
}

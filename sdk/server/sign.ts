import { createHash, createHmac, randomUUID } from 'node:crypto';

export interface Credentials {
  /** `svc_test_…` in the sandbox, `svc_live_…` in production. */
  readonly apiKey: string;
  /** Came with the API key. Neither of them belongs in a browser or a repository. */
  readonly secretSalt: string;
  /** The merchant account to act for; without it, the one that the key was issued to. */
  readonly merchantId?: string | undefined;
  /** The `signatureVersion` of the API key; that of a new key, 2, otherwise. */
  readonly signatureVersion?: 1 | 2 | undefined;
}

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: string;
  /** Path and query as they are sent, from `/api/v1` on. */
  readonly target: string;
  /** What is sent, byte for byte; undefined when nothing is. */
  readonly body: string | Uint8Array | undefined;
  /** Headers that are added, or replace those of the signature. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request without a body signs this text. */
const NO_BODY = '{}';

/** HMAC-SHA256 over time and body, keyed with the secret salt, hexadecimal. */
export function signatureOf(secretSalt: string, timestamp: string, body: string | Uint8Array): string {
  return createHmac('sha256', secretSalt).update(timestamp).update(body).digest('hex');
}

/**
 * The headers of signature version 1, now. They are valid for 5 minutes, for every method and path: whoever reads them can send
 * other requests.
 * @param body what is sent, byte for byte; undefined when nothing is
 */
export function signedHeaders(credentials: Credentials, body: string | Uint8Array | undefined): Record<string, string> {
  const { secretSalt } = credentials;
  const timestamp = new Date().toISOString();
  return {
    ...commonHeaders(credentials, body),
    'X-Timestamp': timestamp,
    'X-Secret-Salt': secretSalt,
    'X-Signature': signatureOf(secretSalt, timestamp, body ?? NO_BODY),
  };
}

/** All headers of a request, signed with the version of the API key. Each try of a request is signed anew. */
export function signRequest(credentials: Credentials, request: UnsignedRequest): Record<string, string> {
  return credentials.signatureVersion === 1
    ? { ...signedHeaders(credentials, request.body), ...request.headers }
    : signedHeadersV2(credentials, request);
}

/** What signature version 2 signs. */
export interface SignedParts extends Pick<UnsignedRequest, 'method' | 'target' | 'body'> {
  readonly timestamp: string;
  readonly nonce: string;
  /** X-Merchant-ID; empty without it. */
  readonly merchantId: string;
  /** X-Idempotency-Key; empty without it. */
  readonly idempotencyKey: string;
}

/** HMAC-SHA256 over the lines of a request, keyed with the secret salt, hexadecimal. */
export function signatureOfV2(secretSalt: string, parts: SignedParts): string {
  const { method, target, timestamp, nonce, merchantId, idempotencyKey, body = '' } = parts;
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const lines = ['v2', method, target, timestamp, nonce, merchantId, idempotencyKey, bodyHash];
  // Headers are sent as Latin-1.
  return createHmac('sha256', secretSalt).update(lines.join('\n'), 'latin1').digest('hex');
}

function signedHeadersV2(credentials: Credentials, { headers: added, ...request }: UnsignedRequest) {
  const headers = {
    ...commonHeaders(credentials, request.body),
    'X-Timestamp': new Date().toISOString(),
    'X-Nonce': randomUUID(),
    ...added,
  };
  const sent = new Headers(headers);
  const signature = signatureOfV2(credentials.secretSalt, {
    ...request,
    timestamp: sent.get('X-Timestamp') ?? '',
    nonce: sent.get('X-Nonce') ?? '',
    merchantId: sent.get('X-Merchant-ID') ?? '',
    idempotencyKey: sent.get('X-Idempotency-Key') ?? '',
  });
  return { 'X-Signature': signature, ...headers };
}

function commonHeaders(
  { apiKey, merchantId }: Credentials,
  body: string | Uint8Array | undefined,
): Record<string, string> {
  return {
    Authorization: `Bearer ${apiKey}`,
    ...(merchantId === undefined ? {} : { 'X-Merchant-ID': merchantId }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
}

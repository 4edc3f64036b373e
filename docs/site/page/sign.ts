/** What a signature of either version covers. */
export interface SignedParts {
  readonly version: 1 | 2;
  readonly method: string;
  /** Path and query as they are sent. */
  readonly target: string;
  readonly timestamp: string;
  /** Version 2 only. */
  readonly nonce: string;
  /** X-Merchant-ID; empty without it. */
  readonly account: string;
  /** X-Idempotency-Key; empty without it. */
  readonly idempotencyKey: string;
  /** Empty without a body. */
  readonly body: string;
  readonly salt: string;
}

/** Each step of a signature; hashes in hex. */
export interface SignatureSteps {
  readonly bodyHash: string;
  readonly stringToSign: string;
  readonly stringHash: string;
  readonly signature: string;
}

/** Signs a request as a merchant's server does. @throws TypeError in pages without Web Crypto (plain HTTP, not localhost) */
export async function sign(parts: SignedParts): Promise<SignatureSteps> {
  const { version, method, target, timestamp, nonce, account, idempotencyKey, body, salt } = parts;
  const bodyHash = await sha256(body);
  const stringToSign =
    version === 1
      ? `${timestamp}${body}`
      : ['v2', method, target, timestamp, nonce, account, idempotencyKey, bodyHash].join('\n');
  const [stringHash, signature] = await Promise.all([sha256(stringToSign), hmac(salt, stringToSign)]);
  return { bodyHash, stringToSign, stringHash, signature };
}

/** The headers of a signed request, without those of its content. */
export function signedHeaders(parts: SignedParts, apiKey: string, signature: string): Record<string, string> {
  const { version, timestamp, nonce, account, idempotencyKey, salt } = parts;
  return {
    Authorization: `Bearer ${apiKey}`,
    'X-Timestamp': timestamp,
    ...(version === 1 ? { 'X-Secret-Salt': salt } : { 'X-Nonce': nonce }),
    'X-Signature': signature,
    ...(account === '' ? {} : { 'X-Merchant-ID': account }),
    ...(idempotencyKey === '' ? {} : { 'X-Idempotency-Key': idempotencyKey }),
  };
}

/** The time now as X-Timestamp: without fractions of a second. */
export function timestampNow(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

/** 32 random hex digits. */
export function newNonce(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

async function sha256(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

async function hmac(key: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  // Web Crypto refuses an empty key; HMAC pads keys with zero bytes, so that this one is the same.
  const bytes = key === '' ? new Uint8Array(1) : encoder.encode(key);
  const imported = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  return hex(new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text))));
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

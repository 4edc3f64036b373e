import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../../vault/key-secret.ts';
import { MINUTE_MS } from '../../domain/time.ts';

export interface SignedRequest {
  /** X-Timestamp as it was sent. */
  readonly timestamp: string;
  /** The body's bytes as they were received. */
  readonly rawBody: Buffer;
  readonly salt: string | undefined;
  /** Hex. */
  readonly signature: string | undefined;
}

const SIGNATURE = /^[0-9a-f]{64}$/i;
/** Whether a text can be a signature at all. */
export function isWellFormedSignature(signature: string): boolean {
  return SIGNATURE.test(signature);
}

/** A request without a body may sign either text. */
const BODIES_OF_NONE = [Buffer.from('{}'), Buffer.alloc(0)];

/** HMAC-SHA256 over timestamp and body, keyed with the salt. Header values are bytes, which Node hands over as Latin-1. */
export function sign(salt: string, timestamp: string, body: Buffer): Buffer {
  return createHmac('sha256', Buffer.from(salt, 'latin1')).update(timestamp, 'latin1').update(body).digest();
}

/** SHA-256, hex, of the salt that a request is signed with; undefined when its signature is not valid. */
export function saltHashOfSigner({ timestamp, rawBody, salt, signature }: SignedRequest): string | undefined {
  if (salt === undefined || salt === '' || signature === undefined || !SIGNATURE.test(signature)) return undefined;
  const given = Buffer.from(signature, 'hex');
  const bodies = rawBody.length === 0 ? BODIES_OF_NONE : [rawBody];
  const isSigned = bodies.some((body) => equal(sign(salt, timestamp, body), given));
  return isSigned ? hashSecret(Buffer.from(salt, 'latin1')) : undefined;
}

/** What signature version 2 signs, in the order of its lines. */
export interface SignedParts {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** X-Timestamp as it was sent. */
  readonly timestamp: string;
  readonly nonce: string;
  /** X-Merchant-ID; empty without it. */
  readonly account: string;
  /** X-Idempotency-Key; empty without it. */
  readonly idempotencyKey: string;
  readonly rawBody: Buffer;
}

/** Whether a signature of version 2 was made with the salt. @param signature hex */
export function isSignedWith(salt: string, parts: SignedParts, signature: string | undefined): boolean {
  return (
    signature !== undefined && SIGNATURE.test(signature) && equal(signV2(salt, parts), Buffer.from(signature, 'hex'))
  );
}

/** HMAC-SHA256 over the lines of a request, keyed with the salt. */
export function signV2(salt: string, parts: SignedParts): Buffer {
  return createHmac('sha256', salt).update(signedTextV2(parts)).digest();
}

/** The bytes that version 2 signs. Header values are bytes, which Node hands over as Latin-1. */
export function signedTextV2(parts: SignedParts): Buffer {
  const { method, target, timestamp, nonce, account, idempotencyKey, rawBody } = parts;
  const lines = ['v2', method, target, timestamp, nonce, account, idempotencyKey, hash('sha256', rawBody, 'hex')];
  return Buffer.from(lines.join('\n'), 'latin1');
}

/** Compares hashes in hex, in the same time wherever they differ. */
export function isSameHash(given: string | undefined, expected: string): boolean {
  return given !== undefined && equal(Buffer.from(given, 'hex'), Buffer.from(expected, 'hex'));
}

function equal(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

const WINDOW_MS = 5 * MINUTE_MS;
export const ISO_8601_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]00:00)$/;

/** Whether an X-Timestamp is a UTC time within 5 minutes either side of now. */
export function isTimely(timestamp: string | undefined, nowMs: number): timestamp is string {
  if (timestamp === undefined || !ISO_8601_UTC.test(timestamp)) return false;
  const atMs = Date.parse(timestamp);
  return Number.isFinite(atMs) && Math.abs(nowMs - atMs) <= WINDOW_MS;
}

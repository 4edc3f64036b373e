import { createHash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { HOUR_MS, SECOND_MS } from '../../domain/time.ts';

const VALUE_BYTES = 16;
/** Shorter than the engine remembers an idempotency key, so that an order never gets a second payment under the same key. */
const VALID_MS = 23 * HOUR_MS;
/** Without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const NUMBER_LENGTH = 10;

/** What a cookie names, by the name of the cookie and the beginning of the number. */
const KINDS = {
  order: { cookie: 'lamp-shop-order', prefix: 'LAMP' },
  customer: { cookie: 'lamp-shop-customer', prefix: 'CUST' },
} as const;
type Kind = keyof typeof KINDS;

/** A new order or customer: its number, and the cookie that makes it the visitor's. */
export interface NewNumber {
  readonly number: string;
  /** The value of `Set-Cookie`. */
  readonly cookie: string;
}

/** Begins an order, or makes a customer. @param isSecure whether browsers may send the cookie over HTTPS only */
export function newNumber(kind: Kind, isSecure: boolean): NewNumber {
  const value = randomBytes(VALUE_BYTES).toString('hex');
  // Lax, not Strict: the customer comes back from the bank's site.
  const attributes = `Path=/demo; Max-Age=${VALID_MS / SECOND_MS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return { number: numberOf(kind, value), cookie: `${KINDS[kind].cookie}=${value}; ${attributes}` };
}

/** The number of the visitor's order, or of the visitor; null if the request has no valid cookie. */
export function numberOfCookie(kind: Kind, request: Request): string | null {
  const pattern = new RegExp(`(?:^|;)\\s*${KINDS[kind].cookie}=([0-9a-f]{32})\\s*(?:;|$)`);
  const [, value] = pattern.exec(request.get('cookie') ?? '') ?? [];
  return value === undefined ? null : numberOf(kind, value);
}

/** Customers read a number aloud to others, so the cookie cannot be told from it. */
function numberOf(kind: Kind, value: string): string {
  const digest = createHash('sha256').update(value).digest().subarray(0, NUMBER_LENGTH);
  const text = Array.from(digest, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return `${KINDS[kind].prefix}-${text.slice(0, NUMBER_LENGTH / 2)}-${text.slice(NUMBER_LENGTH / 2)}`;
}

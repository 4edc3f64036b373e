import { createHash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { HOUR_MS, SECOND_MS } from '../../domain/time.ts';

const NAME = 'lamp-shop-order';
const VALUE = new RegExp(`(?:^|;)\\s*${NAME}=([0-9a-f]{32})\\s*(?:;|$)`);
const VALUE_BYTES = 16;
/** Shorter than the engine remembers an idempotency key, so that an order never gets a second payment under the same key. */
const VALID_MS = 23 * HOUR_MS;
/** Without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const NUMBER_LENGTH = 10;

/** A new order: its number, and the cookie that makes it the order of a visitor. */
export interface NewOrder {
  readonly number: string;
  /** The value of `Set-Cookie`. */
  readonly cookie: string;
}

/** Begins an order. @param isSecure whether browsers may send the cookie over HTTPS only */
export function newOrder(isSecure: boolean): NewOrder {
  const value = randomBytes(VALUE_BYTES).toString('hex');
  // Lax, not Strict: the customer comes back from the bank's site.
  const attributes = `Path=/demo; Max-Age=${VALID_MS / SECOND_MS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return { number: numberOf(value), cookie: `${NAME}=${value}; ${attributes}` };
}

/** The number of the visitor's order, or null if the request has no valid cookie. */
export function orderNumberOf(request: Request): string | null {
  const [, value] = VALUE.exec(request.get('cookie') ?? '') ?? [];
  return value === undefined ? null : numberOf(value);
}

/** Customers read an order's number aloud to others, so the cookie cannot be told from it. */
function numberOf(value: string): string {
  const digest = createHash('sha256').update(value).digest().subarray(0, NUMBER_LENGTH);
  const text = Array.from(digest, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return `LAMP-${text.slice(0, NUMBER_LENGTH / 2)}-${text.slice(NUMBER_LENGTH / 2)}`;
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookies } from 'better-auth/cookies';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import { cookiePrefixOf, isSecure } from './auth.ts';

const ID_BYTES = 16;
/** The longest that browsers keep a cookie. */
const KEPT_MS = 400 * DAY_MS;
const VALUE = /^([\w-]{22})\.([\w-]{43})$/;

interface CookieOptions {
  readonly publicUrl: string;
  /** Signs the cookie. */
  readonly secret: string;
}

/**
 * The id of a browser in which somebody has given the right password of an e-mail address before: whoever only knows the address cannot
 * use up its attempts. Undefined for every other browser, and for another address.
 * @param cookies the header Cookie
 */
export function knownBrowserOf(
  { publicUrl, secret }: CookieOptions,
  cookies: string | undefined,
  email: string,
): string | undefined {
  const [, id, given] = VALUE.exec(parseCookies(cookies ?? '').get(nameOf(publicUrl)) ?? '') ?? [];
  if (id === undefined || given === undefined) return undefined;
  const [expected, actual] = [Buffer.from(signatureOf(secret, id, email)), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual) ? id : undefined;
}

/** The Set-Cookie header by which a browser is known from now on for an e-mail address. */
export function knownBrowserCookie({ publicUrl, secret }: CookieOptions, email: string): string {
  const id = randomBytes(ID_BYTES).toString('base64url');
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${KEPT_MS / SECOND_MS}${isSecure(publicUrl) ? '; Secure' : ''}`;
  return `${nameOf(publicUrl)}=${id}.${signatureOf(secret, id, email)}; ${attributes}`;
}

function nameOf(publicUrl: string): string {
  return `${cookiePrefixOf(publicUrl)}.browser`;
}

function signatureOf(secret: string, id: string, email: string): string {
  const signed = JSON.stringify(['known browser', id, email.trim().toLowerCase()]);
  return createHmac('sha256', secret).update(signed).digest('base64url');
}

import type { IncomingMessage } from 'node:http';
import { parseCookies } from 'better-auth/cookies';

/** A token and its signature. */
const SESSION = /^[\w.+/=-]{1,500}$/;

/** The signed value of the session's cookie. @param name that of the cookie */
export function sessionOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = parseCookies(headers.cookie ?? '').get(name);
  return value !== undefined && SESSION.test(value) ? value : undefined;
}

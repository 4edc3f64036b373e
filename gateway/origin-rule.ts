import type { IncomingMessage } from 'node:http';

/** Whether the page that asks for a socket is one that may. */
export type OriginRule = (request: IncomingMessage) => boolean;

/**
 * Only browsers have to say which page asks, so whoever says nothing passes. Sockets know no cookies: a page of any origin
 * can do no more than the client secret that it holds.
 * @param origins of the pages that may; none means that any may
 */
export function createOriginRule(origins: readonly string[]): OriginRule {
  const allowed = new Set(origins.map(originOf));
  return ({ headers: { origin } }) => allowed.size === 0 || origin === undefined || allowed.has(originOf(origin));
}

/** As browsers write it: small letters, no default port. Pages without an origin of their own say "null". */
function originOf(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text;
}

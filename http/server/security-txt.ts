import type { Express } from 'express';
import { DAY_MS } from '../../domain/time.ts';
import type { ApiHandler } from '../request-context.ts';
import { methodNotAllowed } from '../method-not-allowed.ts';

/** RFC 9116 recommends less than a year. */
const VALID_FOR_MS = 180 * DAY_MS;

/** Mounts `/.well-known/security.txt` (RFC 9116), which names where vulnerabilities are reported to. */
export function mountSecurityTxt(app: Express, contacts: readonly string[]): void {
  const serve: ApiHandler = (_request, response) => {
    response.type('text/plain; charset=utf-8').set('Cache-Control', 'no-cache').send(securityTxt(contacts, Date.now()));
  };
  app
    .route('/.well-known/security.txt')
    .get(serve)
    .all(methodNotAllowed(['GET']));
}

/** The expiry moves on each day as long as the process runs: whoever sets the contact is responsible for it. */
function securityTxt(contacts: readonly string[], nowMs: number): string {
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const expires = new Date(todayMs + VALID_FOR_MS).toISOString();
  return [...contacts.map((contact) => `Contact: ${contact}`), `Expires: ${expires}`, ''].join('\n');
}

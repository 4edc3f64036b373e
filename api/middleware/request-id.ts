import { randomUUID } from 'node:crypto';
import { ID_PREFIXES } from '../../domain/ids.ts';

/** Digits alone are refused: they could be a card number, and the id goes into logs. */
const WELL_FORMED = /^(?=.*[A-Za-z])[A-Za-z0-9._-]{8,128}$/;

/** The id of a request for logs and support: the client's own when it is well-formed, else a new one. */
export function requestIdFor(header: string | string[] | undefined): string {
  return typeof header === 'string' && WELL_FORMED.test(header) ? header : newRequestId();
}

/** Drawn at random: no order is needed, and every request has one. */
function newRequestId(): string {
  return `${ID_PREFIXES.request}_${randomUUID().replaceAll('-', '')}`;
}

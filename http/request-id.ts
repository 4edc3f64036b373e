import { randomUUID } from 'node:crypto';
import { containsCardNumber } from '../domain/card-number.ts';
import { ID_PREFIXES } from '../domain/ids.ts';
import { newId } from '../domain/new-id.ts';

/** Digits alone are refused, as are card numbers: the id goes into logs. */
const WELL_FORMED = /^(?=.*[A-Za-z])[A-Za-z0-9._-]{8,128}$/;

/** Whether a text can be the id of a request. */
export function isRequestId(text: string): boolean {
  return WELL_FORMED.test(text) && !containsCardNumber(text);
}

/** The id of a request for logs and support: the client's own when it is well-formed, else a new one. */
export function requestIdFor(header: string | string[] | undefined): string {
  return typeof header === 'string' && isRequestId(header) ? header : newRequestId();
}

/** The engine's own id of a request, beside one that the client chose and may have chosen before. */
export const ownRequestId = (): string => newId('request');

/** Random, which is cheap; no order is needed. */
function newRequestId(): string {
  return `${ID_PREFIXES.request}_${randomUUID().replaceAll('-', '')}`;
}

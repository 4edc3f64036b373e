import type { IncomingMessage } from 'node:http';
import type { Rejection } from './refuse-on-socket.ts';

/** Versions of the protocol that are spoken (RFC 6455, 4.4). */
const VERSIONS = '13, 8';

/** Why a request for a socket that the handshake has refused is refused. */
export function malformedUpgrade(request: IncomingMessage, { message }: Error): Rejection {
  if (request.method !== 'GET') return { code: 'METHOD_NOT_ALLOWED', headers: { Allow: 'GET' } };
  const field = /\b(?:Upgrade|Sec-WebSocket-\w+)\b/.exec(message)?.[0];
  return {
    code: 'INVALID_REQUEST',
    details: { field: field ?? 'Upgrade', reason: 'malformed' },
    headers: field === 'Sec-WebSocket-Version' ? { 'Sec-WebSocket-Version': VERSIONS } : {},
  };
}

import type { IncomingMessage, Server } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { GatewayLimits } from './limits.ts';
import type { Rejection } from '../http/rejection.ts';
import { type ServerOptions, WebSocketServer } from 'ws';

const HOP_HEADERS = new Set(['upgrade', 'http2-settings']);

/** Whether a client asks for a WebSocket, and not for HTTP/2 or anything else. */
export function asksForWebSocket(request: IncomingMessage): boolean {
  return /(^|[\s,])websocket($|[\s,])/i.test(request.headers.upgrade ?? '');
}

/**
 * Serves a request as if it had not asked for an upgrade, which a server is free to ignore (RFC 9110, 7.8). With a
 * listener for upgrades Node no longer reads such a request's body, so the request is put back and parsed anew.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const text = `${request.method} ${request.url} HTTP/${request.httpVersion}\r\n${headerLines(request.rawHeaders)}\r\n`;
  socket.unshift(Buffer.concat([Buffer.from(text, 'latin1'), head]));
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
}

function headerLines(rawHeaders: readonly string[]): string {
  let lines = '';
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    if (HOP_HEADERS.has(name.toLowerCase())) continue;
    lines += `${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}\r\n`;
  }
  return lines;
}

function withoutUpgrade(connection: string): string {
  return connection
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '' && !HOP_HEADERS.has(token.toLowerCase()))
    .join(', ');
}

/** Supported versions of the protocol (RFC 6455, 4.4). */
const VERSIONS = '13, 8';

/** The rejection of a request whose handshake failed. */
export function malformedUpgrade(request: IncomingMessage, { message }: Error): Rejection {
  if (request.method !== 'GET') return { code: 'METHOD_NOT_ALLOWED', headers: { Allow: 'GET' } };
  const field = /\b(?:Upgrade|Sec-WebSocket-\w+)\b/.exec(message)?.[0] ?? 'Upgrade';
  return {
    code: 'INVALID_REQUEST',
    message: `Expected the handshake of a WebSocket (RFC 6455); got none with a valid ${field}. Let a WebSocket library make it.`,
    details: { field, reason: 'malformed' },
    headers: field === 'Sec-WebSocket-Version' ? { 'Sec-WebSocket-Version': VERSIONS } : {},
  };
}

/** Whether the origin of a request may open sockets. */
export type OriginRule = (request: IncomingMessage) => boolean;

/**
 * Only browsers send an origin, so requests without one are allowed. Sockets use no cookies: a page of any origin can do no
 * more than its client secret allows.
 * @param origins that are allowed; an empty list allows any
 */
export function createOriginRule(origins: readonly string[]): OriginRule {
  const allowed = new Set(origins.map(originOf));
  return ({ headers: { origin } }) => allowed.size === 0 || origin === undefined || allowed.has(originOf(origin));
}

/** As browsers write it: small letters, no default port. Pages without an origin of their own send "null". */
function originOf(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text;
}

/** The protocol's side of sockets, for a server that hands over its upgrades. */
export function createSocketServer({
  maximumFrameBytes,
  maximumFragments,
}: Pick<GatewayLimits, 'maximumFrameBytes' | 'maximumFragments'>): WebSocketServer {
  const options: ServerOptions & { readonly maxFragments: number } = {
    noServer: true,
    clientTracking: false,
    maxPayload: maximumFrameBytes,
    maxFragments: maximumFragments,
    perMessageDeflate: false,
  };
  return new WebSocketServer(options);
}

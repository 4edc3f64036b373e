import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import { TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';

const HOP_HEADERS = new Set(['upgrade', 'http2-settings']);

/** Whether a client asks for a WebSocket, and not for HTTP/2 or anything else. */
export function asksForWebSocket(request: IncomingMessage): boolean {
  return /(^|[\s,])websocket($|[\s,])/i.test(request.headers.upgrade ?? '');
}

/**
 * Serves a request as if it had not asked for an upgrade, which a server is free to ignore (RFC 9110, 7.8). With a
 * listener for upgrades Node no longer reads such a request's body, so the request is put back and parsed anew.
 */
export function ignoreUpgrade(
  server: Server | SecureServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
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

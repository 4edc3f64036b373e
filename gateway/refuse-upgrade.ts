import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_CATALOGUE, type ErrorCode } from '../domain/error-catalogue.ts';
import { newId } from '../domain/new-id.ts';

const RETRY_AFTER_SECONDS = 1;

/** Answers an upgrade with the error envelope of the API, and the headers it has on every answer, and ends the connection. */
export function refuseUpgrade(
  socket: Duplex,
  code: Extract<ErrorCode, 'RESOURCE_NOT_FOUND' | 'RATE_LIMIT_EXCEEDED' | 'SERVICE_UNAVAILABLE'>,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { status, type, message, transient } = ERROR_CATALOGUE[code];
  const requestId = newId('request');
  const body = JSON.stringify({ success: false, error: { code, message, type, requestId } });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(transient ? [`Retry-After: ${RETRY_AFTER_SECONDS}`] : []),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_CATALOGUE, type ErrorCode } from '../domain/error-catalogue.ts';
import { newId } from '../domain/new-id.ts';
import type { CloseReason, Connection } from './connection.ts';

export interface Rejection {
  readonly code: ErrorCode;
  /** Where it is not the catalogue's. */
  readonly message?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a limit says about a refusal that it has counted. */
export interface CountedRejection {
  readonly headers: Readonly<Record<string, string>>;
  /** What is said instead where there were too many; else null. */
  readonly exceeded: Rejection | null;
}

const RETRY_AFTER_SECONDS = '1';

/** Answers with the API's error envelope where there is no HTTP response to write to, and ends the connection. */
export function rejectSocket(socket: Duplex, { code, message, details, headers = {} }: Rejection): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, type, transient, ...catalogue } = ERROR_CATALOGUE[code];
  const requestId = newId('request');
  const body = JSON.stringify({
    success: false,
    error: { code, message: message ?? catalogue.message, type, details, requestId },
  });
  const fields = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    ...(transient ? { 'Retry-After': RETRY_AFTER_SECONDS } : {}),
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

export interface RejectionOptions {
  /** What every answer of the server carries, those to requests for sockets included; default: nothing. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Counts what a client at an address is refused for a fault of its own; default: nothing is counted. */
  readonly countRejection?: (address: string) => Promise<CountedRejection>;
}

/** What the service itself cannot do is no fault of the client, and is not counted. */
export async function rejectUpgrade(
  { countRejection, headers = () => ({}) }: RejectionOptions,
  address: string,
  socket: Duplex,
  rejection: Rejection,
): Promise<void> {
  const isCounted = countRejection !== undefined && ERROR_CATALOGUE[rejection.code].status < 500;
  const counted = isCounted ? await countRejection(address) : { headers: headers(), exceeded: null };
  const said = counted.exceeded ?? rejection;
  rejectSocket(socket, { ...said, headers: { ...counted.headers, ...said.headers } });
}

/** Closes the socket of a client for a fault of its own; with another code when there were too many such. */
export async function rejectSubscription(
  { countRejection }: RejectionOptions,
  address: string,
  connection: Connection,
  reason: CloseReason,
): Promise<void> {
  const counted = await countRejection?.(address);
  connection.close(counted?.exceeded ? 'tooManyRejections' : reason);
}

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { ERROR_CATALOGUE, type ErrorCode, withHelp } from '../domain/error-catalogue.ts';
import { newId } from '../domain/new-id.ts';

export interface Rejection {
  readonly code: ErrorCode;
  /** Where it is not the catalogue's. */
  readonly message?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A rejection that a rate limit has counted. */
export interface CountedRejection {
  readonly headers: Readonly<Record<string, string>>;
  /** The rejection to send instead where the limit is exceeded; else null. */
  readonly exceeded: Rejection | null;
}

const RETRY_AFTER_SECONDS = '1';
/** One year. Without `includeSubDomains`, because this server does not decide for other hosts. */
export const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

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
    error: { code, message: withHelp(code, message ?? catalogue.message), type, details, requestId },
  });
  const fields = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    'X-Engine-Request-Id': requestId,
    ...(transient ? { 'Retry-After': RETRY_AFTER_SECONDS } : {}),
    ...(socket instanceof TLSSocket ? { 'Strict-Transport-Security': STRICT_TRANSPORT_SECURITY } : {}),
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

export interface RejectionOptions {
  /** Headers of every response of the server, those to upgrades included. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Counts rejections that are the client's fault, by address. */
  readonly countRejection: (address: string) => Promise<CountedRejection>;
}

/** Recognises callers without a query. */
export interface CallerRecognition {
  /** Whether a caller must be refused without a query: its address is over the limit of rejections, and its secret is not known. */
  readonly isBlocked: (address: string, secret: string) => boolean;
  /** Called with each secret that has passed authentication. */
  readonly onAuthenticated: (secret: string) => void;
}

/** Rejects a request for a socket. Failures of the service are not the client's fault, and are not counted. */
export async function rejectUpgrade(
  { countRejection, headers }: RejectionOptions,
  address: string,
  socket: Duplex,
  rejection: Rejection,
): Promise<void> {
  const isCounted = ERROR_CATALOGUE[rejection.code].status < 500;
  const counted = isCounted ? await countRejection(address) : { headers: headers(), exceeded: null };
  const sent = counted.exceeded ?? rejection;
  rejectSocket(socket, { ...sent, headers: { ...counted.headers, ...sent.headers } });
}

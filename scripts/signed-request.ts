import { createHmac } from 'node:crypto';
import { SECOND_MS } from '../domain/time.ts';

export interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secretSalt: string;
}

export interface SignedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From `/api/v1` on. */
  readonly path: string;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  /** Headers that are added, or replace those made here. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** The signature the API expects: HMAC-SHA256 with the secret salt over timestamp and body, hex. */
export function signatureOf(secretSalt: string, timestamp: string, body: string | Buffer): string {
  return createHmac('sha256', secretSalt).update(timestamp).update(body).digest('hex');
}

/** Sends a request signed as the specification says. */
export function sendSigned(credentials: Credentials, request: SignedRequest): Promise<Response> {
  const { method, path, body, headers = {}, timeoutMs = 60 * SECOND_MS } = request;
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const timestamp = new Date().toISOString();
  return fetch(`${credentials.baseUrl}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${credentials.apiKey}`,
      'X-Timestamp': timestamp,
      'X-Secret-Salt': credentials.secretSalt,
      'X-Signature': signatureOf(credentials.secretSalt, timestamp, text ?? '{}'),
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

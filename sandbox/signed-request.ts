import { SECOND_MS } from '../domain/time.ts';
import { signatureOf, signRequest } from '../sdk/server/sign.ts';

export { signatureOf };

export interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secretSalt: string;
  /** That of the API key; 2 otherwise. */
  readonly signatureVersion?: 1 | 2;
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

/** Sends a signed request, once, whatever it is: for what the client does not do. */
export function sendSigned(credentials: Credentials, request: SignedRequest): Promise<Response> {
  const { method, path, body, headers = {}, timeoutMs = 60 * SECOND_MS } = request;
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${credentials.baseUrl}${path}`, {
    method,
    headers: signRequest(credentials, { method, target: path, body: text, headers }),
    ...(text === undefined ? {} : { body: text }),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

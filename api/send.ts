import type { Answer } from './answer.ts';
import type { ApiResponse } from './request-context.ts';

/** Sends an answer as it is, byte for byte. */
export function send(response: ApiResponse, { status, body, headers = {} }: Answer): void {
  response.status(status).set(headers).type('application/json').send(body);
}

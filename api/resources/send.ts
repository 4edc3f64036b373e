import type { JsonResponse } from './answer.ts';
import type { ApiResponse } from '../middleware/request-context.ts';

/** Sends an answer as it is, byte for byte. */
export function sendResponse(response: ApiResponse, { status, body, headers = {} }: JsonResponse): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  // As text, so that it leaves in one piece with the headers.
  response.end(body);
}

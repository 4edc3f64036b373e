import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { sendError } from './http-errors.ts';

/** Lets only holders of the key pass; compares in constant time. */
export function requireApiKey(apiKey: string): RequestHandler {
  const expected = digest(`Bearer ${apiKey}`);
  return (request, response, next) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) next();
    else sendError(response, 401, 'unauthorized', 'The API key is missing or wrong.');
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../domain/api-error.ts';
import type { ApiHandler } from '../../http/request-context.ts';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses what pages of other origins make a browser send, with its cookies. Unsafe methods need the dashboard's own origin,
 * and JSON where they have a body, which no form can send.
 */
export function requireSameOrigin(publicUrl: string): ApiHandler {
  return (request, _response, next) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isOwn = origin === undefined ? site === 'same-origin' : origin === publicUrl;
    const isSafe = SAFE_METHODS.includes(request.method);
    if (!isSafe && !isOwn) {
      throw new ApiError('FORBIDDEN', {
        message: `Expected a request of the dashboard's own pages (Origin ${publicUrl}); got one of another origin, or of none.`,
        details: { reason: 'other_origin' },
      });
    }
    if (!isSafe && hasBody(request.headers) && !isJson(request.headers['content-type'])) {
      throw new ApiError('INVALID_REQUEST', { message: 'Expected a body of the type application/json.' });
    }
    next();
  };
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJson(type: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(type ?? '');
}

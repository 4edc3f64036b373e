import { Router } from 'express';
import { clientKeyOf } from '../../http/authentication/client-credentials.ts';
import type { ApiOperation } from '../resources/api-operation.ts';
import { expressPath } from '../resources/mount-operations.ts';
import type { ApiHandler } from '../../http/request-context.ts';

const PREFLIGHT_SECONDS = 7_200;
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Prefer',
  'X-Idempotency-Key',
  'X-Secret-Salt',
  'X-Signature',
  'X-Timestamp',
].join(', ');
const RESPONSE_HEADERS = ['Date', 'Idempotent-Replayed', 'Retry-After', 'X-Request-Id'].join(', ');

/**
 * CORS for checkout pages of any origin, on the operations that accept client secrets: other paths reject preflights, and
 * no page can read a response to a merchant's key. No cookies are involved, so any origin may be allowed.
 */
export function allowCheckoutPages(operations: readonly ApiOperation[]): ApiHandler {
  const router = Router({ caseSensitive: true });
  const forPages = operations.filter(({ forCheckout }) => forCheckout === true);
  for (const path of new Set(forPages.map((operation) => operation.path))) {
    const methods = forPages.filter((operation) => operation.path === path).map(({ method }) => method.toUpperCase());
    router.route(expressPath(path)).options(answerPreflight(methods)).all(exposeToPage);
  }
  const open = router as ApiHandler;
  return (request, response, next) => {
    const isOfPage = request.method === 'OPTIONS' || clientKeyOf(request.get('authorization')) !== undefined;
    return isOfPage ? open(request, response, next) : next();
  };
}

function answerPreflight(methods: readonly string[]): ApiHandler {
  return (_request, response) => {
    response
      .status(204)
      .set({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': methods.join(', '),
        'Access-Control-Allow-Headers': REQUEST_HEADERS,
        'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
      })
      .end();
  };
}

const exposeToPage: ApiHandler = (_request, response, next) => {
  response.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': RESPONSE_HEADERS });
  next();
};

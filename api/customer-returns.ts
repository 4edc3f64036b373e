import { Router } from 'express';
import { z } from 'zod';
import { isId } from '../domain/ids.ts';
import { withPaymentId } from '../domain/return-url.ts';
import type { Database } from '../prisma/connection/client.ts';
import { insertCustomerReturn, selectReturnTarget } from '../prisma/queries/customer-return.ts';
import type { RowOf } from '../prisma/connection/statement.ts';
import { isReturnToken, sealReturnResult } from '../vault/customer-return.ts';
import type { Keyring } from '../vault/keyring.ts';
import { ApiError } from '../domain/api-error.ts';
import { rateLimitExceeded } from '../http/rate-limits/rate-limit.ts';
import { createLocalLimiter } from '../http/rate-limits/rate-limiters.ts';
import { createPageLimit, type PageLimitDependencies } from '../http/rate-limits/page-limit.ts';
import { readBody } from '../http/request-body.ts';
import { type ApiHandler, type ApiRequest, rawBodyOf } from '../http/request-context.ts';
import { requireSecureTransport, transportOf } from '../http/transport.ts';
import { type ProviderEventDependencies, receiveProviderEvent } from './provider-webhooks.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';

export interface CustomerReturnDependencies extends ProviderEventDependencies, PageLimitDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
}

type ReturnTarget = RowOf<ReturnType<typeof selectReturnTarget>>;

/** The longest result that Adyen documents. */
const MAXIMUM_RESULT = 20_000;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Thank you</title>
<p>Thank you. Your payment is being processed. You can close this page.</p>
</html>
`;

const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/**
 * `/ATTEMPT/TOKEN`: where customers come back from a provider's page, by GET or, as some issuers send them, by POST. The result is
 * stored and announced to the payment's workflow, like a provider's webhook; the customer goes on to the merchant.
 */
export function createCustomerReturnRouter(dependencies: CustomerReturnDependencies): Router {
  const { addresses } = dependencies;
  const comeBack: (resultOf: (request: ApiRequest, rawBody: () => Buffer) => string) => ApiHandler =
    (resultOf) => async (request, response) => {
      const attemptId = String(request.params.attemptId);
      const target = await dependencies.database.direct.row(selectReturnTarget(attemptId));
      if (target === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
      requireSecureTransport(target.environment, () => transportOf(request, addresses));
      const result = resultOf(request, () => rawBodyOf(response));
      if (isUsable(result) && target.isOpen) await keepResult(dependencies, attemptId, target, result);
      response.set(HEADERS);
      if (target.returnUrl !== null)
        return void response.redirect(303, withPaymentId(target.returnUrl, target.paymentIntentId));
      response.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
      response.type('html').send(PAGE);
    };
  const router = Router({ caseSensitive: true });
  router
    .route('/:attemptId/:token')
    .all(requireToken(dependencies), readBody)
    .get(comeBack((request) => resultInQuery(request)))
    .post(
      comeBack(
        (request, rawBody) =>
          new URLSearchParams(rawBody().toString('utf8')).get('redirectResult') ?? resultInQuery(request),
      ),
    )
    .all(methodNotAllowed(['GET', 'POST']));
  return router;
}

const querySchema = z.looseObject({ redirectResult: z.string() });

function resultInQuery({ query }: ApiRequest): string {
  return querySchema.safeParse(query).data?.redirectResult ?? '';
}

function isUsable(result: string): boolean {
  return result !== '' && result.length <= MAXIMUM_RESULT;
}

/**
 * Requires an address that the engine has made, before anything is read of the body or the database. Many customers may share one
 * address, so an address is limited for wrong tokens only; the requests for one attempt are limited whatever their address.
 * @throws ApiError `RESOURCE_NOT_FOUND`, which is counted, so that nobody can try many tokens; `RATE_LIMIT_EXCEEDED`
 */
function requireToken(dependencies: CustomerReturnDependencies): ApiHandler {
  const { keyring, addresses, rateLimiters, pageRequestsPerMinute } = dependencies;
  const limitAddress = createPageLimit(dependencies);
  const countAttempt = createLocalLimiter(pageRequestsPerMinute);
  return async (request, response, next) => {
    const attemptId = String(request.params.attemptId);
    if (isId('attempt', attemptId) && isReturnToken(keyring, attemptId, String(request.params.token))) {
      response.locals.counted = true;
      const status = countAttempt(attemptId);
      if (status.exceeded) throw rateLimitExceeded(status);
      return next();
    }
    // Clients see the response only if the server reads what they still send.
    request.resume();
    await limitAddress(request, response, () => undefined);
    const counted = await rateLimiters.countAddress(addresses.of(request));
    throw counted.exceeded ? rateLimitExceeded(counted) : new ApiError('RESOURCE_NOT_FOUND');
  };
}

/** Keeps the first result of an attempt. An activity of the payment's workflow sends it to the provider. */
async function keepResult(
  dependencies: CustomerReturnDependencies,
  attemptId: string,
  { provider, environment }: ReturnTarget,
  result: string,
): Promise<void> {
  const { database, keyring } = dependencies;
  const sealed = sealReturnResult(keyring, { attemptId, environment }, result);
  const stored = await database.direct.row(insertCustomerReturn(attemptId, sealed));
  if (stored?.status !== 'returned') return;
  const outcome = { kind: 'pending', providerPaymentId: null, isReturned: true } as const;
  await receiveProviderEvent(dependencies, { provider, eventId: `return:${attemptId}`, attemptId, outcome });
}

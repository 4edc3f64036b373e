import { inSpan, type SpanAttributes } from '../traces/tracer.ts';
import { endpointOf, idsOf } from './request-lifecycle.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from './request-context.ts';

/**
 * Makes a request the beginning of a trace. What a client says in `traceparent` is ignored: strangers decide neither what is
 * sampled nor which trace a request belongs to.
 */
export const traceRequest: ApiHandler = (request, response, next) => {
  const { method } = request;
  void inSpan({ name: method, kind: 'server', attributes: { 'http.request.method': method } }, async (span) => {
    response.locals.trace = span.context;
    await new Promise<void>((resolve) => {
      response.once('close', resolve);
      next();
    });
    const route = routeOf(request);
    if (route !== undefined) span.rename(`${method} ${route}`);
    span.set({ 'http.route': route, ...outcomeOf(response), ...idsOf(request, response) });
    if (response.statusCode >= 500) span.fail(response.locals.errorCode ?? 'error');
  });
};

/** The pattern of the whole path, never the path itself. */
function routeOf(request: ApiRequest): string | undefined {
  const endpoint = endpointOf(request);
  return endpoint === undefined ? undefined : `${request.baseUrl}${endpoint}`;
}

function outcomeOf({ statusCode, locals }: ApiResponse): SpanAttributes {
  return { 'http.response.status_code': statusCode, 'error.code': locals.errorCode };
}

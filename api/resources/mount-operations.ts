import type { Router } from 'express';
import type { ApiOperation } from './api-operation.ts';
import { ApiError } from '../../http/errors.ts';
import type { ApiHandler } from '../../http/request-context.ts';

/** Mounts the operations on a router, which rejects other methods of their paths. */
export function mountOperations(router: Router, operations: readonly ApiOperation[]): void {
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const ofPath = operations.filter((operation) => operation.path === path);
    const route = router.route(expressPath(path));
    for (const { method, handler } of ofPath) route[method](handler);
    route.all(methodNotAllowed(ofPath.map(({ method }) => method.toUpperCase())));
  }
}

/** `/refunds/{id}` in the syntax of Express: `/refunds/:id`. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Rejects every method that was not handled, naming the allowed ones; paths with GET allow HEAD too. */
export function methodNotAllowed(methods: readonly string[]): ApiHandler {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return (request, response) => {
    response.set('Allow', allowed);
    throw new ApiError('METHOD_NOT_ALLOWED', {
      message: `Expected one of ${allowed} for this path; got ${request.method}.`,
    });
  };
}

import type { Router } from 'express';
import type { ApiOperation } from './api-operation.ts';
import { ApiError } from '../middleware/errors.ts';
import type { ApiHandler } from '../middleware/request-context.ts';

/** Has a router serve the operations and refuse their paths' other methods. */
export function mountOperations(router: Router, operations: readonly ApiOperation[]): void {
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const ofPath = operations.filter((operation) => operation.path === path);
    const route = router.route(expressPath(path));
    for (const { method, handler } of ofPath) route[method](handler);
    route.all(methodNotAllowed(ofPath.map(({ method }) => method.toUpperCase())));
  }
}

/** `/refunds/{id}` in the words of Express: `/refunds/:id`. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Refuses every method that came this far, naming those that the path takes; whatever can be read has a HEAD too. */
export function methodNotAllowed(methods: readonly string[]): ApiHandler {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return (_request, response) => {
    response.set('Allow', allowed);
    throw new ApiError('METHOD_NOT_ALLOWED');
  };
}

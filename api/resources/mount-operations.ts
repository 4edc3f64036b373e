import type { Router } from 'express';
import type { Turns } from '../../http/turns.ts';
import { inTurn } from '../../http/read-turns.ts';
import type { ApiOperation } from './api-operation.ts';
import { methodNotAllowed } from '../../http/method-not-allowed.ts';

/** Mounts the operations on a router, which rejects other methods of their paths. Reads of many merchants take turns. */
export function mountOperations(router: Router, operations: readonly ApiOperation[], readTurns: Turns): void {
  const paths = [...new Set(operations.map((operation) => operation.path))];
  for (const path of paths.toSorted(moreExactFirst)) {
    const ofPath = operations.filter((operation) => operation.path === path);
    const route = router.route(expressPath(path));
    for (const { method, handler } of ofPath) route[method](method === 'get' ? inTurn(readTurns, handler) : handler);
    route.all(methodNotAllowed(ofPath.map(({ method }) => method.toUpperCase())));
  }
}

/** Puts `/events/redeliver-missed` before `/events/{id}`, which would match it too. */
function moreExactFirst(one: string, other: string): number {
  const rank = (path: string): string => path.replaceAll(/\{\w+\}/g, '~');
  return rank(one) < rank(other) ? -1 : 1;
}

/** `/refunds/{id}` in the syntax of Express: `/refunds/:id`. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

import type { Router } from 'express';
import type { Turns } from '../../http/turns.ts';
import { inTurn } from '../../http/read-turns.ts';
import type { ApiOperation } from './api-operation.ts';
import { methodNotAllowed } from '../../http/method-not-allowed.ts';

/** Mounts the operations on a router, which rejects other methods of their paths. Reads of many merchants take turns. */
export function mountOperations(router: Router, operations: readonly ApiOperation[], readTurns: Turns): void {
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const ofPath = operations.filter((operation) => operation.path === path);
    const route = router.route(expressPath(path));
    for (const { method, handler } of ofPath) route[method](method === 'get' ? inTurn(readTurns, handler) : handler);
    route.all(methodNotAllowed(ofPath.map(({ method }) => method.toUpperCase())));
  }
}

/** `/refunds/{id}` in the syntax of Express: `/refunds/:id`. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

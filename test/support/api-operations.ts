import type { ApiOperation } from '../../api/resources/api-operation.ts';
import type { SignedRequest } from '../../sandbox/signed-request.ts';
import { describeOperations } from './described-api.ts';

/** The descriptions of all API operations; their handlers do not work. */
export const OPERATIONS_OF_API: readonly ApiOperation[] = describeOperations();

const METHODS = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** The endpoint's method as requests name it. */
export function methodOf({ method }: ApiOperation): SignedRequest['method'] {
  return METHODS[method];
}

/** `POST /refunds` */
export function nameOf(operation: ApiOperation): string {
  return `${methodOf(operation)} ${operation.path}`;
}

/** The names of the variable parts of a path. */
export function parameterNamesOf({ path }: ApiOperation): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The endpoint's path with its variable parts filled in. */
export function pathOf({ path }: ApiOperation, parameters: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_part, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`nothing to put into {${name}} of ${path}`);
    return value;
  });
}

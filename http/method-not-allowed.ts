import { ApiError } from '../domain/api-error.ts';
import type { ApiHandler } from './request-context.ts';

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

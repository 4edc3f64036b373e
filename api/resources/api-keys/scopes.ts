import { ApiError } from '../../middleware/errors.ts';
import type { Principal } from '../../middleware/request-context.ts';

/**
 * A key hands out only what it has itself.
 * @throws ApiError `INSUFFICIENT_PERMISSIONS`
 */
export function requireOwnScopes({ scopes: own }: Principal, handedOut: readonly string[]): void {
  const missing = handedOut.filter((scope) => !own.includes(scope));
  if (missing.length === 0) return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', {
    message: 'An API key cannot hand out scopes that it does not have.',
    details: { scopes: missing },
  });
}

import { callerOfAddress } from '../../domain/ip-address.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { ApiHandler } from '../request-context.ts';
import { rateLimitExceeded, type RateLimiters, type RateLimitStatus } from './rate-limit.ts';
import { createLocalLimiter } from './rate-limiters.ts';

export interface PageLimitDependencies {
  readonly addresses: ClientAddresses;
  readonly rateLimiters: RateLimiters;
  /** Requests per minute that this process accepts from one address, for payments by links and of customers who come back. */
  readonly pageRequestsPerMinute: number;
}

/** Limits the requests of an address in this process. An address that has tried many tokens is refused from memory. */
export function createPageLimit({ addresses, rateLimiters, pageRequestsPerMinute }: PageLimitDependencies): ApiHandler {
  const count = createLocalLimiter(pageRequestsPerMinute);
  const statusOf = (address: string): RateLimitStatus =>
    rateLimiters.blockedAddress(address) ?? count(callerOfAddress(address));
  return (request, response, next) => {
    const status = statusOf(addresses.of(request));
    response.locals.counted = true;
    if (status.exceeded) throw rateLimitExceeded(status);
    next();
  };
}

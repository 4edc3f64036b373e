import { callerOfAddress } from '../../domain/ip-address.ts';
import type { Principal } from '../../domain/principal.ts';
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

/** As many customers behind one address as pay at a time. */
const PAGES_AT_AN_ADDRESS = 10;

/**
 * Limits the requests of pages by their address in this process, beside those by their client secret, of which an address may have
 * many. @param requestsPerMinute of one page
 * @returns throws ApiError `RATE_LIMIT_EXCEEDED` for a page whose address has sent too many; lets everybody else through
 */
export function createAddressLimit(
  requestsPerMinute: number,
): (principal: Pick<Principal, 'pageAddress'> | undefined) => void {
  const count = createLocalLimiter(requestsPerMinute * PAGES_AT_AN_ADDRESS);
  return (principal) => {
    if (principal?.pageAddress === undefined) return;
    const status = count(callerOfAddress(principal.pageAddress));
    if (status.exceeded) throw rateLimitExceeded(status);
  };
}

import { callerOfAddress } from '../domain/ip-address.ts';
import { SECOND_MS } from '../domain/time.ts';
import { createConnectionCount } from './connection-count.ts';
import type { ClientAddresses } from './client-address.ts';
import { rateLimitExceeded, rateLimitHeaders } from './rate-limits/rate-limit.ts';
import type { ApiHandler } from './request-context.ts';

/** The pause before a request may be repeated: short, because others are answered all the time. */
const REPEAT_AFTER_MS = SECOND_MS;

/**
 * Refuses requests of an address beyond a number in flight. Behind a proxy, and where a client does not wait for responses
 * (pipelining), the number of connections limits nothing.
 */
export function limitRequestsInFlight(maximumPerAddress: number, addresses: Pick<ClientAddresses, 'of'>): ApiHandler {
  const count = createConnectionCount(Infinity, maximumPerAddress);
  return (request, response, next) => {
    const release = count.acquire(callerOfAddress(addresses.of(request)));
    if (release === null) {
      const resetAtMs = Date.now() + REPEAT_AFTER_MS;
      const status = { limit: maximumPerAddress, remaining: 0, resetAtMs, exceeded: true };
      response.locals.counted = true;
      response.set(rateLimitHeaders(status));
      throw rateLimitExceeded(status, 'at a time');
    }
    response.once('close', release);
    next();
  };
}

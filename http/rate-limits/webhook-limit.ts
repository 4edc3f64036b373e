import { callerOfAddress } from '../../domain/ip-address.ts';
import { HOUR_MS } from '../../domain/time.ts';
import type { ClientAddresses } from '../client-address.ts';
import { createExpiringSet } from '../expiring-set.ts';
import type { ApiHandler } from '../request-context.ts';
import { rateLimitExceeded, type RateLimiters } from './rate-limit.ts';
import { createLocalLimiter } from './rate-limiters.ts';

/** One authentic webhook among this many forged ones marks the address as a provider's. */
const WEBHOOKS_OF_BLOCKED_PER_MINUTE = 60;
const KNOWN_FOR_MS = HOUR_MS;
/** More addresses than providers have; they take about 1 MB. */
const MAXIMUM_KNOWN = 10_000;

export interface WebhookLimitDependencies {
  readonly addresses: ClientAddresses;
  readonly rateLimiters: Pick<RateLimiters, 'blockedAddress'>;
}

/**
 * Refuses webhooks from an address that is over its limit of rejected requests, from memory, except for a few a minute. Addresses
 * of providers are never refused: anybody with an account there can make a provider send forged webhooks.
 */
export function createWebhookLimit({ addresses, rateLimiters }: WebhookLimitDependencies): ApiHandler {
  const count = createLocalLimiter(WEBHOOKS_OF_BLOCKED_PER_MINUTE);
  const known = createExpiringSet(MAXIMUM_KNOWN);
  return (request, response, next) => {
    const caller = callerOfAddress(addresses.of(request));
    const blocked = rateLimiters.blockedAddress(caller);
    const isForeign = blocked !== null && known.expiryOf(caller) === undefined;
    if (isForeign && count(caller).exceeded) throw rateLimitExceeded(blocked);
    response.once('finish', () => {
      if (response.statusCode === 200) known.add(caller, Date.now() + KNOWN_FOR_MS);
    });
    next();
  };
}

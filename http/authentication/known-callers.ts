import { MINUTE_MS } from '../../domain/time.ts';
import { createExpiringSet } from '../expiring-set.ts';
import { rateLimitExceeded, type RateLimiters } from '../rate-limits/rate-limit.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { clientSecretsOf } from '../../vault/client-secret.ts';
import { secretOf } from './credentials.ts';
import { hashSecret } from '../../vault/key-secret.ts';
import { isSameHash } from './signature.ts';

/** Connections for looking up unknown callers: few, so that many of them at once leave the connections of payments free. */
export const UNKNOWN_CALLERS_POOL_SIZE = 4;
const KNOWN_FOR_MS = 10 * MINUTE_MS;
/** They take about 2 MB. */
const MAXIMUM_KNOWN = 10_000;

const CLIENT_SECRET = /^(pi_[0-9a-f]{32})_secret_[0-9A-Za-z]{48}$/;

/** Callers that this process recognises without a query, by their secrets: an API key and its salt, or a client secret. */
export interface KnownCallers {
  /** Whether a caller has lately passed authentication here, or has a client secret that was derived with the vault's keys. */
  has(secret: string): boolean;
  /** Makes a caller known for 10 minutes. */
  add(secret: string): void;
}

/** @param keyring null where only callers that were added are known */
export function createKnownCallers(keyring: Keyring | null): KnownCallers {
  const known = createExpiringSet(MAXIMUM_KNOWN);
  const isDerived = (secret: string): boolean => {
    const paymentIntentId = CLIENT_SECRET.exec(secret)?.[1];
    if (paymentIntentId === undefined || keyring === null) return false;
    const given = hashSecret(secret);
    return clientSecretsOf(keyring, paymentIntentId).some((each) => isSameHash(hashSecret(each), given));
  };
  return {
    has: (secret) => known.expiryOf(hashSecret(secret)) !== undefined || isDerived(secret),
    add: (secret) => known.add(hashSecret(secret), Date.now() + KNOWN_FOR_MS),
  };
}

/** Whether the sender of a request has lately passed authentication. @param header the value of a header by its lower-case name */
export function isKnown(knownCallers: KnownCallers, header: (name: string) => string | undefined): boolean {
  const secret = secretOf(header);
  return secret !== undefined && knownCallers.has(secret);
}

/**
 * Refuses an address that is over its limit of rejected requests, without a query. Known callers pass, so that nobody can lock
 * a merchant out from behind the same address.
 * @throws ApiError `RATE_LIMIT_EXCEEDED`
 */
export function refuseBlockedAddress(
  { header, address }: { readonly header: (name: string) => string | undefined; readonly address: () => string },
  { rateLimiters, knownCallers }: { readonly rateLimiters: RateLimiters; readonly knownCallers: KnownCallers },
): void {
  const blocked = rateLimiters.blockedAddress(address());
  if (blocked !== null && !isKnown(knownCallers, header)) throw rateLimitExceeded(blocked);
}

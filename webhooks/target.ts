import { setTimeout as wait } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';
import { AddressNotAllowedError, resolveAllowed, type Resolve } from './checked-lookup.ts';
import type { TargetPolicy } from './target-policy.ts';

/** Why webhooks must not be sent to an address. */
export type TargetProblem = 'https_required' | 'credentials_in_url' | 'address_not_allowed' | 'host_not_found';

const RESOLVE_WITHIN_MS = 5 * SECOND_MS;

/** The host of an address, an IPv6 one without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Checks whether webhooks may be sent to a URL. The DNS may change later, so each delivery checks again when it connects.
 * @returns null when they may
 */
export async function checkTarget(url: URL, policy: TargetPolicy, resolve?: Resolve): Promise<TargetProblem | null> {
  if (policy.httpsOnly && url.protocol !== 'https:') return 'https_required';
  if (url.username !== '' || url.password !== '') return 'credentials_in_url';
  const giveUp = new AbortController();
  try {
    return await Promise.race([
      resolveAllowed(hostOf(url), policy, resolve).then(() => null),
      wait(RESOLVE_WITHIN_MS, 'host_not_found' as const, { signal: giveUp.signal }),
    ]);
  } catch (error) {
    return error instanceof AddressNotAllowedError ? 'address_not_allowed' : 'host_not_found';
  } finally {
    giveUp.abort();
  }
}

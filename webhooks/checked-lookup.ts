import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { HOUR_MS, SECOND_MS } from '../domain/time.ts';
import type { TargetPolicy } from './target-policy.ts';

/** The host name resolves to an address that webhooks may not be sent to. */
export class AddressNotAllowedError extends Error {
  override readonly name = 'AddressNotAllowedError';
  readonly code = 'EADDRNOTALLOWED';
}

/** The look-up did not start in time, because look-ups of other hosts were under way. It says nothing about the host. */
export class LookupsBusyError extends Error {
  override readonly name = 'LookupsBusyError';
  readonly code = 'EAI_AGAIN';
}

/** Resolves a host to all its addresses; a literal address resolves to itself. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface LookupLimits {
  /** Look-ups under way at once. */
  readonly maximum: number;
  /** How long a look-up waits for its turn. */
  readonly waitMs: number;
  /** A host whose last look-up took longer is slow: it waits behind the others. */
  readonly slowMs: number;
  /** How long a host stays slow, so that it gets its turn however many others there are. */
  readonly slowForMs: number;
}

/** Node looks up two names at once, and waits for each until its name server answers. Calls to providers need look-ups too. */
const LOOKUP_LIMITS: LookupLimits = { maximum: 1, waitMs: 5 * SECOND_MS, slowMs: SECOND_MS, slowForMs: HOUR_MS };

/** How many slow hosts are remembered. */
const MAXIMUM_SLOW_HOSTS = 10_000;

/** @throws the resolver's error, such as ENOTFOUND */
export const resolveHost = limitLookups((hostname) => lookup(hostname, { all: true }), LOOKUP_LIMITS);

/**
 * Limits look-ups, so that slow name servers of some hosts do not delay other hosts: hosts whose last look-up was slow wait behind
 * all others. Simultaneous look-ups of one host share one. A look-up that has waited too long fails with LookupsBusyError.
 */
export function limitLookups(resolve: Resolve, { maximum, waitMs, slowMs, slowForMs }: LookupLimits): Resolve {
  const underWay = new Map<string, ReturnType<Resolve>>();
  const queue = new PQueue({ concurrency: maximum });
  const slowHosts = new LRUCache<string, true>({ max: MAXIMUM_SLOW_HOSTS, ttl: slowForMs });

  const resolveTimed: Resolve = async (hostname) => {
    const startedAtMs = Date.now();
    try {
      return await resolve(hostname);
    } finally {
      if (Date.now() - startedAtMs > slowMs) slowHosts.set(hostname, true);
      else slowHosts.delete(hostname);
    }
  };

  const resolveInTurn: Resolve = (hostname) => {
    const wait = new AbortController();
    const timer = setTimeout(() => wait.abort(new LookupsBusyError('too many look-ups are under way')), waitMs);
    const begin = (): ReturnType<Resolve> => {
      clearTimeout(timer);
      return resolveTimed(hostname);
    };
    return queue.add(begin, { signal: wait.signal, priority: slowHosts.has(hostname) ? 0 : 1 });
  };

  return (hostname) => {
    if (isIP(hostname) !== 0) return resolve(hostname);
    const earlier = underWay.get(hostname);
    if (earlier !== undefined) return earlier;
    const result = resolveInTurn(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, result);
    return result;
  };
}

export interface RememberedLimits {
  /** After this time they are looked up again, while the earlier ones are used. */
  readonly freshMs: number;
  /** After this time they are forgotten. */
  readonly keptMs: number;
  /** Hosts that are remembered. */
  readonly maximum: number;
}

/** Remembers addresses, so that hosts which are called often do not wait for the look-ups of others. */
export function rememberAddresses(resolve: Resolve, { freshMs, keptMs, maximum }: RememberedLimits): Resolve {
  const known = new LRUCache<string, { readonly addresses: readonly LookupAddress[]; readonly at: number }>({
    max: maximum,
    ttl: keptMs,
  });
  const lookUp: Resolve = async (hostname) => {
    const addresses = await resolve(hostname);
    known.set(hostname, { addresses, at: Date.now() });
    return addresses;
  };
  return async (hostname) => {
    const found = known.get(hostname);
    if (found === undefined) return await lookUp(hostname);
    if (Date.now() - found.at >= freshMs) lookUp(hostname).catch(() => undefined);
    return found.addresses;
  };
}

/**
 * The `lookup` option of a socket. The socket connects to the addresses that were checked here, so a name that resolves to
 * another address later (DNS rebinding) is harmless. A name with one forbidden address is rejected as a whole.
 */
export function createCheckedLookup(policy: TargetPolicy, resolve: Resolve = resolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(hostname, policy, resolve).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/**
 * The addresses of a host, each of them allowed.
 * @throws AddressNotAllowedError, or the resolver's error
 */
export async function resolveAllowed(
  hostname: string,
  policy: TargetPolicy,
  resolve: Resolve = resolveHost,
): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
  const [first, ...others] = await resolve(hostname);
  if (first === undefined || ![first, ...others].every(({ address }) => policy.allows(address))) {
    throw new AddressNotAllowedError('the host stands for an address that webhooks may not go to');
  }
  return [first, ...others];
}

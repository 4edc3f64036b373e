import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { TargetPolicy } from './target-policy.ts';

/** The host name resolves to an address that webhooks may not be sent to. */
export class AddressNotAllowedError extends Error {
  override readonly name = 'AddressNotAllowedError';
  readonly code = 'EADDRNOTALLOWED';
}

/** Resolves a host to all its addresses; a literal address resolves to itself. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** @throws the resolver's error, such as ENOTFOUND */
const resolveHost: Resolve = (hostname) => lookup(hostname, { all: true });

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

import type https from 'node:https';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AddressNotAllowedError, createCheckedLookup, resolveAllowed, type Resolve } from './checked-lookup.ts';
import { openTunnel } from './proxy-tunnel.ts';
import { hostOf } from './target.ts';
import type { TargetPolicy } from './target-policy.ts';

/** How the engine reaches addresses that merchants have entered. */
export interface TargetAccess {
  readonly policy: TargetPolicy;
  /** The proxy that the request goes through; null means none. */
  readonly proxy: URL | null;
  readonly resolve?: Resolve;
}

/** How a request gets its connection. */
export type ConnectionOptions = Pick<https.RequestOptions, 'agent' | 'lookup' | 'createConnection'>;

/**
 * The options with which a request connects only to what the policy allows: it calls the address that was checked.
 * @throws AddressNotAllowedError, or the reason why there is no connection
 */
export async function connectionTo(url: URL, access: TargetAccess, signal: AbortSignal): Promise<ConnectionOptions> {
  const { policy, proxy, resolve } = access;
  // Node connects to a literal address, as its `isIP` knows one, without a look-up.
  if ((policy.httpsOnly && url.protocol !== 'https:') || isForbiddenLiteral(hostOf(url), policy)) {
    throw new AddressNotAllowedError('the policy forbids the URL');
  }
  if (proxy !== null) return await connectThrough(proxy, { url, access, signal });
  return { agent: false, lookup: createCheckedLookup(policy, resolve) };
}

function isForbiddenLiteral(host: string, policy: TargetPolicy): boolean {
  return isIP(host) !== 0 && !policy.allows(host);
}

interface TunnelledRequest {
  readonly url: URL;
  readonly access: TargetAccess;
  readonly signal: AbortSignal;
}

/** The name is resolved and checked here; the proxy gets an address. */
async function connectThrough(
  proxy: URL,
  { url, access: { policy, resolve }, signal }: TunnelledRequest,
): Promise<ConnectionOptions> {
  const isSecure = url.protocol === 'https:';
  const host = hostOf(url);
  const addresses = await orAborted(resolveAllowed(host, policy, resolve), signal);
  // Only one of several addresses is tried, and every proxy reaches IPv4.
  const { address } = addresses.find(({ family }) => family === 4) ?? addresses[0];
  const socket = await openTunnel(proxy, { address, port: Number(url.port || (isSecure ? 443 : 80)) }, signal);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return { createConnection: () => (isSecure ? connectTls({ socket, host, ...servername }) : socket) };
}

/** Rejects as soon as the signal is aborted, because look-ups cannot be aborted. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

import proxyAddress from 'proxy-addr';
import type { IncomingMessage } from 'node:http';
import { parseIpAddress } from '../domain/ip-address.ts';

/** Finds the addresses of clients, which trusted proxies report. */
export interface ClientAddresses {
  /** The client's address; a proxy's report is used only if it is a valid address. */
  of(request: IncomingMessage): string;
  /** Whether an address is that of a trusted proxy. */
  isTrustedProxy(address: string): boolean;
}

/** @param trustProxy addresses, CIDR ranges, or the groups `loopback`, `linklocal`, `uniquelocal` */
export function createClientAddresses(trustProxy: readonly string[]): ClientAddresses {
  const isTrusted = proxyAddress.compile([...trustProxy]);
  const find = (request: IncomingMessage): string => {
    const peer = request.socket.remoteAddress ?? '';
    const claimed = peer === '' ? peer : proxyAddress(request, isTrusted);
    return parseIpAddress(claimed) === undefined ? peer : claimed;
  };
  // Several steps of a request need the address.
  const found = new WeakMap<IncomingMessage, string>();
  return {
    of: (request) => {
      const address = found.get(request) ?? find(request);
      found.set(request, address);
      return address;
    },
    isTrustedProxy: (address) => isTrusted(address, 0),
  };
}

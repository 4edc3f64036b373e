import { type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

/** Knows clients by their addresses, through the proxies that are trusted to tell them. */
export interface ClientAddresses {
  /** The client's address; what a proxy claims counts only when it is an address at all. */
  of(request: IncomingMessage): string;
  /** Whether an address is that of a trusted proxy. */
  isTrustedProxy(address: string): boolean;
}

/** @param trustProxy addresses, CIDR ranges, or the groups `loopback`, `linklocal`, `uniquelocal` */
export function createClientAddresses(trustProxy: readonly string[]): ClientAddresses {
  const isTrusted = proxyAddress.compile([...trustProxy]);
  return {
    of: (request) => {
      const peer = request.socket.remoteAddress ?? '';
      const claimed = peer === '' ? peer : proxyAddress(request, isTrusted);
      return isIP(claimed) === 0 ? peer : claimed;
    },
    isTrustedProxy: (address) => isIP(address) !== 0 && isTrusted(address, 0),
  };
}

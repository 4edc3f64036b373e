import proxyAddress from 'proxy-addr';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

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
  return {
    of: (request) => {
      const peer = request.socket.remoteAddress ?? '';
      const claimed = peer === '' ? peer : proxyAddress(request, isTrusted);
      return isIP(claimed) === 0 ? peer : claimed;
    },
    isTrustedProxy: (address) => isIP(address) !== 0 && isTrusted(address, 0),
  };
}

const MAPPED_PREFIX = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * What an address is counted under: an IPv4 address itself, also when mapped into IPv6; for an IPv6 address its /64
 * network, within which one caller can change addresses at will.
 */
export function callerOfAddress(address: string): string {
  const plain = address.replace(MAPPED_PREFIX, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  // The URL parser normalises every IPv6 address, except that it omits runs of zeros.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [before = '', after] = canonical.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

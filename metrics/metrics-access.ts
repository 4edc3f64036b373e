import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import { hostnameOf, isForwarded, isLocalName, isLoopback } from '../domain/ip-address.ts';

/**
 * Who may read metrics: whoever connects directly from one of these addresses. A request through a proxy is refused, because
 * the proxy's address says nothing about who sent it. A request from this machine must name it as such: a page in its browser can
 * make the page's own name lead here (DNS rebinding), and may be shown to anybody.
 * @param allowed addresses, CIDR ranges, or the groups `loopback`, `linklocal`, `uniquelocal`
 */
export function createMetricsAccess(allowed: readonly string[]): (request: IncomingMessage) => boolean {
  const isAllowed = proxyAddress.compile([...allowed]);
  return ({ socket, headers }) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || !isAllowed(remoteAddress, 0) || isForwarded(headers)) return false;
    return !isLoopback(remoteAddress) || isLocalName(hostnameOf(headers.host ?? ''));
  };
}

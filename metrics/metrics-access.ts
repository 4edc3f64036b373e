import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import { isForwarded } from '../domain/ip-address.ts';

/**
 * Who may read metrics: whoever connects directly from one of these addresses. A request through a proxy is refused, because
 * the proxy's address says nothing about who sent it.
 * @param allowed addresses, CIDR ranges, or the groups `loopback`, `linklocal`, `uniquelocal`
 */
export function createMetricsAccess(allowed: readonly string[]): (request: IncomingMessage) => boolean {
  const isAllowed = proxyAddress.compile([...allowed]);
  return ({ socket, headers }) => {
    const { remoteAddress } = socket;
    return remoteAddress !== undefined && isAllowed(remoteAddress, 0) && !isForwarded(headers);
  };
}

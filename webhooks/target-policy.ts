import ipaddr from 'ipaddr.js';
import { isInRanges, parseIpAddress, parseIpRange } from '../domain/ip-address.ts';
import type { Environment } from '../domain/payment.ts';

/** Which targets webhooks may be sent to. */
export interface TargetPolicy {
  readonly httpsOnly: boolean;
  /** Whether a connection to the address is allowed. */
  readonly allows: (address: string) => boolean;
}

export interface TargetSettings {
  /** Whether sandbox webhooks may go to this machine and to private networks, for development. Cloud metadata is refused even so. */
  readonly allowPrivateInSandbox: boolean;
}

/** The IPv6 addresses that are routed on the internet (RFC 4291, RFC 3513). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Ranges that are allowed for development. */
const PRIVATE_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal'];

/**
 * Addresses at which clouds give a machine its credentials. They are listed because Azure's address looks public and those in
 * `fd00::/8` look private; the others are refused by their ranges already.
 */
const METADATA_RANGES = [
  '169.254.0.0/16', // AWS, Google Cloud, Azure, DigitalOcean, AWS containers
  '168.63.129.16', // Azure
  '100.100.100.200', // Alibaba Cloud
  '192.0.0.192', // Oracle Cloud
  'fe80::/10',
  'fd00:ec2::/32', // AWS
  'fd20:ce::/32', // Google Cloud
  'fd00:c1::/32', // Oracle Cloud
  'fd00:42::42', // Scaleway
]
  .map(parseIpRange)
  .filter((range) => range !== undefined);

/**
 * Which targets are allowed in each environment: in production only public ones, over HTTPS.
 *
 * `request-filtering-agent` would not replace this: it connects to `::7f00:1` and `4000::1`, prints a warning for each
 * address that it compares with a range of the other family, and cannot check an endpoint before it is stored.
 */
export function createTargetPolicies({
  allowPrivateInSandbox,
}: TargetSettings): Readonly<Record<Environment, TargetPolicy>> {
  const isInSandbox = allowPrivateInSandbox
    ? (address: string) => isPublicAddress(address) || PRIVATE_RANGES.includes(rangeOf(address))
    : isPublicAddress;
  return {
    sandbox: { httpsOnly: false, allows: isInSandbox },
    production: { httpsOnly: true, allows: isPublicAddress },
  };
}

/** Whether an address is public: not private, loopback, link-local, shared, multicast, reserved, a tunnel or cloud metadata. */
export function isPublicAddress(address: string): boolean {
  return rangeOf(address) === 'unicast';
}

/** The range of an address, as `ipaddr.js` names it; `metadata` for those of cloud metadata services. */
function rangeOf(text: string): string {
  const address = parseIpAddress(text);
  // An address with a zone (`fe80::1%eth0`) exists on one link only.
  if (address === undefined || text.includes('%')) return 'invalid';
  if (isInRanges(address, METADATA_RANGES)) return 'metadata';
  if (address instanceof ipaddr.IPv4) return address.range();
  const range = address.range();
  return range === 'unicast' && !address.match(GLOBAL_UNICAST) ? 'reserved' : range;
}

import { BlockList, isIP } from 'node:net';

const MAPPED_PREFIX = /^::ffff:(?=\d+\.\d+\.\d+\.\d+)/i;
const MAPPED_PREFIX_BITS = 96;
const BITS = { ipv4: 32, ipv6: 128 } as const;

interface Subnet {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly bits: number;
}

/**
 * Whether an address is on a list of addresses and CIDR ranges. IPv4-mapped IPv6 addresses (`::ffff:10.0.0.1`) count
 * as IPv4; an entry that is none of these matches nothing.
 */
export function isOnAllowlist(address: string, allowlist: readonly string[]): boolean {
  const plain = parseAddress(address);
  if (plain === undefined) return false;
  const list = new BlockList();
  for (const entry of allowlist) {
    const subnet = parseSubnet(entry);
    if (subnet?.family === plain.family) list.addSubnet(subnet.address, subnet.bits, subnet.family);
  }
  return list.check(plain.address, plain.family);
}

/** Whether a text is an entry that such a list may have: an IPv4 or IPv6 address, or a range of them in CIDR notation. */
export function isAllowlistEntry(entry: string): boolean {
  return /^[\da-f.:/]{1,64}$/i.test(entry) && parseSubnet(entry) !== undefined;
}

function parseAddress(text: string): Pick<Subnet, 'address' | 'family'> | undefined {
  const address = text.replace(MAPPED_PREFIX, '').replace(/%.*$/, '');
  const version = isIP(address);
  return version === 0 ? undefined : { address, family: version === 4 ? 'ipv4' : 'ipv6' };
}

function parseSubnet(entry: string): Subnet | undefined {
  const [text = '', bitsText, ...rest] = entry.trim().split('/');
  const parsed = parseAddress(text);
  if (parsed === undefined || rest.length > 0 || (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText))) {
    return undefined;
  }
  const mapped = MAPPED_PREFIX.test(text);
  const given = bitsText === undefined ? undefined : Number(bitsText) - (mapped ? MAPPED_PREFIX_BITS : 0);
  const bits = given ?? BITS[parsed.family];
  return bits < 0 || bits > BITS[parsed.family] ? undefined : { ...parsed, bits };
}

const LOOPBACK = ['127.0.0.0/8', '::1'];

export interface Transport {
  /** Whether the client's connection is HTTPS, as far as this server or a trusted proxy says. */
  readonly secure: boolean;
  /** The address at the other end of the connection: a client or a proxy. */
  readonly peerAddress: string;
  readonly peerIsTrustedProxy: boolean;
  /** What the peer claims about the client's connection. */
  readonly forwardedProto: string | undefined;
}

/** Whether production keys may be used: over HTTPS, from this machine, or through a proxy that does not say "http". */
export function isSafeForProduction({ secure, peerAddress, peerIsTrustedProxy, forwardedProto }: Transport): boolean {
  if (secure) return true;
  if (peerIsTrustedProxy) return forwardedProto === undefined;
  return isOnAllowlist(peerAddress, LOOPBACK);
}

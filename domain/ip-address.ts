import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** A network and the number of its leading bits. */
export type IpRange = [network: IpAddress, bits: number];

const ADDRESS_BITS = { ipv4: 32, ipv6: 128 } as const;
const MAPPED_PREFIX_BITS = 96;

/**
 * An address; an IPv4 address that is mapped into IPv6 (`::ffff:10.0.0.1`) counts as IPv4.
 * @returns undefined for anything else, and for short or octal forms such as `127.1`
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (!hasPlainDottedPart(text)) return undefined;
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isAddress ? ipaddr.process(text) : undefined;
}

/** A range in CIDR notation, or the range of one address; undefined for anything else. */
export function parseIpRange(text: string): IpRange | undefined {
  const address = parseIpAddress(text);
  if (address !== undefined) return [address, ADDRESS_BITS[address.kind()]];
  if (!hasPlainDottedPart(text)) return undefined;
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(text) && !ipaddr.IPv6.isValidCIDR(text)) return undefined;
  const [network, bits] = ipaddr.parseCIDR(text);
  if (network instanceof ipaddr.IPv4 || !network.isIPv4MappedAddress()) return [network, bits];
  return bits < MAPPED_PREFIX_BITS ? undefined : [network.toIPv4Address(), bits - MAPPED_PREFIX_BITS];
}

/** Whether the IPv4 part of an address or range, if there is one, is plain decimal: within IPv6, ipaddr.js also reads octal and hex. */
function hasPlainDottedPart(text: string): boolean {
  // The pattern begins at the beginning of a part: if it could begin at each character, the time would grow with the square of
  // the length.
  const dotted = /(?:^|:)([^:]*\.[^%/]*)/.exec(text)?.[1];
  return dotted === undefined || ipaddr.IPv4.isValidFourPartDecimal(dotted);
}

/** Whether every address of a range is in another one. */
export function isRangeWithin([network, bits]: IpRange, outer: IpRange): boolean {
  return bits >= outer[1] && isInRanges(network, [outer]);
}

/** Whether an address is in one of the ranges. */
export function isInRanges(address: IpAddress, ranges: readonly IpRange[]): boolean {
  return ipaddr.subnetMatch(address, { listed: [...ranges] }, 'other') === 'listed';
}

/** Whether a host, by name or address, is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || parseIpAddress(host)?.range() === 'loopback';
}

/** The host of a Host header without its port, an IPv6 address without its brackets; empty where there is none. */
export function hostnameOf(header: string): string {
  if (!/^[\w.:[\]-]+$/.test(header) || !URL.canParse(`http://${header}`)) return '';
  return new URL(`http://${header}`).hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Whether a name or address leads to this machine and nowhere else. Whoever owns a name can make it lead here too (DNS
 * rebinding); only the names of `localhost` belong to nobody.
 */
export function isLocalName(host: string): boolean {
  return isLoopback(host) || host.endsWith('.localhost');
}

/** The fourth group of an IPv6 address, as far as networks of so many bits differ by it. */
const FOURTH_GROUP_MASKS = { 64: 0xff_ff, 56: 0xff_00, 48: 0 } as const;
export type NetworkBits = keyof typeof FOURTH_GROUP_MASKS;

/**
 * The caller under which an address is counted: an IPv4 address itself, even if mapped into IPv6; for an IPv6 address its network,
 * within which one caller can change addresses at will.
 * @param bits of the IPv6 network: a device has /64, a subscriber often /56 or /48
 */
export function callerOfAddress(address: string, bits: NetworkBits = 64): string {
  const parsed = parseIpAddress(address);
  if (parsed === undefined) return address;
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const [first, second, third, fourth = ''] = parsed.toNormalizedString().split(':');
  const masked = Number.parseInt(fourth, 16) & FOURTH_GROUP_MASKS[bits];
  return `${first}:${second}:${third}:${masked.toString(16)}::/${bits}`;
}

/** IPv6 networks whose addresses are counted together, and how many times the limit of one caller each has. */
const CALLER_NETWORKS = [
  { bits: 56, factor: 1 },
  { bits: 48, factor: 4 },
] as const;

/** A caller, and how many times the limit of one caller it has. */
interface NetworkCaller {
  readonly caller: string;
  readonly factor: number;
}

/**
 * The callers under which an address is counted where somebody may use all networks of one connection: in IPv6 the subscriber's network,
 * and the one of 48 bits around it with a higher limit. An IPv4 address is its own network.
 */
export function callersOfAddress(address: string): readonly NetworkCaller[] {
  const callers = CALLER_NETWORKS.map(({ bits, factor }) => ({ caller: callerOfAddress(address, bits), factor }));
  return callers.filter(({ caller }, index) => callers.findIndex((each) => each.caller === caller) === index);
}

/** Headers that proxies add. */
const FORWARDED = /^(?:x-forwarded-.+|forwarded|x-real-ip|via)$/;

/** Whether a header says that the request came through a proxy. @param headers by their names in lower case */
export function isForwarded(headers: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(headers).some((name) => FORWARDED.test(name));
}

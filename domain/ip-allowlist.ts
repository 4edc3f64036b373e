import { isInRanges, isRangeWithin, parseIpAddress, parseIpRange, type IpRange } from './ip-address.ts';

const MAXIMUM_ENTRY_LENGTH = 64;

/**
 * Whether an address is on a list of addresses and CIDR ranges. IPv4-mapped IPv6 addresses (`::ffff:10.0.0.1`) count
 * as IPv4; an entry that is none of these matches nothing.
 */
export function isOnAllowlist(address: string, allowlist: readonly string[]): boolean {
  const parsed = parseIpAddress(address);
  return parsed !== undefined && isInRanges(parsed, rangesOf(allowlist));
}

/** The indexes of the entries that do not lie within a single entry of the other list. */
export function entriesOutside(entries: readonly string[], allowlist: readonly string[]): readonly number[] {
  const allowed = rangesOf(allowlist);
  return entries.flatMap((entry, index) => {
    const range = parseIpRange(entry.trim());
    return range !== undefined && allowed.some((outer) => isRangeWithin(range, outer)) ? [] : [index];
  });
}

function rangesOf(allowlist: readonly string[]): IpRange[] {
  return allowlist.map((entry) => parseIpRange(entry.trim())).filter((range) => range !== undefined);
}

/** Whether a text is an entry that such a list may have: an IPv4 or IPv6 address, or a range of them in CIDR notation. */
export function isAllowlistEntry(entry: string): boolean {
  // An address with a zone (`fe80::1%eth0`) exists on one link only.
  return entry.length <= MAXIMUM_ENTRY_LENGTH && !entry.includes('%') && parseIpRange(entry) !== undefined;
}

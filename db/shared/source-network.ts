// The unit of a limit per source: an IPv4 address, or the /64 of an IPv6 address. A single customer gets at least a
// whole /64 (RFC 6177), so a limit per IPv6 address would have no effect.
import ipaddr from 'ipaddr.js';

const CUSTOMER_PREFIX_GROUPS = 4;

/** `203.0.113.7`, `2001:db8:1:2::/64`; the text itself if it is not an address. */
export function sourceNetwork(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  // An IPv4-mapped IPv6 address (::ffff:203.0.113.7) counts as IPv4.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, CUSTOMER_PREFIX_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/** Returns a test whether an address is one of these or in one of these CIDRs. */
export function addressTest(addresses: readonly string[]): (address: string) => boolean {
  const ranges = addresses.map((text) => {
    const [address = '', bits] = text.split('/');
    return ipaddr.parseCIDR(`${address}/${bits ?? (address.includes(':') ? 128 : 32)}`);
  });
  return (address) => {
    if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
  };
}

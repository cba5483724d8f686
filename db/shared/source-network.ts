// Whom a limit per source counts: an IPv4 address, or the /64 of an IPv6 address. A single customer gets a whole /64 at
// least (RFC 6177), so counting its addresses would be no limit.
import ipaddr from 'ipaddr.js';

const CUSTOMER_PREFIX_GROUPS = 4;

/** `203.0.113.7`, `2001:db8:1:2::/64`; the text itself where it is no address. */
export function sourceNetwork(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  // An IPv4 address in IPv6 clothes (::ffff:203.0.113.7) is one of its kind.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, CUSTOMER_PREFIX_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/** Whether an address is one of these, or in one of these CIDRs. */
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

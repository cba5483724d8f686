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

// IP addresses: CIDR ranges, private networks, and which of our own addresses a peer sees (EXTERNAL_IP).
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads an address or a CIDR; null for anything else. */
export function parseRange(text: string): AddressRange | null {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text.trim());
    const address = ipaddr.process(text.trim());
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return null;
  }
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

export function inRange(addressText: string, [base, bits]: AddressRange): boolean {
  const address = parseAddress(addressText);
  return address !== null && address.kind() === base.kind() && address.match(base, bits);
}

export const LOOPBACK_RANGES: AddressRange[] = ['127.0.0.0/8', '::1/128']
  .map(parseRange)
  .filter((range) => range !== null);

const PRIVATE_KINDS = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified']);

/** RFC 1918, loopback, link-local, CGNAT and their IPv6 equivalents: such a peer does not see our external address. */
export function isPrivate(addressText: string): boolean {
  const address = parseAddress(addressText);
  return address !== null && PRIVATE_KINDS.has(address.range());
}

/**
 * Our address as that peer sees it: EXTERNAL_IP for public peers, else the bound one, else an interface in its network.
 */
export function addressTowards(bound: string, peer: string, external: string | null): string {
  if (external !== null && !isPrivate(peer)) return external;
  if (bound !== '0.0.0.0' && bound !== '::') return bound;
  const peerAddress = parseAddress(peer);
  const family = peerAddress?.kind() === 'ipv6' ? 'IPv6' : 'IPv4';
  const own = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter((entry) => entry.family === family);
  const sameNet = own.find((entry) => {
    const range = entry.cidr === null ? null : parseRange(entry.cidr);
    return range !== null && inRange(peer, range);
  });
  return (sameNet ?? own.find((entry) => !entry.internal) ?? own[0])?.address ?? '127.0.0.1';
}

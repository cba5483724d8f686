// Decides which customer-supplied hosts this service may connect to. A tenant's webhook or web page must never reach
// the operator's own network, so only plain global unicast addresses are allowed.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type RefusalCode = 'INVALID_URL' | 'SCHEME_REFUSED' | 'CREDENTIALS_REFUSED' | 'HOST_REFUSED' | 'ADDRESS_REFUSED';

/** A URL or address that must not be connected to. The message may be shown to the client that named it. */
export class RefusedAddress extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'RefusedAddress';
    this.code = code;
  }
}

/** The IPv6 range allocated as global unicast (IANA); everything else is special. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by their numbers, and answered by the host of a virtual machine: Azure's wire server and resolver. */
const HOSTS_OF_CLOUDS = new Set(['168.63.129.16']);

/**
 * True for an address of the public internet. Not public: private, loopback, link-local, carrier-grade NAT, multicast,
 * documentation and benchmarking ranges, and every form of IPv6 that wraps an IPv4 address (mapped, compatible, NAT64,
 * 6to4, Teredo), because the wrapped address may be private.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || HOSTS_OF_CLOUDS.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST_V6);
}

export interface UrlRules {
  /** Schemes allowed, with the colon; default https: and http:. */
  schemes?: readonly string[];
  /** Allows hosts in private networks (tests, one-box setups). */
  allowPrivate?: boolean;
  /** Allows http: beside `schemes` where the host is this machine: nobody listens on the way there. */
  plainToLoopback?: boolean;
}

/**
 * Checks everything about a URL that needs no DNS: scheme, credentials, the spelling of the host, and its address if it
 * is one.
 * @throws {RefusedAddress}
 */
export function checkUrl(text: string, rules: UrlRules = {}): URL {
  const schemes = rules.schemes ?? ['https:', 'http:'];
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new RefusedAddress('INVALID_URL', 'is not a valid URL');
  }
  const isPlainHere = rules.plainToLoopback === true && url.protocol === 'http:' && isLoopback(bareHost(url));
  if (!schemes.includes(url.protocol) && !isPlainHere) {
    throw new RefusedAddress('SCHEME_REFUSED', `must begin with ${schemes.map((s) => `${s}//`).join(' or ')}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new RefusedAddress('CREDENTIALS_REFUSED', 'must not contain a user name or password');
  }
  const host = bareHost(url);
  if (host === '') throw new RefusedAddress('INVALID_URL', 'is not a valid URL');
  // The URL parser turns 2130706433, 0x7f.1 and 0177.0.0.1 into dotted quads. No honest client writes a host this way.
  if (isIP(host) === 4 && !text.includes(host)) {
    throw new RefusedAddress('HOST_REFUSED', 'must name its host, or write its IPv4 address as four decimal numbers');
  }
  if (!rules.allowPrivate) {
    if (isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host))) throw refusedAddress();
  }
  return url;
}

/** RFC 6761 section 6.3: always loopback, whatever DNS answers. */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** Whether the host is this machine itself by its name or address, without DNS. */
export function isLoopback(host: string): boolean {
  if (isLocalName(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** Ranges of networks that are somebody's own; carrierGradeNat: the VPNs of some vendors. */
const NEAR_RANGES = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);

/** Whether the host is this machine or one of a private network by its name or address, without DNS. */
export function isNearby(host: string): boolean {
  if (ipaddr.isValid(host)) return NEAR_RANGES.has(ipaddr.process(host).range());
  // No name of the internet lacks a dot, or ends in `internal` (ICANN), `local` (RFC 6762) or `home.arpa` (RFC 8375).
  return !host.includes('.') || isLocalName(host) || /\.(internal|local|home\.arpa)$/.test(host);
}

/** The host without IPv6 brackets and without the DNS root's dot, in lower case. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

export function refusedAddress(): RefusedAddress {
  return new RefusedAddress('ADDRESS_REFUSED', 'must not point to a private or internal address');
}

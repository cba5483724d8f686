// Proxies of our own in front of the engine. A request that comes through one has its real source in a header, which
// the proxy sets on what comes from outside and removes from what claims to be inside; nobody else is believed.
// So it is with Path, by which a telephone behind a proxy is reached.
import { parseNameAddr } from '../wire/header.ts';
import { header, type SipRequest } from '../wire/message.ts';
import { hasUriParam, readHostPort } from '../wire/uri.ts';
import { type AddressRange, inRange, parseRange } from './addressing.ts';
import { unbracketed } from './locator.ts';
import type { Protocol } from './network.ts';
import type { Flow } from './transport-layer.ts';

export interface Source {
  address: string;
  port: number;
  protocol: Protocol;
}

const HEADER = 'x-edge-source';
const TOLD = /^\s*(?:\[([\da-f:.]+)\]|([\d.]+)):(\d{1,5})(?:;transport=(udp|tcp|tls))?\s*$/i;

export class Edge {
  readonly #proxies: AddressRange[];
  readonly #name: string | null;

  /** `proxies`: addresses and CIDRs; `publicName`: host or host:port by which others know them. */
  constructor(proxies: readonly string[], publicName: string | null = null) {
    this.#proxies = proxies.map(parseRange).filter((range) => range !== null);
    this.#name = publicName === null ? null : unbracketed(readHostPort(publicName)?.host ?? publicName).toLowerCase();
  }

  has(address: string): boolean {
    return this.#proxies.some((range) => inRange(address, range));
  }

  /** Whether that Route or Path value is one of them. */
  isHop(value: string): boolean {
    const uri = parseNameAddr(value)?.uri;
    if ((uri?.scheme !== 'sip' && uri?.scheme !== 'sips') || !hasUriParam(uri, 'lr')) return false;
    const host = unbracketed(uri.host).toLowerCase();
    return this.has(host) || host === this.#name;
  }

  /** The sender of the request. A proxy's own OPTIONS, by which it asks whether we live, has no other source. */
  sourceOf(message: SipRequest, { remote, protocol }: Flow): Source {
    const own = { ...remote, protocol };
    if (!this.has(remote.address)) return own;
    // No trunk, no allowed network and no telephone has this address.
    const nobody = { address: '0.0.0.0', port: 0, protocol };
    const told = header(message, HEADER);
    if (told === undefined) return message.method === 'OPTIONS' ? own : nobody;
    const match = TOLD.exec(told);
    const address = match?.[1] ?? match?.[2];
    if (address === undefined || parseRange(address) === null) return nobody;
    const transport = match?.[4]?.toLowerCase();
    return {
      address,
      port: Number(match?.[3]),
      protocol: transport === 'tcp' || transport === 'tls' || transport === 'udp' ? transport : protocol,
    };
  }
}

// Proxies of our own in front of the engine. A request that comes through one has its real source in a header, which
// the proxy sets on what comes from outside and removes from what claims to be inside; nobody else is believed.
import { header, type SipRequest } from '../wire/message.ts';
import { type AddressRange, inRange, parseRange } from './addressing.ts';
import type { Flow } from './transport-layer.ts';

export interface Source {
  address: string;
  port: number;
}

const HEADER = 'x-edge-source';
/** No trunk, no allowed network and no telephone has it. */
const NOBODY: Source = { address: '0.0.0.0', port: 0 };

export class Edge {
  readonly #proxies: AddressRange[];

  /** `proxies`: addresses and CIDRs. */
  constructor(proxies: readonly string[]) {
    this.#proxies = proxies.map(parseRange).filter((range) => range !== null);
  }

  has(address: string): boolean {
    return this.#proxies.some((range) => inRange(address, range));
  }

  /** Who sent the request. A proxy's own OPTIONS, by which it asks whether we live, has no other source. */
  sourceOf(message: SipRequest, { remote }: Flow): Source {
    if (!this.has(remote.address)) return remote;
    const told = header(message, HEADER);
    if (told === undefined) return message.method === 'OPTIONS' ? remote : NOBODY;
    const match = /^\s*(?:\[([\da-f:.]+)\]|([\d.]+)):(\d{1,5})\s*$/i.exec(told);
    const address = match?.[1] ?? match?.[2];
    return address === undefined || parseRange(address) === null ? NOBODY : { address, port: Number(match?.[3]) };
  }
}

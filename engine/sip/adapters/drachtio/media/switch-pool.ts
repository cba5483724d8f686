// The FreeSWITCH servers. Both channels of a call use the running server with the fewest channels.

import type { Drachtio } from '../signalling/drachtio.ts';
import type { SwitchAddress, SwitchHostDeps } from './switch-host.ts';
import { SwitchHost } from './switch-host.ts';

export class SwitchPool {
  readonly #hosts: SwitchHost[];
  readonly #chosen = new WeakMap<object, SwitchHost>();

  constructor(addresses: readonly SwitchAddress[], deps: SwitchHostDeps) {
    this.#hosts = addresses.map((address) => new SwitchHost(address, deps));
  }

  /** Null if at least one server is up. */
  get fault(): string | null {
    return this.#hosts.some(({ isUp }) => isUp) ? null : this.#hosts.map(({ fault }) => fault).join('; ');
  }

  start(): void {
    for (const host of this.#hosts) host.start();
  }

  stop(): void {
    for (const host of this.#hosts) host.stop();
  }

  useDrachtio(drachtio: Drachtio | null): void {
    for (const host of this.#hosts) host.useDrachtio(drachtio);
  }

  /** The same host for all channels of a leg. Throws if none is up. */
  forLeg(leg: object): SwitchHost {
    const known = this.#chosen.get(leg);
    if (known !== undefined) return known;
    const [best] = this.#hosts.filter(({ isUp }) => isUp).sort((a, b) => a.load - b.load);
    if (best === undefined) throw new Error(`no FreeSWITCH is up: ${this.fault}`);
    this.#chosen.set(leg, best);
    return best;
  }
}

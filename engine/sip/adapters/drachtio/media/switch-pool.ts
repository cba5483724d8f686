// The FreeSWITCH servers. All channels of a leg use one server: the running one with the fewest channels that has not
// just failed a call.

import type { Drachtio } from '../signalling/drachtio.ts';
import { type SwitchAddress, SwitchHost, type SwitchHostDeps } from './switch-host.ts';

interface Choice {
  host: SwitchHost;
  /** Servers that have failed this leg. */
  failed: ReadonlySet<SwitchHost>;
}

export class SwitchPool {
  readonly #hosts: SwitchHost[];
  readonly #chosen = new WeakMap<object, Choice>();

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

  /** The same host for all channels of a leg, until the leg moves. Throws if none is up. */
  forLeg(leg: object): SwitchHost {
    const known = this.#chosen.get(leg);
    if (known !== undefined) return known.host;
    const host = this.#best(new Set());
    if (host === null) throw new Error(`no FreeSWITCH is up: ${this.fault}`);
    this.#choose(leg, { host, failed: new Set() });
    return host;
  }

  /** True if another server could take the leg over. */
  canMove(leg: object): boolean {
    return this.#next(leg) !== null;
  }

  /** The leg's next channels go to a server that has not failed it. False if there is none. */
  move(leg: object): boolean {
    const next = this.#next(leg);
    if (next !== null) this.#choose(leg, next);
    return next !== null;
  }

  #next(leg: object): Choice | null {
    const known = this.#chosen.get(leg);
    if (known === undefined) return null;
    const failed = new Set([...known.failed, known.host]);
    const host = this.#best(failed);
    return host && { host, failed };
  }

  #choose(leg: object, choice: Choice): void {
    choice.host.breaker.tried();
    this.#chosen.set(leg, choice);
  }

  #best(failed: ReadonlySet<SwitchHost>): SwitchHost | null {
    const [best] = this.#hosts
      .filter((host) => host.isUp && !failed.has(host))
      .sort((a, b) => Number(a.breaker.isOpen) - Number(b.breaker.isOpen) || a.channels.count - b.channels.count);
    return best ?? null;
  }
}

// Registered phones: where each is reached, until its registration expires. A phone behind a NAT is reached only at the
// source address of its packets, so this is kept beside its Contact, and the NAT binding is kept open.
import type { Clock } from '../../clock.ts';
import { unbracketed } from '../stack/network/locator.ts';
import type { Destination, Flow } from '../stack/network/transport-layer.ts';
import { parseUri } from '../stack/wire/uri.ts';
import type { SipBinding } from '../telephony.ts';

/** RFC 5626 4.4.1: NAT bindings of UDP last at least 30 s. */
const KEEP_ALIVE_MS = 25_000;

interface Bound {
  binding: SipBinding;
  flow: Flow;
  stopTimer: () => void;
}

interface BindingsDeps {
  clock: Clock;
  changed(sipAccountId: string, binding: SipBinding | null): void;
  keepAlive(destination: Destination): void;
}

/** The host of a Contact, without brackets. */
export function hostOf(contact: string): string | null {
  const uri = parseUri(contact);
  return uri?.scheme === 'sip' || uri?.scheme === 'sips' ? unbracketed(uri.host) : null;
}

export class Bindings {
  readonly #deps: BindingsDeps;
  readonly #bound = new Map<string, Bound>();
  #stopKeepAlive: (() => void) | null = null;

  constructor(deps: BindingsDeps) {
    this.#deps = deps;
  }

  get(sipAccountId: string): { binding: SipBinding; flow: Flow } | null {
    return this.#bound.get(sipAccountId) ?? null;
  }

  /** True if a phone is registered from that address. */
  knowsAddress(address: string): boolean {
    return [...this.#bound.values()].some(({ binding }) => binding.address === address);
  }

  knowsPort(address: string, port: number): boolean {
    return [...this.#bound.values()].some(({ binding }) => binding.address === address && binding.port === port);
  }

  usesConnection(id: number): boolean {
    return [...this.#bound.values()].some(({ flow }) => flow.connectionId === id);
  }

  /** `isNew`: reported to the listener; a binding read from the table is not. */
  put(binding: SipBinding, flow: Flow, isNew: boolean): void {
    const { clock, changed } = this.#deps;
    const leftMs = binding.expiresAtMs - clock.nowMs();
    if (leftMs <= 0) return;
    this.#bound.get(binding.sipAccountId)?.stopTimer();
    const stopTimer = clock.after(leftMs, () => this.drop(binding.sipAccountId));
    this.#bound.set(binding.sipAccountId, { binding, flow, stopTimer });
    this.#stopKeepAlive ??= clock.after(KEEP_ALIVE_MS, () => this.#keepAlive());
    if (isNew) changed(binding.sipAccountId, binding);
  }

  drop(sipAccountId: string): void {
    const bound = this.#bound.get(sipAccountId);
    if (!bound) return;
    bound.stopTimer();
    this.#bound.delete(sipAccountId);
    this.#deps.changed(sipAccountId, null);
  }

  /** Stops the timers; the table keeps the registrations for the next start. */
  stop(): void {
    for (const { stopTimer } of this.#bound.values()) stopTimer();
    this.#bound.clear();
    this.#stopKeepAlive?.();
    this.#stopKeepAlive = null;
  }

  #keepAlive(): void {
    for (const { binding, flow } of this.#bound.values()) {
      const isHidden = flow.protocol === 'udp' && hostOf(binding.contact) !== flow.remote.address;
      if (isHidden) this.#deps.keepAlive({ protocol: 'udp', remote: flow.remote, serverName: null });
    }
    this.#stopKeepAlive =
      this.#bound.size === 0 ? null : this.#deps.clock.after(KEEP_ALIVE_MS, () => this.#keepAlive());
  }
}

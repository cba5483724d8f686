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
  changed(sipAccountId: string, binding: SipBinding | null, ended: SipBinding | null): void;
  keepAlive(destination: Destination): void;
}

/** The host of a Contact, without brackets. */
export function hostOf(contact: string): string | null {
  const uri = parseUri(contact);
  return uri?.scheme === 'sip' || uri?.scheme === 'sips' ? unbracketed(uri.host) : null;
}

/** Its TCP or TLS connection is gone, or another engine's. */
export const closedFlow = ({ transport, address, port }: SipBinding): Flow => ({
  protocol: transport,
  remote: { address, port },
  connectionId: null,
});

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
    if (isNew) changed(binding.sipAccountId, binding, null);
  }

  drop(sipAccountId: string): void {
    const bound = this.#forget(sipAccountId);
    if (bound) this.#deps.changed(sipAccountId, null, bound.binding);
  }

  /** Takes over what the engines have written, and reports nothing. A flow that is still the same is kept. */
  follow(bindings: readonly SipBinding[], except: ReadonlySet<string>): void {
    const written = new Set(bindings.map(({ sipAccountId }) => sipAccountId));
    for (const id of this.#bound.keys()) if (!written.has(id) && !except.has(id)) this.#forget(id);
    for (const binding of bindings) {
      const here = this.#bound.get(binding.sipAccountId)?.binding;
      const isSame =
        here?.sipCallId === binding.sipCallId && here.cseq === binding.cseq && here.expiresAtMs === binding.expiresAtMs;
      if (!isSame && !except.has(binding.sipAccountId)) this.put(binding, closedFlow(binding), false);
    }
  }

  #forget(sipAccountId: string): Bound | undefined {
    const bound = this.#bound.get(sipAccountId);
    bound?.stopTimer();
    this.#bound.delete(sipAccountId);
    return bound;
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
      // Behind a proxy of ours, the proxy keeps it open: the NAT lets nobody else in.
      const isHidden =
        binding.path === null && flow.protocol === 'udp' && hostOf(binding.contact) !== flow.remote.address;
      if (isHidden) this.#deps.keepAlive({ protocol: 'udp', remote: flow.remote, serverName: null });
    }
    this.#stopKeepAlive =
      this.#bound.size === 0 ? null : this.#deps.clock.after(KEEP_ALIVE_MS, () => this.#keepAlive());
  }
}

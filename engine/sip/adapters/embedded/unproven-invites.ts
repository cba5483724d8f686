// Inbound calls over UDP that wait for the ACK of their 200 longer than a round trip takes. Each holds a place, and its
// source may be forged: nobody has shown that they receive what is sent there. A network keeps a few of them, and gives
// up its oldest for a new INVITE, which may be honest: a burst of honest calls is acknowledged at once. Over TCP and
// TLS a handshake has shown that the sender receives what is sent to it.
import { sourceNetwork } from '../../../../db/shared/source-network.ts';
import type { Clock } from '../../../clock.ts';
import type { InboundCall } from './inbound-call.ts';

/** From the INVITE: twice what a far network takes, and the time that we take to answer. */
const GRACE_MS = 1_000;
/** Of an honest network that loses packets. */
const LATE_MAX = 4;

interface Waiting {
  network: string;
  sinceMs: number;
}

export class UnprovenInvites {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #waiting = new Map<InboundCall, Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Watches the call until its audio is agreed, which waits for the ACK, or until it ends. */
  add(address: string, call: InboundCall): void {
    const network = sourceNetwork(address);
    const beforeMs = this.#clock.monotonicMs() - GRACE_MS;
    const late = [...this.#waiting].filter(
      ([old, each]) => each.network === network && each.sinceMs <= beforeMs && old.awaitsAck,
    );
    for (const [old] of late.slice(0, Math.max(0, late.length - LATE_MAX + 1))) old.giveUp();
    this.#waiting.set(call, { network, sinceMs: this.#clock.monotonicMs() });
    call.watch(({ type }) => {
      if (type === 'answered' || type === 'ended') this.#waiting.delete(call);
    });
  }
}

// Inbound calls over UDP that wait for the ACK of their 200 longer than a round trip takes. Each holds a place, and its
// source may be forged: nobody has shown that they receive what is sent there. A network keeps a few of them, and gives
// up its oldest for a new INVITE, which may be honest: a burst of honest calls is acknowledged at once. Over TCP and
// TLS a handshake has shown that the sender receives what is sent to it.
import { sourceNetwork } from '../../../db/shared/source-network.ts';
import type { Clock } from '../../clock.ts';
import type { LegEvent } from '../telephony.ts';

/**
 * How long a call may wait for the ACK of its answer; over UDP the 200 is sent four times in this time. RFC 3261 allows
 * 32 s, in which a sender of INVITEs alone would hold a place.
 */
export const FIRST_ACK_MS = 4_000;
/** From the INVITE: twice what a far network takes, and the time that we take to answer. */
const GRACE_MS = 1_000;
/** Of an honest network that loses packets. */
const LATE_MAX = 4;

/** An inbound call of either endpoint. */
interface UnprovenCall {
  /** Its 200 was sent, and nobody has acknowledged it. */
  readonly awaitsAck: boolean;
  /** Ends a call that awaits its ACK. */
  giveUp(): void;
  watch(observer: (event: LegEvent) => void): void;
}

interface Waiting {
  network: string;
  sinceMs: number;
}

export class UnprovenInvites {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #waiting = new Map<UnprovenCall, Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Watches the call until its audio is agreed, which waits for the ACK, or until it ends. */
  add(address: string, call: UnprovenCall): void {
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

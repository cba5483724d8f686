// Inbound calls over UDP that wait for the ACK of their 200 longer than a round trip takes, counted by the sender's
// network. A burst of calls is acknowledged at once; an INVITE with a forged source never is. Over TCP and TLS a
// handshake has shown already that the sender receives what is sent to it.
import { sourceNetwork } from '../../../../db/shared/source-network.ts';
import type { Clock } from '../../../clock.ts';
import type { UnprovenCalls } from '../../telephony.ts';
import type { InboundCall } from './inbound-call.ts';

/** From the INVITE: twice what a far network takes, and the time that we take to answer. */
const GRACE_MS = 1_000;

interface Waiting {
  network: string;
  sinceMs: number;
}

export class UnprovenInvites {
  readonly #clock: Clock;
  readonly #waiting = new Map<InboundCall, Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(address: string): UnprovenCalls {
    const network = sourceNetwork(address);
    const beforeMs = this.#clock.monotonicMs() - GRACE_MS;
    const late = [...this.#waiting.values()].filter(({ sinceMs }) => sinceMs <= beforeMs);
    return { own: late.filter((each) => each.network === network).length, all: late.length };
  }

  /** Watches the call until its audio is agreed, which waits for the ACK, or until it ends. */
  add(address: string, call: InboundCall): void {
    this.#waiting.set(call, { network: sourceNetwork(address), sinceMs: this.#clock.monotonicMs() });
    call.watch(({ type }) => {
      if (type === 'answered' || type === 'ended') this.#waiting.delete(call);
    });
  }
}

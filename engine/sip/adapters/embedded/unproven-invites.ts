// Inbound calls over UDP before the ACK of their 200, counted by the sender's network. Over TCP and TLS a handshake has
// shown already that the sender receives what is sent to it.
import { sourceNetwork } from '../../../../db/shared/source-network.ts';
import type { UnprovenCalls } from '../../telephony.ts';
import type { InboundCall } from './inbound-call.ts';

export class UnprovenInvites {
  readonly #byNetwork = new Map<string, number>();
  #all = 0;

  count(address: string): UnprovenCalls {
    return { own: this.#byNetwork.get(sourceNetwork(address)) ?? 0, all: this.#all };
  }

  /** Counts the call until its audio is agreed, which waits for the ACK, or until it ends. */
  add(address: string, call: InboundCall): void {
    const network = sourceNetwork(address);
    let isCounted = true;
    this.#change(network, 1);
    call.watch(({ type }) => {
      if (!isCounted || (type !== 'answered' && type !== 'ended')) return;
      isCounted = false;
      this.#change(network, -1);
    });
  }

  #change(network: string, by: 1 | -1): void {
    this.#all += by;
    const count = (this.#byNetwork.get(network) ?? 0) + by;
    if (count > 0) this.#byNetwork.set(network, count);
    else this.#byNetwork.delete(network);
  }
}

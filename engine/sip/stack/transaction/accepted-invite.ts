// Retransmits our 2xx to an INVITE until the ACK (RFC 3261 13.3.1.4). The user agent does this, over TCP too, because
// the ACK is end to end.
import type { Clock } from '../../../clock.ts';
import type { SipResponse } from '../wire/message.ts';
import { T1_MS, T2_MS, TRANSACTION_TIMEOUT_MS } from './transaction.ts';
import type { ServerTransaction } from './transaction-layer.ts';

export class AcceptedInvite {
  readonly number: number;
  readonly #clock: Clock;
  #stopRepeat: () => void = () => {};
  readonly #stopExpiry: () => void;

  /** Sends the response, and again at 0.5, 1, 2, 4, 4 … s; `expired` after `giveUpMs` without an ACK. */
  constructor(
    clock: Clock,
    transaction: ServerTransaction,
    response: SipResponse,
    expired: () => void,
    giveUpMs = TRANSACTION_TIMEOUT_MS,
  ) {
    this.number = transaction.request.parts.cseq.number;
    this.#clock = clock;
    this.#stopExpiry = clock.after(giveUpMs, () => {
      this.#stopRepeat();
      expired();
    });
    const send = (intervalMs: number) => {
      transaction.respond(response);
      this.#stopRepeat = this.#clock.after(intervalMs, () => send(Math.min(intervalMs * 2, T2_MS)));
    };
    send(T1_MS);
  }

  stop(): void {
    this.#stopRepeat();
    this.#stopExpiry();
  }
}

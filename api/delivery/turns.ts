// Round robin over the accounts and their subscriptions that may have something to send, so that one account with many
// subscriptions does not delay the others.
import { FairQueue } from '../../db/shared/fair-queue.ts';
import type { Lane } from './lane.ts';

export class Turns {
  readonly #queue = new FairQueue<Lane>();
  readonly #queued = new Set<Lane>();

  /** How many lanes wait. */
  get size(): number {
    return this.#queue.size;
  }

  /** Adds a lane at the end of its account's queue; a queued lane keeps its place. */
  add(lane: Lane): void {
    if (this.#queued.has(lane)) return;
    this.#queued.add(lane);
    this.#queue.add(lane.accountId, lane);
  }

  /** Removes and returns the next lane; its account becomes the last one. */
  take(): Lane | null {
    const lane = this.#queue.take();
    if (lane === undefined) return null;
    this.#queued.delete(lane);
    return lane;
  }
}

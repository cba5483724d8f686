// Round robin over the accounts and their subscriptions that may have something to send, so that one account with many
// subscriptions does not delay the others.
import type { Lane } from './lane.ts';

export class Turns {
  /** The next account comes first, and within an account its next lane. */
  readonly #accounts = new Map<string, Set<Lane>>();
  #size = 0;

  /** How many lanes wait. */
  get size(): number {
    return this.#size;
  }

  /** Adds a lane at the end of its account's queue; a queued lane keeps its place. */
  add(lane: Lane): void {
    const lanes = this.#accounts.get(lane.accountId) ?? new Set();
    if (lanes.has(lane)) return;
    lanes.add(lane);
    this.#accounts.set(lane.accountId, lanes);
    this.#size++;
  }

  /** Removes and returns the next lane; its account becomes the last one. */
  take(): Lane | null {
    const [account] = this.#accounts;
    if (!account) return null;
    const [accountId, lanes] = account;
    const [lane] = lanes;
    this.#accounts.delete(accountId);
    if (!lane) return null;
    lanes.delete(lane);
    if (lanes.size > 0) this.#accounts.set(accountId, lanes);
    this.#size--;
    return lane;
  }
}

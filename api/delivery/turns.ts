// Whose turn it is: subscriptions that may have something to send, in turn over their accounts, so that one account
// with many of them does not stand before the others.
import type { Lane } from './lane.ts';

export class Turns {
  /** The account that is next comes first, and of an account the lane that is next. */
  readonly #accounts = new Map<string, Set<Lane>>();
  #size = 0;

  /** How many lanes wait. */
  get size(): number {
    return this.#size;
  }

  /** Puts a lane at the end of its account's line; one that stands there keeps its place. */
  add(lane: Lane): void {
    const lanes = this.#accounts.get(lane.accountId) ?? new Set();
    if (lanes.has(lane)) return;
    lanes.add(lane);
    this.#accounts.set(lane.accountId, lanes);
    this.#size++;
  }

  /** Takes the lane whose turn it is out of the line; its account is the last one then. */
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

// How often carriers are asked for numbers by searches: a search is a few requests to each, which count at the carrier
// against the installation's key, whichever of its accounts searches.

import { MINUTE_MS } from '../../db/domain/hours/durations.ts';

const PER_MINUTE = 60;
const PER_ACCOUNT_AND_MINUTE = 12;

export class SearchTurns {
  /** The searches of the last minute, oldest first: at most `PER_MINUTE`. */
  #taken: Array<{ accountId: string; atMs: number }> = [];

  /** False: not now. */
  take(accountId: string, nowMs: number): boolean {
    this.#taken = this.#taken.filter(({ atMs }) => Math.abs(nowMs - atMs) < MINUTE_MS);
    const own = this.#taken.filter((one) => one.accountId === accountId).length;
    if (this.#taken.length >= PER_MINUTE || own >= PER_ACCOUNT_AND_MINUTE) return false;
    this.#taken.push({ accountId, atMs: nowMs });
    return true;
  }
}

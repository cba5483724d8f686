// Chooses the hashes that a challenge offers. Phones with an old stack (libre before 2) give up when they see SHA-256,
// even beside MD5. So a phone that leaves a challenge with both unanswered and asks again is offered MD5 alone.
import { sourceNetwork } from '../../../db/shared/source-network.ts';
import type { Clock } from '../../clock.ts';
import { OFFERED_ALGORITHMS } from '../stack/transaction/digest-server.ts';
import type { DigestAlgorithm } from '../stack/wire/digest.ts';

/** Longer than such a phone waits before its next attempt. */
const REMEMBER_MS = 10 * 60_000;
/** A phone that supports both has answered by then, over any network. */
const ANSWERED_BY_MS = 5_000;
const MAX_REMEMBERED = 4_096;
const MD5_ONLY: readonly DigestAlgorithm[] = ['MD5'];

export class OfferedHashes {
  readonly #clock: Clock;
  /** When a challenge with both was sent, by network and name. */
  readonly #unanswered = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `proved`: the hash that this phone has used before, or uses now. */
  next(address: string, username: string, proved: 'MD5' | 'SHA-256' | null): readonly DigestAlgorithm[] {
    const key = `${sourceNetwork(address)}|${username}`;
    if (proved !== null) {
      this.#unanswered.delete(key);
      return proved === 'MD5' ? MD5_ONLY : OFFERED_ALGORITHMS;
    }
    const nowMs = this.#clock.monotonicMs();
    const askedMs = this.#unanswered.get(key);
    const isUnanswered = askedMs !== undefined && nowMs - askedMs < REMEMBER_MS && nowMs - askedMs > ANSWERED_BY_MS;
    if (isUnanswered) return MD5_ONLY;
    this.#unanswered.set(key, askedMs !== undefined && nowMs - askedMs < REMEMBER_MS ? askedMs : nowMs);
    for (const oldest of this.#unanswered.keys()) {
      if (this.#unanswered.size <= MAX_REMEMBERED) break;
      this.#unanswered.delete(oldest);
    }
    return OFFERED_ALGORITHMS;
  }
}

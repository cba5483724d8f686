// Locks out password guessers for a while: a name from one network after too many failures, and a network that tries
// many names. Only answers to challenges sent to that network count, so forged packets lock nobody out.
import { sourceNetwork } from '../../../db/shared/source-network.ts';
import type { Clock } from '../../clock.ts';

interface Failures {
  count: number;
  /** Then the count starts again. */
  untilMs: number;
}

// A phone with an old password tries once a minute: it locks out itself, but not the other phones of its office.
const FAILURES_PER_NAME = 10;
const FAILURES_PER_NETWORK = 50;
const WINDOW_MS = 15 * 60_000;
const MAX_REMEMBERED = 4_096;

export class Lockout {
  readonly #clock: Clock;
  /** By network, and by network and name. */
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isLocked(address: string, username: string): boolean {
    const network = sourceNetwork(address);
    return (
      this.#countOf(network) >= FAILURES_PER_NETWORK || this.#countOf(nameKey(network, username)) >= FAILURES_PER_NAME
    );
  }

  /** True if this failure starts the lockout. */
  fail(address: string, username: string): boolean {
    const network = sourceNetwork(address);
    const ofNetwork = this.#add(network);
    const ofName = this.#add(nameKey(network, username));
    return ofNetwork === FAILURES_PER_NETWORK || ofName === FAILURES_PER_NAME;
  }

  /** The password was right. */
  succeed(address: string, username: string): void {
    this.#failures.delete(nameKey(sourceNetwork(address), username));
  }

  #countOf(key: string): number {
    const known = this.#failures.get(key);
    return known === undefined || known.untilMs <= this.#clock.monotonicMs() ? 0 : known.count;
  }

  #add(key: string): number {
    const count = this.#countOf(key) + 1;
    // Re-inserted, so that the newest come last and the oldest are dropped first.
    this.#failures.delete(key);
    this.#failures.set(key, { count, untilMs: this.#clock.monotonicMs() + WINDOW_MS });
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= MAX_REMEMBERED) break;
      this.#failures.delete(oldest);
    }
    return count;
  }
}

const nameKey = (network: string, username: string): string => `${network}|${username}`;

// The calls-per-second pace of each outbound trunk, by the rule in db/domain/pace.ts.
import { freshPace, type Pace, readyAt, takeToken } from '../../db/domain/pace.ts';
import type { Clock } from '../clock.ts';

/**
 * The paces of all trunks, shared by campaigns and single calls. Kept on the monotonic clock and converted to the wall
 * clock for the planner: a step of the wall clock neither delays a call nor lets a burst through.
 */
export class TrunkPaces {
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** By the monotonic clock. */
  readonly #paces = new Map<string, Pace>();

  constructor(clock: Pick<Clock, 'nowMs' | 'monotonicMs'>) {
    this.#clock = clock;
  }

  of(trunkId: string): Pace {
    const pace = this.#paces.get(trunkId);
    if (pace === undefined) return freshPace;
    return { fullAtMs: pace.fullAtMs - this.#clock.monotonicMs() + this.#clock.nowMs() };
  }

  /** Takes a token for a call that was planned at that time, by the monotonic clock. */
  take(trunkId: string, callsPerSecond: number, atMs = this.#clock.monotonicMs()): void {
    const pace = this.#paces.get(trunkId) ?? freshPace;
    this.#paces.set(trunkId, takeToken(pace, callsPerSecond, atMs));
  }

  /** Takes the next token, in the future if necessary. Returns the wait until then, ms. */
  reserve(trunkId: string, callsPerSecond: number): number {
    const nowMs = this.#clock.monotonicMs();
    const pace = this.#paces.get(trunkId) ?? freshPace;
    this.#paces.set(trunkId, takeToken(pace, callsPerSecond, nowMs));
    return Math.max(0, readyAt(pace, callsPerSecond) - nowMs);
  }

  /** Drops all other trunks. */
  keep(trunkIds: readonly string[]): void {
    for (const id of this.#paces.keys()) if (!trunkIds.includes(id)) this.#paces.delete(id);
  }
}

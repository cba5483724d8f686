// Calls per second of a trunk, as a token bucket (the generic cell rate algorithm, ITU-T I.371: its whole state is one
// number). The bucket holds a twentieth of a second, so that calls leave evenly and not in bursts.

import type { Clock } from '../clock.ts';

const BURST_SECONDS = 0.05;

export interface Pace {
  /** When the bucket would be full again, in ms of the caller's clock. */
  fullAtMs: number;
}

export const freshPace: Pace = { fullAtMs: 0 };

const spacingMs = (callsPerSecond: number): number => 1000 / callsPerSecond;

const toleranceMs = (callsPerSecond: number): number =>
  (Math.max(1, Math.floor(callsPerSecond * BURST_SECONDS)) - 1) * spacingMs(callsPerSecond);

export function readyAt(pace: Pace, callsPerSecond: number): number {
  return pace.fullAtMs - toleranceMs(callsPerSecond);
}

export function takeToken(pace: Pace, callsPerSecond: number, atMs: number): Pace {
  return { fullAtMs: Math.max(pace.fullAtMs, atMs) + spacingMs(callsPerSecond) };
}

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

  /** A call leaves now. */
  take(trunkId: string, callsPerSecond: number): void {
    const pace = this.#paces.get(trunkId) ?? freshPace;
    this.#paces.set(trunkId, takeToken(pace, callsPerSecond, this.#clock.monotonicMs()));
  }

  /** Takes the next token, in the future if need be. Returns the wait for it, ms. */
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

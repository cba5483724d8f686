// Calls per second of a trunk, as a token bucket (in the form of the generic cell rate algorithm, ITU-T I.371: one number is
// its whole state). The bucket holds a twentieth of a second, so that calls leave evenly and not in bursts.

const BURST_SECONDS = 0.05;

export interface Pace {
  /** When the bucket would be full again, wall-clock ms. */
  fullAtMs: number;
}

export const freshPace: Pace = { fullAtMs: 0 };

const spacingMs = (callsPerSecond: number): number => 1000 / callsPerSecond;

const toleranceMs = (callsPerSecond: number): number =>
  (Math.max(1, Math.floor(callsPerSecond * BURST_SECONDS)) - 1) * spacingMs(callsPerSecond);

/** When the next call may leave. */
export function readyAt(pace: Pace, callsPerSecond: number): number {
  return pace.fullAtMs - toleranceMs(callsPerSecond);
}

/** Takes a token for a call that leaves at `atMs`. */
export function takeToken(pace: Pace, callsPerSecond: number, atMs: number): Pace {
  return { fullAtMs: Math.max(pace.fullAtMs, atMs) + spacingMs(callsPerSecond) };
}

/** The paces of all trunks: campaigns and single calls share them. */
export class TrunkPaces {
  readonly #paces = new Map<string, Pace>();

  of(trunkId: string): Pace {
    return this.#paces.get(trunkId) ?? freshPace;
  }

  /** A call leaves now. */
  take(trunkId: string, callsPerSecond: number, nowMs: number): void {
    this.#paces.set(trunkId, takeToken(this.of(trunkId), callsPerSecond, nowMs));
  }

  /** Takes the next token, in time to come if need be: how long a single call waits for it. */
  reserve(trunkId: string, callsPerSecond: number, nowMs: number): number {
    const pace = this.of(trunkId);
    const waitMs = Math.max(0, readyAt(pace, callsPerSecond) - nowMs);
    this.#paces.set(trunkId, takeToken(pace, callsPerSecond, nowMs));
    return waitMs;
  }

  /** Forgets trunks that are no more. */
  keep(trunkIds: readonly string[]): void {
    for (const id of this.#paces.keys()) if (!trunkIds.includes(id)) this.#paces.delete(id);
  }
}

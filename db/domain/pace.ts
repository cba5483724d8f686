// Calls per second of a trunk, as a token bucket (the generic cell rate algorithm, ITU-T I.371: its whole state is one
// number). The bucket holds a twentieth of a second, so that calls leave evenly and not in bursts.

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

/** Wait of a call behind `queued` others in the queue, ms. */
export const queueWaitMs = (queued: number, callsPerSecond: number): number =>
  Math.max(0, queued * spacingMs(callsPerSecond) - toleranceMs(callsPerSecond));

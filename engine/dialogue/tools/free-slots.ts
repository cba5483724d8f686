// Free appointment times: open intervals minus bookings.
import type { Interval } from '../../../db/domain/hours/opening-times.ts';

/** Start times of free slots of `durationMs` within the open intervals, on a grid of `stepMs`, at most `limit`. */
export function freeSlots(
  open: readonly Interval[],
  busy: readonly Interval[],
  {
    fromMs,
    toMs,
    durationMs,
    stepMs,
    limit,
  }: { fromMs: number; toMs: number; durationMs: number; stepMs: number; limit: number },
): number[] {
  const slots: number[] = [];
  for (const interval of open) {
    let startMs = interval.startMs;
    if (startMs < fromMs) startMs += Math.ceil((fromMs - startMs) / stepMs) * stepMs;
    for (; startMs + durationMs <= interval.endMs && startMs < toMs; startMs += stepMs) {
      if (slots.length >= limit) return slots;
      const endMs = startMs + durationMs;
      if (!busy.some((other) => other.startMs < endMs && other.endMs > startMs)) slots.push(startMs);
    }
  }
  return slots;
}

// Free appointment times: open intervals minus bookings. A calendar may have thousands of busy times, and this runs
// between two packets of all calls: it goes over both once.
import type { Interval } from '../hours/opening-times.ts';

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
  const taken = busy.toSorted((a, b) => a.startMs - b.startMs);
  const slots: number[] = [];
  let next = 0;
  /** The latest end of all that began before the slot does; of the others the first decides. */
  let takenUntilMs = Number.NEGATIVE_INFINITY;
  for (const interval of open) {
    let startMs = interval.startMs;
    if (startMs < fromMs) startMs += Math.ceil((fromMs - startMs) / stepMs) * stepMs;
    for (; startMs + durationMs <= interval.endMs && startMs < toMs; startMs += stepMs) {
      if (slots.length >= limit) return slots;
      for (let each = taken[next]; each !== undefined && each.startMs <= startMs; each = taken[++next])
        takenUntilMs = Math.max(takenUntilMs, each.endMs);
      const following = taken[next];
      const isFree = takenUntilMs <= startMs && (following === undefined || following.startMs >= startMs + durationMs);
      if (isFree) slots.push(startMs);
    }
  }
  return slots;
}

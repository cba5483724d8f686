// Times in order, those that meet or overlap as one.
import type { Interval } from '../../../db/domain/hours/opening-times.ts';

export function joined(times: readonly Interval[]): Interval[] {
  const all: Interval[] = [];
  for (const { startMs, endMs } of times.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = all.at(-1);
    if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else all.push({ startMs, endMs });
  }
  return all;
}

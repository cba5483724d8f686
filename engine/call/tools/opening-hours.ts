// When a business is open, as intervals of absolute time. Hours are wall-clock times of the business's own zone; a close
// that is smaller than the open runs past midnight.
import { DateTime } from 'luxon';

export interface DayHours {
  day: string;
  open: string;
  close: string;
}

export interface Interval {
  startMs: number;
  endMs: number;
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const DAY_MS = 86_400_000;
/** A wish that spans more days than this is cut: nobody listens to two months of free slots. */
const DAYS_MAX = 62;

/** The open intervals that touch [fromMs, toMs), in order. An empty `hours` means that the business names none: no interval. */
export function openIntervals(hours: readonly DayHours[], timezone: string, fromMs: number, toMs: number): Interval[] {
  const intervals: Interval[] = [];
  const last = Math.min(toMs, fromMs + DAYS_MAX * DAY_MS);
  // The day before may run past midnight into the range.
  let day = DateTime.fromMillis(fromMs, { zone: timezone }).startOf('day').minus({ days: 1 });
  for (; day.toMillis() < last; day = day.plus({ days: 1 })) {
    const entry = hours.find((candidate) => candidate.day === WEEKDAYS[day.weekday - 1]);
    if (!entry) continue;
    const open = atTime(day, entry.open);
    const close = entry.close > entry.open ? atTime(day, entry.close) : atTime(day.plus({ days: 1 }), entry.close);
    if (close.toMillis() > fromMs && open.toMillis() < last) {
      intervals.push({ startMs: open.toMillis(), endMs: close.toMillis() });
    }
  }
  return intervals;
}

function atTime(day: DateTime, time: string): DateTime {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return day.set({ hour, minute });
}

/** The start times of free slots of `durationMs` within the open intervals, on a grid of `stepMs`, at most `limit`. */
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

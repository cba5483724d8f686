// When a notice is due: at once, but not in quiet hours; at the next full hour; or at a time of day of the business.
import { DateTime } from 'luxon';
import { HOUR_MS } from '../hours/durations.ts';
import type { NoticeRule } from './rules.ts';

/** Ms since the epoch. */
export function noticeDueAt({ when, at, quiet }: NoticeRule, zone: string, nowMs: number): number {
  if (when === 'hourly') return (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  if (when === 'daily') return nextAt(at, zone, nowMs);
  if (quiet === null || quiet.from === quiet.to) return nowMs;
  const clock = DateTime.fromMillis(nowMs, { zone }).toFormat('HH:mm');
  const isOverMidnight = quiet.from > quiet.to;
  const isQuiet = isOverMidnight ? clock >= quiet.from || clock < quiet.to : clock >= quiet.from && clock < quiet.to;
  return isQuiet ? nextAt(quiet.to, zone, nowMs) : nowMs;
}

/** The next time after now at which the clocks of the zone show it. */
function nextAt(clock: string, zone: string, nowMs: number): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  const now = DateTime.fromMillis(nowMs, { zone });
  const today = now.set({ hour, minute, second: 0, millisecond: 0 });
  return (today > now ? today : today.plus({ days: 1 })).toMillis();
}

/** Singly sent notices of an hour to one recipient; more become a digest. */
const SINGLE_MAX = 10;

/**
 * When the notices that are due may go to a recipient who was sent `recent` notices within the last hour, at last at
 * `lastAtMs`. A flood is one message an hour: the notices of a digest count as well, so that it goes on after one.
 */
export const noticesMayGoAt = (recent: number, lastAtMs: number | null, nowMs: number): number =>
  recent < SINGLE_MAX || lastAtMs === null ? nowMs : lastAtMs + HOUR_MS;

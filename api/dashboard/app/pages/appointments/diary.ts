// The days of the diary: which are shown, what stands in each, and where. Days and times are by the clocks of one zone.
import { minuteOfDay } from '../../../../../db/domain/hours/clock-time.ts';
import { DAY_MS, MINUTE_MS } from '../../../../../db/domain/hours/durations.ts';
import type { Appointment } from '../../api-types.ts';
import { instantOf, wallTime } from '../../zones.ts';

const DAY_MINUTES_SHOWN = 24 * 60;
/** Free times lie so far apart. */
const STEP_MS = 15 * MINUTE_MS;
/** The hours of a day in which nothing stands. */
const USUAL = { from: 8, to: 18 };

/** Minutes of the day. */
interface Span {
  from: number;
  to: number;
}

/** Overlapping ones stand side by side. */
interface Placed extends Span {
  appointment: Appointment;
  lane: number;
  lanes: number;
}

/** Times without a gap at which an appointment can begin, to the end of the last. */
export interface FreeSpan extends Span {
  startsAt: string;
  endsAt: string;
}

export interface DiaryDay {
  /** `2026-12-01` */
  day: string;
  placed: Placed[];
  free: FreeSpan[];
}

export const dayIn = (iso: string, zone: string): string => wallTime(iso, zone).slice(0, 10);

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** A day that an address names; null: it is none. */
export const knownDay = (text: string | null): string | null =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;

export const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => dayAfter(first, index));

/** The first and the last instant of some days. */
export function boundsOf(first: string, count: number, zone: string): { from: string; to: string } {
  const next = Date.parse(instantOf(`${dayAfter(first, count)}T00:00`, zone));
  return { from: instantOf(`${first}T00:00`, zone), to: new Date(next - 1).toISOString() };
}

interface Times {
  durationMinutes: number;
  times: readonly string[];
}

export function diaryOf(
  days: readonly string[],
  appointments: readonly Appointment[],
  free: Times | null,
  zone: string,
): DiaryDay[] {
  const placed = Map.groupBy(appointments, ({ startsAt }) => dayIn(startsAt, zone));
  const spans = Map.groupBy(free === null ? [] : freeSpans(free, zone), ({ startsAt }) => dayIn(startsAt, zone));
  return days.map((day) => ({ day, placed: lanesOf(placed.get(day) ?? [], zone), free: spans.get(day) ?? [] }));
}

/** One that runs past midnight ends with the day here. */
function spanOf(startsAt: string, endsAt: string, zone: string): Span {
  const from = minuteOfDay(wallTime(startsAt, zone).slice(11));
  const minutes = (Date.parse(endsAt) - Date.parse(startsAt)) / MINUTE_MS;
  return { from, to: Math.min(from + minutes, DAY_MINUTES_SHOWN) };
}

function lanesOf(appointments: readonly Appointment[], zone: string): Placed[] {
  const ordered = appointments.toSorted((a, b) => a.startsAt.localeCompare(b.startsAt) || a.id.localeCompare(b.id));
  const placed: Placed[] = [];
  /** Overlapping one another, from one to the next. */
  let together: Placed[] = [];
  for (const appointment of ordered) {
    const span = spanOf(appointment.startsAt, appointment.endsAt, zone);
    if (together.every(({ to }) => to <= span.from)) together = [];
    const busy = new Set(together.filter(({ to }) => to > span.from).map(({ lane }) => lane));
    let lane = 0;
    while (busy.has(lane)) lane++;
    const one = { appointment, ...span, lane, lanes: 1 };
    together.push(one);
    placed.push(one);
    const lanes = Math.max(...together.map((each) => each.lane + 1));
    for (const each of together) each.lanes = lanes;
  }
  return placed;
}

function freeSpans({ times, durationMinutes }: Times, zone: string): FreeSpan[] {
  const spans: FreeSpan[] = [];
  let lastMs = Number.NaN;
  for (const startsAt of times) {
    const startMs = Date.parse(startsAt);
    const endsAt = new Date(startMs + durationMinutes * MINUTE_MS).toISOString();
    const before = spans.at(-1);
    const isNext = startMs - lastMs === STEP_MS && before !== undefined;
    if (isNext && dayIn(before.startsAt, zone) === dayIn(startsAt, zone)) {
      before.endsAt = endsAt;
      before.to = spanOf(before.startsAt, endsAt, zone).to;
    } else spans.push({ startsAt, endsAt, ...spanOf(startsAt, endsAt, zone) });
    lastMs = startMs;
  }
  return spans;
}

/** The whole hours that all of it fits into. */
export function hoursOf(days: readonly DiaryDay[]): { from: number; to: number } {
  const spans: Span[] = days.flatMap(({ placed, free }) => [...placed, ...free]);
  return {
    from: Math.min(USUAL.from, ...spans.map(({ from }) => Math.floor(from / 60))),
    to: Math.max(USUAL.to, ...spans.map(({ to }) => Math.ceil(to / 60))),
  };
}

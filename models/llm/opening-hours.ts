// Opening hours as a caller hears them, in the business's own time zone. `close` smaller than `open` runs past midnight.
import type { DateTime } from 'luxon';
import type { DialogueBusiness } from './llm.ts';

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Minutes since midnight; `close` may pass 1,440. */
export interface Interval {
  open: number;
  close: number;
}

const DAY_MINUTES = 1_440;

export function isWeekday(word: string): word is Weekday {
  return (WEEKDAYS as readonly string[]).includes(word);
}

export function weekdayOf(at: DateTime): Weekday {
  return WEEKDAYS[at.weekday - 1] ?? 'monday';
}

/** What the business wrote for a day, in order; entries that are no times are left out. */
export function intervalsOn(hours: DialogueBusiness['hours'], day: Weekday): Interval[] {
  return hours
    .filter((entry) => entry.day.toLowerCase() === day)
    .flatMap((entry) => {
      const open = minutesOf(entry.open);
      const close = minutesOf(entry.close);
      if (open === null || close === null) return [];
      return [{ open, close: close <= open ? close + DAY_MINUTES : close }];
    })
    .sort((a, b) => a.open - b.open);
}

/** Whether it is open at a local time, a night that began the day before included. */
export function isOpenAt(hours: DialogueBusiness['hours'], at: DateTime): boolean {
  const minute = at.hour * 60 + at.minute;
  const inside = ({ open, close }: Interval, m: number) => m >= open && m < close;
  return (
    intervalsOn(hours, weekdayOf(at)).some((interval) => inside(interval, minute)) ||
    intervalsOn(hours, weekdayOf(at.minus({ days: 1 }))).some((interval) => inside(interval, minute + DAY_MINUTES))
  );
}

/** The next opening within a week after `at`, null where there is none. */
export function nextOpening(hours: DialogueBusiness['hours'], at: DateTime): DateTime | null {
  for (let days = 0; days <= 7; days++) {
    const day = at.plus({ days }).startOf('day');
    for (const { open } of intervalsOn(hours, weekdayOf(day))) {
      const opening = day.set({ hour: Math.floor(open / 60), minute: open % 60 });
      if (opening > at) return opening;
    }
  }
  return null;
}

/** "9 a.m.", "5:30 p.m.", "noon", "midnight". */
export function clockText(minutes: number): string {
  const inDay = minutes % DAY_MINUTES;
  if (inDay === 0) return 'midnight';
  if (inDay === 720) return 'noon';
  const hour = Math.floor(inDay / 60);
  const minute = inDay % 60;
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  return `${twelve}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`} ${hour < 12 ? 'a.m.' : 'p.m.'}`;
}

/** "from 9 a.m. to noon and from 1 p.m. to 5 p.m.", null when closed. */
export function intervalsText(intervals: readonly Interval[]): string | null {
  if (intervals.length === 0) return null;
  const isAllDay = intervals.length === 1 && intervals.every(({ open, close }) => close - open >= DAY_MINUTES - 1);
  if (isAllDay) return 'around the clock';
  return listText(intervals.map(({ open, close }) => `from ${clockText(open)} to ${clockText(close)}`));
}

/** The week in one or two sentences, days with equal hours joined; null when nothing is written down. */
export function weekText(hours: DialogueBusiness['hours']): string | null {
  const groups: Array<{ from: Weekday; to: Weekday; text: string }> = [];
  const closed: Weekday[] = [];
  for (const day of WEEKDAYS) {
    const text = intervalsText(intervalsOn(hours, day));
    if (text === null) {
      closed.push(day);
      continue;
    }
    const last = groups.at(-1);
    const isNextDay = last !== undefined && WEEKDAYS.indexOf(last.to) === WEEKDAYS.indexOf(day) - 1;
    if (last && isNextDay && last.text === text) last.to = day;
    else groups.push({ from: day, to: day, text });
  }
  if (groups.length === 0) return null;
  if (groups.length === 1 && closed.length === 0) return `We are open every day ${groups[0]?.text}.`;
  const open = groups.map(({ from, to, text }) => `${daysText(from, to)} ${text}`);
  const shut = closed.length > 0 && closed.length < 4 ? ` We are closed on ${listText(closed.map(capital))}.` : '';
  return `We are open ${listText(open)}.${shut}`;
}

export function listText(items: readonly string[], conjunction = 'and'): string {
  if (items.length <= 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function daysText(from: Weekday, to: Weekday): string {
  if (from === to) return `on ${capital(from)}`;
  const joint = WEEKDAYS.indexOf(to) - WEEKDAYS.indexOf(from) === 1 ? 'and' : 'to';
  return joint === 'and' ? `on ${capital(from)} and ${capital(to)}` : `${capital(from)} to ${capital(to)}`;
}

function minutesOf(time: string): number | null {
  const match = /^(\d{1,2}):(\d{2})$/.exec(time.trim());
  if (!match) return null;
  const minutes = Number(match[1]) * 60 + Number(match[2]);
  return minutes <= DAY_MINUTES ? minutes : null;
}

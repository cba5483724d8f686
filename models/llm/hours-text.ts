// Opening hours as spoken English.

import { DAY_MINUTES } from '../../db/domain/hours/clock-time.ts';
import { type DaySpan, isAllDay, joinedDays, type OpeningHours, spansOn } from '../../db/domain/hours/opening-hours.ts';
import { indexOfDay, WEEKDAYS, type Weekday } from '../../db/domain/hours/weekdays.ts';

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
export function spansText(spans: readonly DaySpan[]): string | null {
  if (spans.length === 0) return null;
  if (spans.length === 1 && spans.every(isAllDay)) return 'around the clock';
  return listText(spans.map(({ open, close }) => `from ${clockText(open)} to ${clockText(close)}`));
}

/** The week in one or two sentences, with days of equal hours joined; null when there are no hours. */
export function weekText(hours: readonly OpeningHours[]): string | null {
  const groups = joinedDays((day) => spansText(spansOn(hours, day)));
  const closed = WEEKDAYS.filter((day) => spansOn(hours, day).length === 0);
  if (groups.length === 0) return null;
  if (groups.length === 1 && closed.length === 0) return `We are open every day ${groups[0]?.text}.`;
  const open = groups.map(({ from, to, text }) => `${daysText(from, to)} ${text}`);
  const shut = closed.length > 0 && closed.length < 4 ? ` We are closed on ${listText(closed.map(capital))}.` : '';
  return `We are open ${listText(open)}.${shut}`;
}

/** "a", "a and b", "a, b and c"; empty for no items. */
export function listText(items: readonly string[], conjunction = 'and'): string {
  if (items.length <= 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function daysText(from: Weekday, to: Weekday): string {
  if (from === to) return `on ${capital(from)}`;
  const joint = indexOfDay(to) - indexOfDay(from) === 1 ? 'and' : 'to';
  return joint === 'and' ? `on ${capital(from)} and ${capital(to)}` : `${capital(from)} to ${capital(to)}`;
}

// Opening hours in the editor; db/domain/hours/opening-hours.ts defines their meaning.
import { clockOf, DAY_MINUTES, minuteOfDay } from '../../../../../db/domain/hours/clock-time.ts';
import {
  isEmptySpan,
  isOvernight,
  joinedDays,
  overlap,
  sortedHours,
  type WeekdayHours,
} from '../../../../../db/domain/hours/opening-hours.ts';
import type { Weekday } from '../../../../../db/domain/hours/weekdays.ts';
import { dayNames } from '../../weekdays.ts';
import { t } from '../../words/words.ts';

const shortName = (day: Weekday): string => dayNames('short')[day];

/** The fault of each span, in words; null if there is none. */
export function spanFaults(spans: readonly WeekdayHours[]): Array<string | null> {
  return spans.map((span, index) => {
    if (span.open === '' || span.close === '') return t('Both times are needed');
    if (isEmptySpan(span)) return t('Closing must differ from opening');
    const earlier = spans
      .slice(0, index)
      .find((other) => other.open !== '' && other.close !== '' && overlap(other, span));
    return earlier === undefined
      ? null
      : t('Overlaps {span}', { span: `${shortName(earlier.day)} ${spanText(earlier)}` });
  });
}

const spanText = ({ open, close }: Pick<WeekdayHours, 'open' | 'close'>): string => `${open}–${close}`;

/** Copies the spans of one day to other days and replaces theirs. */
export function copyDay(spans: readonly WeekdayHours[], from: Weekday, to: readonly Weekday[]): WeekdayHours[] {
  const copied = spans.filter(({ day }) => day === from);
  const targets = to.filter((day) => day !== from);
  return sortedHours([
    ...spans.filter(({ day }) => !targets.includes(day)),
    ...targets.flatMap((day) => copied.map((span) => ({ ...span, day }))),
  ]);
}

/** The initial value of a new span: after the day's last one, else usual hours of a shop. */
export function nextSpan(spans: readonly WeekdayHours[], day: Weekday): WeekdayHours {
  const last = sortedHours(spans.filter((span) => span.day === day)).at(-1);
  if (last === undefined) return { day, open: '09:00', close: '17:00' };
  const free = DAY_MINUTES - 1 - minuteOfDay(last.close);
  if (isOvernight(last) || free < 60) return { day, open: '', close: '' };
  const open = minuteOfDay(last.close) + 60;
  return { day, open: clockOf(open), close: clockOf(Math.min(open + 240, DAY_MINUTES - 1)) };
}

/** "Mon–Fri 09:00–17:00, Sat 10:00–14:00": days with the same hours are joined. */
export function hoursText(spans: readonly WeekdayHours[]): string {
  const textOf = (day: Weekday): string =>
    sortedHours(spans.filter((span) => span.day === day))
      .map(spanText)
      .join(` ${t('and')} `);
  return joinedDays(textOf)
    .map(({ from, to, text }) => {
      const days = from === to ? shortName(from) : `${shortName(from)}–${shortName(to)}`;
      return `${days} ${text}`;
    })
    .join(', ');
}

// Opening hours on the clock of a week, as the service judges them: a day may have several spans, one may run past
// midnight, and no moment belongs to two.
import { DAY_NAMES_SHORT, WEEKDAYS, type Weekday } from '../../weekdays.ts';

export interface Span {
  day: Weekday;
  open: string;
  close: string;
}

const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;

const minuteOfDay = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

export const isOvernight = ({ open, close }: Span): boolean => minuteOfDay(close) < minuteOfDay(open);

/** Minutes of the week; the end may lie past it, on Monday again. */
function minutesOf(span: Span): { start: number; end: number } {
  const start = WEEKDAYS.indexOf(span.day) * DAY_MINUTES + minuteOfDay(span.open);
  const length = minuteOfDay(span.close) - minuteOfDay(span.open);
  return { start, end: start + (length < 0 ? length + DAY_MINUTES : length) };
}

function doOverlap(one: Span, other: Span): boolean {
  const a = minutesOf(one);
  const b = minutesOf(other);
  return [-WEEK_MINUTES, 0, WEEK_MINUTES].some((shift) => a.start < b.end + shift && b.start + shift < a.end);
}

/** What is wrong with each span, in words; null where nothing is. */
export function spanFaults(spans: readonly Span[]): Array<string | null> {
  return spans.map((span, index) => {
    if (span.open === '' || span.close === '') return 'Both times are needed';
    if (span.open === span.close) return 'Closing must differ from opening';
    const earlier = spans
      .slice(0, index)
      .find((other) => other.open !== '' && other.close !== '' && doOverlap(other, span));
    return earlier === undefined ? null : `Overlaps ${DAY_NAMES_SHORT[earlier.day]} ${spanText(earlier)}`;
  });
}

export const spanText = ({ open, close }: Pick<Span, 'open' | 'close'>): string => `${open}–${close}`;

/** In the order of the week and of the day. */
export const sortedSpans = (spans: readonly Span[]): Span[] =>
  [...spans].sort(
    (a, b) => WEEKDAYS.indexOf(a.day) - WEEKDAYS.indexOf(b.day) || minuteOfDay(a.open) - minuteOfDay(b.open),
  );

/** The spans of one day in place of those of others. */
export function copyDay(spans: readonly Span[], from: Weekday, to: readonly Weekday[]): Span[] {
  const copied = spans.filter(({ day }) => day === from);
  const targets = to.filter((day) => day !== from);
  return sortedSpans([
    ...spans.filter(({ day }) => !targets.includes(day)),
    ...targets.flatMap((day) => copied.map((span) => ({ ...span, day }))),
  ]);
}

/** What a further span of a day begins with: after the last one, else as most shops have it. */
export function nextSpan(spans: readonly Span[], day: Weekday): Span {
  const last = sortedSpans(spans.filter((span) => span.day === day)).at(-1);
  if (last === undefined) return { day, open: '09:00', close: '17:00' };
  const free = DAY_MINUTES - 1 - minuteOfDay(last.close);
  if (isOvernight(last) || free < 60) return { day, open: '', close: '' };
  const open = minuteOfDay(last.close) + 60;
  return { day, open: clockOf(open), close: clockOf(Math.min(open + 240, DAY_MINUTES - 1)) };
}

const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** "Mon–Fri 09:00–17:00, Sat 10:00–14:00": days of the same hours together. */
export function hoursText(spans: readonly Span[]): string {
  const groups: Array<{ first: Weekday; last: Weekday; text: string }> = [];
  for (const day of WEEKDAYS) {
    const text = sortedSpans(spans.filter((span) => span.day === day))
      .map(spanText)
      .join(' and ');
    if (text === '') continue;
    const before = groups.at(-1);
    const follows = before !== undefined && WEEKDAYS.indexOf(day) === WEEKDAYS.indexOf(before.last) + 1;
    if (follows && before.text === text) before.last = day;
    else groups.push({ first: day, last: day, text });
  }
  return groups
    .map(({ first, last, text }) => {
      const days = first === last ? DAY_NAMES_SHORT[first] : `${DAY_NAMES_SHORT[first]}–${DAY_NAMES_SHORT[last]}`;
      return `${days} ${text}`;
    })
    .join(', ');
}

// Reads results of tools tolerantly: each system has names of its own for when something takes place.
import { DateTime, type Zone } from 'luxon';

/** How deep a time is searched for in an answer. */
const MAX_DEPTH = 4;
const MAX_FIELDS = 200;
/** When it begins. */
const BEGINS = /^(start|begin|when$|at$|time$|date|appointment|scheduled|booked|slot|new)/;
/** Times of other things: of the record, of what was before, of the end. */
const OTHER =
  /creat|updat|modif|end|expir|old|prev|cancel|before|origin|timestamp|now|issue|until|server|request|birth/;
/** A span this long at most is one appointment, and none that was moved. */
const SPAN_MAX_HOURS = 4;

export function fieldOf(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** A tool that says so, or names an error. */
export function hasFailed(result: unknown): boolean {
  return fieldOf(result, 'ok') === false || Boolean(fieldOf(result, 'error'));
}

/** The first of these fields that is a text; null: none is. */
export function textIn(value: unknown, names: readonly string[]): string | null {
  for (const name of names) {
    const text = fieldOf(value, name);
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return null;
}

/** The times of a list in the result, in order. */
export function slotsIn(result: unknown, name = 'slots'): string[] {
  const slots = fieldOf(result, name);
  if (!Array.isArray(slots)) return [];
  const starts = slots.filter((slot): slot is string => typeof slot === 'string' && DateTime.fromISO(slot).isValid);
  return starts.sort((a, b) => DateTime.fromISO(a).toMillis() - DateTime.fromISO(b).toMillis());
}

/**
 * When the thing takes place that the data is about, in `zone`; null: it does not say so, or names several times.
 * `isMove`: it took place at another time before.
 */
export function timeIn(data: unknown, zone: Zone, isMove: boolean): DateTime | null {
  const found: Array<{ name: string; at: DateTime }> = [];
  let left = MAX_FIELDS;
  const search = (value: unknown, name: string, depth: number): void => {
    if (depth > MAX_DEPTH || left-- <= 0) return;
    const at = timeOf(value, zone);
    if (at !== null) found.push({ name, at });
    if (value === null || typeof value !== 'object') return;
    for (const split of [splitTime(value, zone), spanTime(value, zone, isMove)])
      if (split !== null) found.push({ name: 'start', at: split });
    for (const [key, inner] of Object.entries(value)) {
      const plain = Array.isArray(value) ? name : key.toLowerCase().replace(/[_-]/g, '');
      if (plain !== 'from' && plain !== 'to' && !OTHER.test(plain)) search(inner, plain, depth + 1);
    }
  };
  search(data, '', 0);
  const [fresh, begins] = [/^new/, BEGINS].map((names) => found.filter(({ name }) => names.test(name)));
  const best = [fresh, begins, found].find((times) => times !== undefined && times.length > 0) ?? [];
  const [first] = best;
  return first && best.every(({ at }) => +at === +first.at) ? first.at : null;
}

/** A date with its time; one without an offset is the business's. */
function timeOf(value: unknown, zone: Zone): DateTime | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return null;
  const at = DateTime.fromISO(value.trim().replace(' ', 'T'), { zone });
  return at.isValid ? at : null;
}

/** Date and time in fields of their own. */
function splitTime(value: object, zone: Zone): DateTime | null {
  const date = textIn(value, ['date', 'day', 'newDate', 'new_date', 'startDate', 'start_date']);
  const time = textIn(value, ['time', 'newTime', 'new_time', 'startTime', 'start_time']);
  if (date === null || time === null || !/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d/.test(time)) return null;
  return timeOf(`${date}T${time}`, zone);
}

/** "From" and "to" are the ends of a span, or the times before and after a move. */
function spanTime(value: object, zone: Zone, isMove: boolean): DateTime | null {
  const from = timeOf(fieldOf(value, 'from'), zone);
  const to = timeOf(fieldOf(value, 'to'), zone);
  if (!isMove || to === null) return from;
  const isMoved = from === null || Math.abs(to.diff(from, 'hours').hours) > SPAN_MAX_HOURS;
  return isMoved ? to : null;
}

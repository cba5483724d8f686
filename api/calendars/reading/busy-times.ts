// Reads when somebody is busy out of iCalendar texts (RFC 5545): recurring events with their exceptions, days of the
// business's zone, clock changes, what is shown as free. Pure, and as fast as the text lets it be: strangers write it,
// so it runs on a thread with limits.
import ICAL from 'ical.js';
import { DateTime } from 'luxon';
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import type { Interval } from '../../../db/domain/hours/opening-times.ts';
import { joined } from './joined.ts';
import { knowZones } from './zones.ts';

export interface Wanted {
  /** Of the business: where whole days and times without a zone are. */
  timezone: string;
  fromMs: number;
  toMs: number;
}

/** An event that has an appointment's id as UID. */
interface OwnEvent extends Interval {
  appointmentId: string;
  /** Which of the texts it stands in. */
  index: number;
  isCancelled: boolean;
}

export interface BusyTimes {
  /** In order, without gaps of no length and without overlaps. */
  busy: Interval[];
  own: OwnEvent[];
}

/** More are no calendar of a business. */
const EVENTS_MAX = 20_000;
/** Of all recurring events together, those in the past included. */
const OCCURRENCES_MAX = 100_000;
export const BUSY_TIMES_MAX = 5_000;
/** Of a duration that is written in days, which a change of the clock makes longer or shorter. */
const MARGIN_MS = DAY_MS;
/** The UID of our own events: an appointment's id. */
export const OWN = /^apt_[0-9a-z]{26}$/;

/** Why a text is not read, for the owner. */
export class UnreadableCalendar extends Error {
  override name = 'UnreadableCalendar';
}

/** @throws {UnreadableCalendar} */
export function busyTimesIn(texts: readonly string[], wanted: Wanted): BusyTimes {
  const found = new Found(wanted);
  for (const [index, text] of texts.entries()) for (const calendar of calendarsIn(text)) found.add(calendar, index);
  const busy = joined(found.busy);
  if (busy.length > BUSY_TIMES_MAX)
    throw new UnreadableCalendar(`it has more than ${BUSY_TIMES_MAX} busy times in the coming year`);
  return { busy, own: found.own };
}

function calendarsIn(text: string): ICAL.Component[] {
  let parsed: unknown[];
  try {
    parsed = ICAL.parse(text.replace(/^\uFEFF/, '')) as unknown[];
  } catch {
    throw new UnreadableCalendar('what its address has is no calendar (iCalendar)');
  }
  const calendars = (typeof parsed[0] === 'string' ? [parsed] : parsed) as unknown[][];
  const components = calendars.map((each) => new ICAL.Component(each));
  if (components.length === 0 || components.some(({ name }) => name !== 'vcalendar'))
    throw new UnreadableCalendar('what its address has is no calendar (iCalendar)');
  for (const calendar of components) knowZones(calendar);
  return components;
}

class Found {
  readonly busy: Interval[] = [];
  readonly own: OwnEvent[] = [];
  readonly #wanted: Wanted;
  #events = 0;
  #occurrences = 0;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  add(calendar: ICAL.Component, index: number): void {
    const components = calendar.getAllSubcomponents('vevent');
    this.#events += components.length;
    if (this.#events > EVENTS_MAX) throw new UnreadableCalendar(`it has more than ${EVENTS_MAX} events`);
    const changed = new Map<string, ICAL.Event[]>();
    const masters: ICAL.Component[] = [];
    for (const component of components) {
      if (!component.hasProperty('dtstart')) continue;
      if (!component.hasProperty('recurrence-id')) masters.push(component);
      else {
        const exception = new ICAL.Event(component, { exceptions: [] });
        changed.set(exception.uid, [...(changed.get(exception.uid) ?? []), exception]);
      }
    }
    for (const component of masters) {
      const uid = String(component.getFirstPropertyValue('uid') ?? '');
      this.#event(new ICAL.Event(component, { exceptions: changed.get(uid) ?? [] }), index);
    }
    // Also without their series: Google exports an invitation to one of its events so.
    for (const exceptions of changed.values()) for (const each of exceptions) this.#once(each);
    for (const component of calendar.getAllSubcomponents('vfreebusy')) this.#freeBusy(component);
  }

  #event(event: ICAL.Event, index: number): void {
    if (OWN.test(event.uid)) this.#own(event, index);
    else if (event.isRecurring()) this.#recurring(event);
    else this.#once(event);
  }

  #own(event: ICAL.Event, index: number): void {
    const { startMs, endMs } = this.#interval(event.startDate, event.endDate);
    this.own.push({ appointmentId: event.uid, index, startMs, endMs, isCancelled: isCancelled(event) });
  }

  #once(event: ICAL.Event): void {
    if (isBusy(event)) this.#keep(this.#interval(event.startDate, event.endDate));
  }

  #recurring(event: ICAL.Event): void {
    const occurrences = event.iterator();
    // An exception may end later than its series says.
    const isAsWritten = Object.keys(event.exceptions).length === 0;
    const pastMs = isAsWritten ? this.#wanted.fromMs - event.duration.toSeconds() * 1_000 - MARGIN_MS : -Infinity;
    for (let at = occurrences.next(); at; at = occurrences.next()) {
      if (++this.#occurrences > OCCURRENCES_MAX)
        throw new UnreadableCalendar(`its recurring events have more than ${OCCURRENCES_MAX} dates`);
      const atMs = this.#ms(at);
      if (atMs > this.#wanted.toMs) return;
      // Most of a series may lie years back, and the details of a date take longer than the date.
      if (atMs < pastMs) continue;
      const { item, startDate, endDate } = event.getOccurrenceDetails(at);
      // One that was changed by itself is kept by itself: it may have been moved out of the series' time.
      const isChanged = item.isRecurrenceException() && this.#ms(item.recurrenceId) === atMs;
      if (!isChanged && isBusy(item)) this.#keep(this.#interval(startDate, endDate));
    }
  }

  /** As calendars are published that tell nothing else. */
  #freeBusy(component: ICAL.Component): void {
    for (const property of component.getAllProperties('freebusy')) {
      if (property.getFirstParameter('fbtype') === 'FREE') continue;
      for (const period of property.getValues() as ICAL.Period[])
        this.#keep(this.#interval(period.start, period.getEnd()));
    }
  }

  #keep({ startMs, endMs }: Interval): void {
    const { fromMs, toMs } = this.#wanted;
    if (startMs < endMs && startMs < toMs && endMs > fromMs) this.busy.push({ startMs, endMs });
  }

  #interval(start: ICAL.Time, end: ICAL.Time): Interval {
    const startMs = this.#ms(start);
    const endMs = this.#ms(end);
    // A day that ends on itself is a whole one; an event of no length takes no time.
    if (start.isDate && endMs <= startMs) return { startMs, endMs: this.#local(start).plus({ days: 1 }).toMillis() };
    return { startMs, endMs };
  }

  #ms(time: ICAL.Time): number {
    const isFloating = time.isDate || time.zone === ICAL.Timezone.localTimezone;
    return isFloating ? this.#local(time).toMillis() : time.toUnixTime() * 1_000;
  }

  #local({ year, month, day, hour, minute, second, isDate }: ICAL.Time): DateTime {
    const clock = isDate ? {} : { hour, minute, second };
    return DateTime.fromObject({ year, month, day, ...clock }, { zone: this.#wanted.timezone });
  }
}

const textOf = (event: ICAL.Event, name: string): string =>
  String(event.component.getFirstPropertyValue(name) ?? '').toUpperCase();

const isCancelled = (event: ICAL.Event): boolean => textOf(event, 'status') === 'CANCELLED';

function isBusy(event: ICAL.Event): boolean {
  if (isCancelled(event) || textOf(event, 'transp') === 'TRANSPARENT') return false;
  // Outlook's own word, which it writes beside TRANSP or in its place.
  return textOf(event, 'x-microsoft-cdo-busystatus') !== 'FREE';
}

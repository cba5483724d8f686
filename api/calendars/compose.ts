// Appointments as iCalendar (RFC 5545). Times are in UTC, which needs no VTIMEZONE; folding and escaping are the
// library's. An event has its appointment's id as UID, so that it is known again wherever it comes back from.
import ICAL from 'ical.js';
import type { AppointmentTable } from '../../db/schema/businesses.ts';

const PRODUCT = '-//Voice calling service//Appointments//EN';
/** How often a subscriber is asked to read a feed again. */
const REFRESH = 'PT15M';

export interface Shown {
  /** Names, numbers and notes; false: that the time is booked. */
  names: boolean;
  location: string | null;
  nowMs: number;
}

export type ShownAppointment = Omit<AppointmentTable, 'history' | 'eraseAfter'>;

/** One appointment as a calendar of its own, as CalDAV stores it. */
export function eventText(appointment: ShownAppointment, shown: Shown): string {
  const calendar = emptyCalendar();
  calendar.addSubcomponent(eventOf(appointment, shown));
  return calendar.toString();
}

/** Two milliseconds and more: between them the thread serves others. */
const EVENTS_A_TURN = 50;
const END = 'END:VCALENDAR';

/** All as one calendar, for those who subscribe to it. */
export async function feedText(appointments: readonly ShownAppointment[], name: string, shown: Shown): Promise<string> {
  const calendar = emptyCalendar();
  calendar.addPropertyWithValue('method', 'PUBLISH');
  calendar.addPropertyWithValue('x-wr-calname', name);
  calendar
    .addPropertyWithValue('refresh-interval', ICAL.Duration.fromString(REFRESH))
    .setParameter('value', 'DURATION');
  calendar.addPropertyWithValue('x-published-ttl', REFRESH);
  const events: string[] = [];
  for (const [index, appointment] of appointments.entries()) {
    if (index % EVENTS_A_TURN === EVENTS_A_TURN - 1) await new Promise((resolve) => setImmediate(resolve));
    events.push(`${eventOf(appointment, shown)}\r\n`);
  }
  const empty = calendar.toString();
  return `${empty.slice(0, empty.lastIndexOf(END))}${events.join('')}${END}`;
}

function emptyCalendar(): ICAL.Component {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', PRODUCT);
  return calendar;
}

/** Its title and text in any calendar. */
export function wordsOf(
  { service, name, phone, notes, resource }: ShownAppointment,
  names: boolean,
): { summary: string; description: string } {
  const summary = names ? [service ?? 'Appointment', name].filter(Boolean).join(': ') : 'Booked';
  const details = names ? [phone, notes] : [];
  return {
    summary: resource === null ? summary : `${summary} (${resource})`,
    description: details.filter(Boolean).join('\n'),
  };
}

function eventOf(appointment: ShownAppointment, { names, location, nowMs }: Shown): ICAL.Component {
  const { id } = appointment;
  const event = new ICAL.Component('vevent');
  const add = (property: string, value: unknown): void => {
    if (value !== null && value !== '') event.addPropertyWithValue(property, value);
  };
  const { summary, description } = wordsOf(appointment, names);
  add('uid', id);
  add('dtstamp', utc(nowMs));
  add('created', utc(appointment.createdAt));
  add('dtstart', utc(appointment.startsAt));
  add('dtend', utc(appointment.endsAt));
  add('sequence', appointment.sequence);
  add('summary', summary);
  add('description', description);
  add('location', names ? location : null);
  add('status', 'CONFIRMED');
  add('transp', 'OPAQUE');
  return event;
}

const utc = (ms: number): ICAL.Time => ICAL.Time.fromJSDate(new Date(ms), true);

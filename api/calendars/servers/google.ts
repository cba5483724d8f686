// A calendar of Google behind the port (Calendar API v3). Our events have ids of our own making, so that one that was
// written just before a process died is found again. Google expands recurring events, and is asked for no words of
// events: times, and whether they take time.
import { DateTime } from 'luxon';
import type { Interval } from '../../../db/domain/hours/opening-times.ts';
import { type AskAccount, found, listIn, textIn } from '../accounts/ask-account.ts';
import { type ShownAppointment, wordsOf } from '../compose.ts';
import { BUSY_TIMES_MAX, OWN, type Wanted } from '../reading/busy-times.ts';
import { joined } from '../reading/joined.ts';
import { CalendarFailed } from './calendar-failed.ts';
import type { CalendarServer, ServerRead, There } from './server.ts';

const API = 'https://www.googleapis.com/calendar/v3';
const PAGE = '2500';
const PAGES_MAX = 10;
const EVENT_FIELDS = 'id,etag,status,transparency,start,end,recurringEventId,attendees(self,responseStatus)';
const LIST_FIELDS = `nextPageToken,nextSyncToken,items(${EVENT_FIELDS})`;

interface GoogleTime {
  /** RFC 3339, with an offset where no `timeZone` stands beside it. */
  dateTime?: string;
  /** A whole day. */
  date?: string;
  timeZone?: string;
}

interface GoogleEvent {
  id?: string;
  etag?: string;
  status?: string;
  transparency?: string;
  start?: GoogleTime;
  end?: GoogleTime;
  /** Of a date of a recurring event: its series. */
  recurringEventId?: string;
  attendees?: Array<{ self?: boolean; responseStatus?: string }>;
}

/** The calendars of the account that stand in its list. @throws {CalendarFailed} */
export async function googleCalendars(ask: AskAccount) {
  const answer = await ask({ url: `${API}/users/me/calendarList`, query: { maxResults: '250' } });
  return listIn<object>(found('google', answer), 'items').map((each) => ({
    id: textIn(each, 'id'),
    name: textIn(each, 'summaryOverride') || textIn(each, 'summary') || textIn(each, 'id'),
    isWritable: ['owner', 'writer'].includes(textIn(each, 'accessRole')),
    /** The first one's id is the address of the account. */
    owner: (each as { primary?: unknown }).primary === true ? textIn(each, 'id') : null,
  }));
}

export function googleServer(ask: AskAccount, calendarId: string): CalendarServer {
  const events = `${API}/calendars/${encodeURIComponent(calendarId)}/events`;
  const eventUrl = (appointmentId: string): string => `${events}/${eventIdOf(appointmentId)}`;
  return {
    async read(wanted, tag) {
      if (tag !== null && (await isAsBefore(ask, events, tag))) return null;
      return readAll(ask, events, wanted);
    },
    async event(appointmentId, { timezone }) {
      const { status, json } = await ask({ url: eventUrl(appointmentId), query: { fields: EVENT_FIELDS } });
      if (status === 404 || status === 410) return null;
      const event = json as GoogleEvent | null;
      if (event?.status === 'cancelled') return null;
      return event === null ? undefined : (thereOf(event, timezone) ?? undefined);
    },
    async put(appointment, { names, location, etag }) {
      const body = bodyOf(appointment, names, location);
      const query = { fields: 'etag', sendUpdates: 'none' };
      const change = () => ask({ method: 'PATCH', url: eventUrl(appointment.id), query, json: body });
      const add = () => ask({ method: 'POST', url: events, query, json: { ...body, id: eventIdOf(appointment.id) } });
      // An id stays that of its event, also of one that was deleted: it comes back by a change.
      let answer = await (etag === null ? add() : change());
      if (etag === null && answer.status === 409) answer = await change();
      else if (etag !== null && (answer.status === 404 || answer.status === 410)) answer = await add();
      return textIn(found('google', answer), 'etag') || null;
    },
    async remove(appointmentId) {
      await ask({ method: 'DELETE', url: eventUrl(appointmentId), query: { sendUpdates: 'none' } });
      return null;
    },
  };
}

/** Whether nothing has changed since; a token that is too old (410) says that something may have. */
async function isAsBefore(ask: AskAccount, events: string, syncToken: string): Promise<boolean> {
  const query = { singleEvents: 'true', maxResults: PAGE, syncToken, fields: 'nextPageToken,items(id)' };
  const { status, json } = await ask({ url: events, query });
  return status === 200 && listIn(json, 'items').length === 0 && textIn(json, 'nextPageToken') === '';
}

async function readAll(ask: AskAccount, events: string, { timezone, fromMs, toMs }: Wanted): Promise<ServerRead> {
  const busy: Interval[] = [];
  const own = new Map<string, There>();
  const range = { timeMin: new Date(fromMs).toISOString(), timeMax: new Date(toMs).toISOString() };
  let pageToken = '';
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { singleEvents: 'true', maxAttendees: '1', maxResults: PAGE, ...range, fields: LIST_FIELDS };
    const answer = await ask({ url: events, query: pageToken === '' ? query : { ...query, pageToken } });
    const json = found('google', answer);
    for (const event of listIn<GoogleEvent>(json, 'items')) {
      const appointmentId = appointmentIdOf(event.id ?? '');
      // A date of a series that was made of ours: it is asked for by itself.
      if (appointmentIdOf(event.recurringEventId ?? '') !== null) continue;
      const there = thereOf(event, timezone);
      if (there === null) continue;
      if (appointmentId !== null) own.set(appointmentId, there);
      else if (isBusy(event) && there.startMs < there.endMs) busy.push({ startMs: there.startMs, endMs: there.endMs });
    }
    pageToken = textIn(json, 'nextPageToken');
    if (pageToken !== '') continue;
    const spans = joined(busy);
    if (spans.length > BUSY_TIMES_MAX) break;
    return { busy: spans, own, tag: textIn(json, 'nextSyncToken') || null };
  }
  throw new CalendarFailed(`it has more than ${BUSY_TIMES_MAX} busy times in the coming year`, true);
}

/** A time that is no time takes none. */
function thereOf(event: GoogleEvent, zone: string): NonNullable<There> | null {
  const [startMs, endMs] = [msOf(event.start, zone), msOf(event.end, zone)];
  if (!Number.isFinite(startMs) || !Number.isFinite(endMs)) return null;
  return { startMs, endMs, isCancelled: event.status === 'cancelled', etag: event.etag ?? null };
}

/** Whole days are those of the business's zone. */
function msOf({ date, dateTime, timeZone }: GoogleTime = {}, zone: string): number {
  if (date !== undefined) return DateTime.fromISO(date, { zone }).toMillis();
  return DateTime.fromISO(dateTime ?? '', { zone: timeZone ?? zone }).toMillis();
}

function isBusy({ status, transparency, attendees = [] }: GoogleEvent): boolean {
  if (status === 'cancelled' || transparency === 'transparent') return false;
  return !attendees.some(({ self, responseStatus }) => self === true && responseStatus === 'declined');
}

/** Digits and letters from a to v are an id there: base32hex (RFC 4648), of which hexadecimal is a part. */
const eventIdOf = (appointmentId: string): string => Buffer.from(appointmentId).toString('hex');

function appointmentIdOf(eventId: string): string | null {
  const text = /^[0-9a-f]{60}$/.test(eventId) ? Buffer.from(eventId, 'hex').toString() : '';
  return OWN.test(text) ? text : null;
}

function bodyOf(appointment: ShownAppointment, names: boolean, location: string | null) {
  const { startsAt, endsAt } = appointment;
  return {
    ...wordsOf(appointment, names),
    ...(names && location !== null ? { location } : {}),
    start: { dateTime: new Date(startsAt).toISOString() },
    end: { dateTime: new Date(endsAt).toISOString() },
    status: 'confirmed',
    transparency: 'opaque',
  };
}

// A calendar of Microsoft 365 or Outlook.com behind the port (Graph v1.0). Our events carry their appointment's id as a
// property of their own, by which they are found again; `transactionId` keeps a repeated request from adding one twice.
// Graph expands recurring events, and is asked for no words of events.
import { createHash, randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { Interval } from '../../../db/domain/hours/opening-times.ts';
import { type AskAccount, found, listIn, textIn } from '../accounts/ask-account.ts';
import { type ShownAppointment, wordsOf } from '../compose.ts';
import { BUSY_TIMES_MAX, OWN } from '../reading/busy-times.ts';
import { joined } from '../reading/joined.ts';
import { CalendarFailed } from './calendar-failed.ts';
import type { CalendarServer, There } from './server.ts';

const ORIGIN = 'https://graph.microsoft.com/';
const API = `${ORIGIN}v1.0/me`;
/** In the set of properties that is everybody's (PS_PUBLIC_STRINGS). */
const MARK = 'String {00020329-0000-0000-C000-000000000046} Name voice-appointment';
const SELECT = 'id,start,end,isAllDay,isCancelled,showAs,type,responseStatus';
const EXPAND = `singleValueExtendedProperties($filter=id eq '${MARK}')`;
/** Times in UTC, and ids that stay when an event is moved to another folder. */
const PREFER = { prefer: 'outlook.timezone="UTC", IdType="ImmutableId"' };
const PAGE = '500';
const PAGES_MAX = 40;

interface GraphTime {
  /** Without an offset: that of `timeZone`. */
  dateTime?: string;
  timeZone?: string;
}

interface GraphEvent {
  '@odata.etag'?: string;
  id?: string;
  start?: GraphTime;
  end?: GraphTime;
  isAllDay?: boolean;
  isCancelled?: boolean;
  showAs?: string;
  /** `singleInstance`, `occurrence`, `exception` or `seriesMaster`. */
  type?: string;
  responseStatus?: { response?: string };
  singleValueExtendedProperties?: Array<{ id?: string; value?: string }>;
}

/** The calendars of the account. @throws {CalendarFailed} */
export async function microsoftCalendars(ask: AskAccount) {
  const answer = await ask({ url: `${API}/calendars`, query: { $select: 'id,name,canEdit,owner', $top: '100' } });
  return listIn<object>(found('microsoft', answer), 'value').map((each) => ({
    id: textIn(each, 'id'),
    name: textIn(each, 'name') || 'Calendar',
    isWritable: (each as { canEdit?: unknown }).canEdit === true,
    owner: textIn((each as { owner?: unknown }).owner, 'address') || null,
  }));
}

export function microsoftServer(ask: AskAccount, calendarId: string): CalendarServer {
  const calendar = `${API}/calendars/${encodeURIComponent(calendarId)}`;
  const find = async (appointmentId: string): Promise<GraphEvent | null> => {
    const $filter = `singleValueExtendedProperties/any(ep: ep/id eq '${MARK}' and ep/value eq '${appointmentId}')`;
    const answer = await ask({
      url: `${calendar}/events`,
      query: { $filter, $select: SELECT, $top: '2' },
      headers: PREFER,
    });
    return listIn<GraphEvent>(found('microsoft', answer), 'value')[0] ?? null;
  };
  const eventUrl = ({ id = '' }: GraphEvent): string => `${API}/events/${encodeURIComponent(id)}`;
  return {
    async read({ timezone, fromMs, toMs }, tag) {
      const range = { startDateTime: new Date(fromMs).toISOString(), endDateTime: new Date(toMs).toISOString() };
      const busy: Interval[] = [];
      const own = new Map<string, There>();
      for await (const event of eventsOf(ask, `${calendar}/calendarView`, range)) {
        const there = thereOf(event, timezone);
        if (there === null) continue;
        const mark = markOf(event);
        // A second event with our mark is a copy; a date of a series that was made of ours is asked for by itself.
        if (mark !== null && event.type !== 'singleInstance') continue;
        if (mark !== null && !own.has(mark)) own.set(mark, there);
        else if (isBusy(event) && there.startMs < there.endMs)
          busy.push({ startMs: there.startMs, endMs: there.endMs });
      }
      const spans = joined(busy);
      if (spans.length > BUSY_TIMES_MAX) throw tooMany();
      const state = createHash('sha256')
        .update(JSON.stringify([spans, [...own]]))
        .digest('base64url');
      return state === tag ? null : { busy: spans, own, tag: state };
    },
    async event(appointmentId, { timezone }) {
      const event = await find(appointmentId);
      return event === null ? null : (thereOf(event, timezone) ?? undefined);
    },
    async put(appointment, { names, location }) {
      const body = bodyOf(appointment, names, location);
      const change = (event: GraphEvent) => ask({ method: 'PATCH', url: eventUrl(event), json: body, headers: PREFER });
      const add = (transactionId: string) => {
        const marks = { singleValueExtendedProperties: [{ id: MARK, value: appointment.id }] };
        return ask({
          method: 'POST',
          url: `${calendar}/events`,
          json: { ...body, ...marks, transactionId },
          headers: PREFER,
        });
      };
      const known = await find(appointment.id);
      let answer = known === null ? await add(`${appointment.id}.${appointment.sequence}`) : await change(known);
      if (known === null && answer.status === 409) {
        // That request has added one before; where it is not found, it was deleted since.
        const there = await find(appointment.id);
        answer = there === null ? await add(randomUUID()) : await change(there);
      }
      return textIn(found('microsoft', answer), '@odata.etag') || null;
    },
    async remove(appointmentId) {
      const known = await find(appointmentId);
      if (known !== null) await ask({ method: 'DELETE', url: eventUrl(known) });
      return null;
    },
  };
}

async function* eventsOf(ask: AskAccount, url: string, range: Readonly<Record<string, string>>) {
  let next: string | null = url;
  let query: Record<string, string> = { ...range, $select: SELECT, $expand: EXPAND, $top: PAGE };
  for (let page = 0; next !== null; page++) {
    if (page >= PAGES_MAX) throw tooMany();
    const json: unknown = found('microsoft', await ask({ url: next, query, headers: PREFER }));
    yield* listIn<GraphEvent>(json, 'value');
    next = textIn(json, '@odata.nextLink') || null;
    query = {};
    // The token is told to Graph alone.
    if (next !== null && !next.startsWith(ORIGIN)) throw new CalendarFailed('Microsoft sends to another host');
  }
}

const tooMany = () => new CalendarFailed(`it has more than ${BUSY_TIMES_MAX} busy times in the coming year`, true);

function markOf({ singleValueExtendedProperties: properties = [] }: GraphEvent): string | null {
  const value = properties.find(({ id }) => id?.toLowerCase() === MARK.toLowerCase())?.value ?? '';
  return OWN.test(value) ? value : null;
}

/** A time that is no time takes none. */
function thereOf(event: GraphEvent, zone: string): NonNullable<There> | null {
  const msOf = ({ dateTime = '', timeZone = 'UTC' }: GraphTime = {}): number =>
    // Whole days are told as midnights, and are those of the business's zone.
    event.isAllDay === true
      ? DateTime.fromISO(dateTime.slice(0, 10), { zone }).toMillis()
      : DateTime.fromISO(dateTime.slice(0, 23), { zone: timeZone }).toMillis();
  const [startMs, endMs] = [msOf(event.start), msOf(event.end)];
  if (!Number.isFinite(startMs) || !Number.isFinite(endMs)) return null;
  return { startMs, endMs, isCancelled: event.isCancelled === true, etag: event['@odata.etag'] ?? null };
}

const isBusy = ({ isCancelled, showAs, responseStatus }: GraphEvent): boolean =>
  isCancelled !== true && showAs !== 'free' && responseStatus?.response !== 'declined';

function bodyOf(appointment: ShownAppointment, names: boolean, location: string | null) {
  const { startsAt, endsAt } = appointment;
  const { summary, description } = wordsOf(appointment, names);
  const timeOf = (ms: number) => ({ dateTime: new Date(ms).toISOString().replace('Z', ''), timeZone: 'UTC' });
  return {
    subject: summary,
    body: { contentType: 'text', content: description },
    start: timeOf(startsAt),
    end: timeOf(endsAt),
    ...(names && location !== null ? { location: { displayName: location } } : {}),
    showAs: 'busy',
  };
}

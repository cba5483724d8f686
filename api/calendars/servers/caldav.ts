// CalDAV (RFC 4791): finds the calendar behind an address, reads its events, and writes ours. Our events have addresses
// of our own making, so that one that was written just before a process died is found again and not written twice.

import { askCalendar, EVENT_BYTES_MAX, type Fetching, failureOf, LIST_BYTES_MAX } from './ask.ts';
import { CalendarFailed } from './calendar-failed.ts';
import { type DavResource, resourcesIn } from './multistatus.ts';

export interface DavAccess {
  url: string;
  username: string;
  password: string;
}

interface DavEvent {
  href: string;
  etag: string | null;
  text: string;
}

const CALENDARS_TOLD = 10;

const headersOf = ({ username, password }: DavAccess, more: Record<string, string> = {}): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  ...more,
});

const xml = (body: string): string => `<?xml version="1.0" encoding="utf-8"?>\n${body}`;

const PROPERTIES = xml(
  '<d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/"><d:prop>' +
    '<d:resourcetype/><d:displayname/><d:current-user-principal/><c:calendar-home-set/>' +
    '<c:supported-calendar-component-set/><s:getctag/></d:prop></d:propfind>',
);

async function propfind(fetching: Fetching, access: DavAccess, depth: 0 | 1): Promise<DavResource[]> {
  const headers = headersOf(access, { depth: String(depth), 'content-type': 'application/xml; charset=utf-8' });
  const answer = await askCalendar(fetching, access.url, {
    method: 'PROPFIND',
    headers,
    body: PROPERTIES,
    maxBytes: LIST_BYTES_MAX,
  });
  if (answer.status !== 207) throw failureOf(answer.status);
  return resourcesIn(answer.body.toString('utf8'), answer.url.href);
}

/**
 * The calendar behind an address, which may be its own, its owner's, or the server's. `wanted`: its name, where there
 * are several. @throws {CalendarFailed}
 */
export async function findCalendar(
  fetching: Fetching,
  access: DavAccess,
  wanted: string | null,
): Promise<{ url: string; name: string }> {
  const at = (url: string): DavAccess => ({ ...access, url });
  const [self] = await propfind(fetching, access, 0).catch((error: unknown) => {
    // The root of many a server is a web page; the calendars are where RFC 6764 says.
    if (!(error instanceof CalendarFailed) || /does not let us in/.test(error.message)) throw error;
    return propfind(fetching, at(new URL('/.well-known/caldav', access.url).href), 0).catch(() => {
      throw error;
    });
  });
  if (self === undefined) throw new CalendarFailed('its server answers with something that is no WebDAV');
  if (isCalendar(self)) return named(self);
  const principal = self.hrefIn('current-user-principal');
  const home =
    self.hrefIn('calendar-home-set') ??
    (principal === null ? null : (await propfind(fetching, at(principal), 0))[0]?.hrefIn('calendar-home-set'));
  if (home == null) throw new CalendarFailed('there is no calendar at its address', true);
  const calendars = (await propfind(fetching, at(home), 1)).filter(isCalendar).map(named);
  const fitting = wanted === null ? calendars : calendars.filter(({ name }) => name === wanted);
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  if (calendars.length === 0) throw new CalendarFailed('there is no calendar at its address', true);
  const names = calendars.slice(0, CALENDARS_TOLD).map(({ name }) => name);
  throw new CalendarFailed(`there are several calendars: name one of ${names.join(', ')}`, true);
}

const named = (resource: DavResource) => ({ url: resource.href, name: resource.text('displayname') || 'Calendar' });

function isCalendar(resource: DavResource): boolean {
  if (!resource.namesIn('resourcetype').includes('calendar')) return false;
  const holds = resource.attributesIn('supported-calendar-component-set', 'name');
  return holds.length === 0 || holds.includes('VEVENT');
}

/** A name of its present state; null: its server gives none. @throws {CalendarFailed} */
export async function stateOf(fetching: Fetching, access: DavAccess): Promise<string | null> {
  const [self] = await propfind(fetching, access, 0);
  if (self === undefined || !isCalendar(self)) throw failureOf(404);
  return self.text('getctag') || null;
}

const utc = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');

/** Events that may take place in [fromMs, toMs), as a multistatus of WebDAV. @throws {CalendarFailed} */
export async function readEvents(
  fetching: Fetching,
  access: DavAccess,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<{ xml: string; base: string }> {
  const body = xml(
    '<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/><c:calendar-data/>' +
      '</d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">' +
      `<c:time-range start="${utc(fromMs)}" end="${utc(toMs)}"/>` +
      '</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>',
  );
  const headers = headersOf(access, { depth: '1', 'content-type': 'application/xml; charset=utf-8' });
  const answer = await askCalendar(fetching, access.url, { method: 'REPORT', headers, body });
  if (answer.status !== 207) throw failureOf(answer.status);
  return { xml: answer.body.toString('utf8'), base: answer.url.href };
}

const eventUrl = ({ url }: DavAccess, id: string): string =>
  new URL(`${id}.ics`, url.endsWith('/') ? url : `${url}/`).href;

/** Our event as it is there; null: it is not. @throws {CalendarFailed} */
export async function readEvent(fetching: Fetching, access: DavAccess, id: string): Promise<DavEvent | null> {
  const href = eventUrl(access, id);
  const answer = await askCalendar(fetching, href, {
    method: 'GET',
    headers: headersOf(access),
    maxBytes: EVENT_BYTES_MAX,
  });
  if (answer.status === 404 || answer.status === 410) return null;
  if (answer.status !== 200) throw failureOf(answer.status);
  const { etag } = answer.headers;
  return { href, etag: typeof etag === 'string' ? etag : null, text: answer.body.toString('utf8') };
}

/**
 * Writes our event, in place of the one that has `etag` there; null: there is none yet. Returns its new etag, null
 * where the server does not say; 'changed': another one is there. @throws {CalendarFailed}
 */
export async function putEvent(
  fetching: Fetching,
  access: DavAccess,
  { id, text, etag }: { id: string; text: string; etag: string | null },
): Promise<{ etag: string | null } | 'changed'> {
  const condition: Record<string, string> = etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
  const headers = headersOf(access, { 'content-type': 'text/calendar; charset=utf-8', ...condition });
  const answer = await askCalendar(fetching, eventUrl(access, id), { method: 'PUT', headers, body: text });
  if (answer.status === 412) return 'changed';
  if (answer.status < 200 || answer.status > 299) throw failureOf(answer.status);
  const written = answer.headers.etag;
  return { etag: typeof written === 'string' ? written : null };
}

/** Takes our event out. 'changed': it is not the one with this etag. @throws {CalendarFailed} */
export async function removeEvent(
  fetching: Fetching,
  access: DavAccess,
  { id, etag }: { id: string; etag: string | null },
): Promise<'removed' | 'changed'> {
  const headers = headersOf(access, etag === null ? {} : { 'if-match': etag });
  const answer = await askCalendar(fetching, eventUrl(access, id), { method: 'DELETE', headers });
  if (answer.status === 412) return 'changed';
  if (answer.status === 404 || answer.status === 410 || (answer.status >= 200 && answer.status <= 299))
    return 'removed';
  throw failureOf(answer.status);
}

// Google behind its two hosts: OAuth with PKCE, and one account's calendars as Calendar API v3 describes them.
import { createHash } from 'node:crypto';
import { type Call, compare, type Told } from './account-call.ts';

interface GoogleEvent {
  id: string;
  status?: 'confirmed' | 'tentative' | 'cancelled';
  summary?: string;
  start: { dateTime?: string; date?: string; timeZone?: string };
  end: { dateTime?: string; date?: string; timeZone?: string };
  transparency?: 'opaque' | 'transparent';
  visibility?: 'private' | 'default';
  attendees?: Array<{ email: string; self?: boolean; responseStatus: string }>;
  recurringEventId?: string;
  [other: string]: unknown;
}

const error = (code: number, reason: string, message = reason): Told => ({
  status: code,
  json: { error: { code, message, errors: [{ domain: 'global', reason, message }] } },
});

const SCOPES =
  'https://www.googleapis.com/auth/calendar.events https://www.googleapis.com/auth/calendar.calendarlist.readonly';

export class FakeGoogle {
  /** Events by calendar; each with its version. */
  calendars = new Map<string, Map<string, GoogleEvent & { version: number }>>();
  scope = SCOPES;
  /** False: the owner has withdrawn the access. */
  isGranted = true;
  renewals = 0;
  pageSize = 100;
  oldestSyncToken = 0;
  #version = 0;
  #token = 'g-0';
  #challenges = new Map<string, string>();

  readonly faults: string[];

  constructor(faults: string[]) {
    this.faults = faults;
    this.reset();
  }

  reset(): void {
    this.calendars = new Map([
      ['anna@example.com', new Map()],
      ['salon@group.calendar.google.com', new Map()],
    ]);
    Object.assign(this, { scope: SCOPES, isGranted: true, renewals: 0, pageSize: 100, oldestSyncToken: 0 });
  }

  get events() {
    return this.calendars.get('anna@example.com') ?? new Map<string, GoogleEvent & { version: number }>();
  }

  /** Somebody adds or changes an event in their own program. */
  put(event: GoogleEvent): void {
    this.events.set(event.id, { ...event, version: ++this.#version });
  }

  /** The owner consents at the address; returns what Google's redirect brings back. */
  consent(address: string): { state: string; code: string; redirectUri: string } {
    const { origin, pathname, searchParams } = new URL(address);
    if (`${origin}${pathname}` !== 'https://accounts.google.com/o/oauth2/v2/auth')
      this.faults.push(`address ${origin}`);
    const query = Object.fromEntries(searchParams);
    compare(
      this.faults,
      'consent',
      query,
      'client_id* redirect_uri* response_type* scope* access_type* prompt* state* code_challenge* code_challenge_method*',
    );
    const code = `4/${++this.#version}`;
    this.#challenges.set(code, query.code_challenge ?? '');
    return { state: query.state ?? '', code, redirectUri: query.redirect_uri ?? '' };
  }

  token({ method, path, form }: Call): Told {
    if (method !== 'POST' || path.join('/') !== 'token') this.faults.push(`token ${path.join('/')}`);
    if (form.client_secret !== 'google-secret') return { status: 401, json: { error: 'invalid_client' } };
    if (form.grant_type === 'authorization_code') {
      compare(this.faults, 'code', form, 'client_id* client_secret* grant_type* code* redirect_uri* code_verifier*');
      const challenge = this.#challenges.get(form.code ?? '');
      this.#challenges.delete(form.code ?? '');
      const proof = createHash('sha256')
        .update(form.code_verifier ?? '')
        .digest('base64url');
      if (challenge !== proof) return { status: 400, json: { error: 'invalid_grant' } };
      return this.#tokens({ refresh_token: '1//google' });
    }
    compare(this.faults, 'renewal', form, 'client_id* client_secret* grant_type* refresh_token*');
    if (!this.isGranted || form.refresh_token !== '1//google')
      return { status: 400, json: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' } };
    this.renewals++;
    return this.#tokens({});
  }

  #tokens(more: object): Told {
    this.#token = `g-${Number(this.#token.slice(2)) + 1}`;
    const json = { access_token: this.#token, expires_in: 3599, scope: this.scope, token_type: 'Bearer', ...more };
    return { status: 200, json };
  }

  /** Access tokens are refused from now on, the refresh token is not. */
  forgetAccess(): void {
    this.#token = `g-${Number(this.#token.slice(2)) + 1}`;
  }

  api(call: Call): Told {
    const { method, path, query, json, headers } = call;
    const target = `${method} ${path.slice(0, 2).join('/')}/${path[2]}${path[4] ? `/${path[4]}` : ''}`;
    if (headers.authorization !== `Bearer ${this.#token}` || !this.isGranted) return error(401, 'authError');
    if (path.join('/') === 'calendar/v3/users/me/calendarList') {
      compare(
        this.faults,
        'calendarList',
        query,
        'maxResults minAccessRole pageToken showDeleted showHidden syncToken',
      );
      return { status: 200, json: { kind: 'calendar#calendarList', items: CALENDARS } };
    }
    const calendar = this.calendars.get(path[3] ?? '');
    if (path[2] !== 'calendars' || path[4] !== 'events') this.faults.push(`no route ${target}`);
    if (calendar === undefined) return error(404, 'notFound');
    const id = path[5];
    if (method === 'GET' && id === undefined) return this.#list(calendar, query);
    const event = calendar.get(id ?? String(json.id));
    if (method === 'GET') return event === undefined ? error(404, 'notFound') : { status: 200, json: shown(event) };
    if (method === 'DELETE') {
      compare(this.faults, target, query, 'sendUpdates sendNotifications');
      if (event === undefined) return error(404, 'notFound');
      if (event.status === 'cancelled') return error(410, 'deleted');
      this.put({ ...event, status: 'cancelled' });
      return { status: 204 };
    }
    const fields = 'summary description location start* end* status transparency';
    compare(this.faults, target, query, 'sendUpdates fields conferenceDataVersion maxAttendees supportsAttachments');
    if (method === 'POST') {
      compare(this.faults, target, json, `${fields} id`);
      if (!/^[0-9a-v]{5,1024}$/.test(String(json.id))) return error(400, 'invalid', 'Invalid resource id value.');
      if (event !== undefined) return error(409, 'duplicate', 'The requested identifier already exists.');
    } else {
      compare(this.faults, target, json, fields);
      if (event === undefined) return error(404, 'notFound');
    }
    this.put({ ...event, ...json, id: id ?? String(json.id) } as unknown as GoogleEvent);
    return { status: 200, json: { etag: `"${this.#version}"` } };
  }

  #list(calendar: Map<string, GoogleEvent & { version: number }>, query: Record<string, string>): Told {
    compare(
      this.faults,
      'events.list',
      query,
      'singleEvents timeMin timeMax maxResults maxAttendees pageToken syncToken fields showDeleted',
    );
    const { syncToken } = query;
    if (syncToken !== undefined && ('timeMin' in query || 'timeMax' in query)) return error(400, 'invalid');
    const since = Number(syncToken?.replace('sync-', '') ?? 0);
    if (syncToken !== undefined && since < this.oldestSyncToken) return error(410, 'fullSyncRequired');
    const [from, to] = [Date.parse(query.timeMin ?? ''), Date.parse(query.timeMax ?? '')];
    const fitting = [...calendar.values()].filter((event) => {
      if (syncToken !== undefined) return event.version > since;
      const [start, end] = [event.start, event.end].map(({ dateTime, date }) => Date.parse(dateTime ?? date ?? ''));
      return event.status !== 'cancelled' && (start ?? 0) < to && (end ?? 0) > from;
    });
    const at = Number(query.pageToken ?? 0);
    const items = fitting.slice(at, at + this.pageSize).map(shown);
    const isLast = at + this.pageSize >= fitting.length;
    const more = isLast ? { nextSyncToken: `sync-${this.#version}` } : { nextPageToken: String(at + this.pageSize) };
    return { status: 200, json: { items, ...more } };
  }
}

/** As `fields` asks for them: no words. */
const shown = ({
  id,
  version,
  status = 'confirmed',
  transparency,
  start,
  end,
  recurringEventId,
  attendees,
}: GoogleEvent & { version: number }) => ({
  ...{ id, etag: `"${version}"`, status, start, end },
  ...(transparency === undefined ? {} : { transparency }),
  ...(recurringEventId === undefined ? {} : { recurringEventId }),
  ...(attendees === undefined ? {} : { attendees: attendees.filter(({ self }) => self) }),
});

const CALENDARS = [
  { id: 'anna@example.com', summary: 'Anna', accessRole: 'owner', primary: true },
  { id: 'salon@group.calendar.google.com', summary: 'Salon', accessRole: 'reader' },
];

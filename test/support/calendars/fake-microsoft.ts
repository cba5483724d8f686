// Microsoft behind its two hosts: the code of a device, and one account's calendars as Graph v1.0 describes them.
import { type Call, compare, type Told } from './account-call.ts';

interface GraphEvent {
  id: string;
  start: { dateTime: string; timeZone: string };
  end: { dateTime: string; timeZone: string };
  subject?: string;
  sensitivity?: 'normal' | 'private';
  isAllDay?: boolean;
  isCancelled?: boolean;
  showAs?: 'free' | 'tentative' | 'busy' | 'oof' | 'workingElsewhere' | 'unknown';
  type?: 'singleInstance' | 'occurrence' | 'exception' | 'seriesMaster';
  responseStatus?: { response: string };
  transactionId?: string;
  singleValueExtendedProperties?: Array<{ id: string; value: string }>;
  [other: string]: unknown;
}

const error = (status: number, code: string, headers: Record<string, string> = {}): Told => ({
  status,
  json: { error: { code, message: code } },
  headers,
});

const ORIGIN = 'https://graph.microsoft.com/v1.0';
const EVENT_FIELDS = 'subject body start* end* location showAs*';

export class FakeMicrosoft {
  readonly events = new Map<string, GraphEvent & { version: number }>();
  /** `pending`: nobody has entered the code yet. */
  person: 'pending' | 'agreed' | 'declined' = 'pending';
  isGranted = true;
  renewals = 0;
  pageSize = 100;
  /** An address in place of the next page's. */
  nextLink: string | null = null;
  /** Requests for tokens that Microsoft gets and answers with this first. */
  slowDowns = 0;
  #version = 0;
  #access = 'm-0';
  #refresh = 'r-0';
  /** Also of events that were deleted. */
  #transactions = new Set<string>();

  readonly faults: string[];

  constructor(faults: string[]) {
    this.faults = faults;
  }

  reset(): void {
    this.events.clear();
    this.#transactions.clear();
    Object.assign(this, {
      person: 'pending',
      isGranted: true,
      renewals: 0,
      pageSize: 100,
      nextLink: null,
      slowDowns: 0,
    });
  }

  put(event: GraphEvent): void {
    this.events.set(event.id, { ...event, version: ++this.#version });
  }

  ownOf(appointmentId: string): (GraphEvent & { version: number }) | undefined {
    return [...this.events.values()].find((event) => markOf(event) === appointmentId);
  }

  oauth({ path, form }: Call): Told {
    const [tenant, oauth2, v2, what] = path;
    if (tenant !== 'common' || oauth2 !== 'oauth2' || v2 !== 'v2.0') this.faults.push(`oauth ${path.join('/')}`);
    if (what === 'devicecode') {
      compare(this.faults, 'devicecode', form, 'client_id* scope*');
      this.person = 'pending';
      const codes = {
        device_code: 'device',
        user_code: 'FJPVCJS9V',
        verification_uri: 'https://microsoft.com/devicelogin',
      };
      return { status: 200, json: { ...codes, expires_in: 900, interval: 5, message: 'To sign in, …' } };
    }
    if (form.grant_type === 'refresh_token') {
      compare(this.faults, 'renewal', form, 'client_id* grant_type* refresh_token*');
      if (!this.isGranted || form.refresh_token !== this.#refresh)
        return { status: 400, json: { error: 'invalid_grant', error_codes: [70000] } };
      this.renewals++;
      return this.#tokens();
    }
    compare(this.faults, 'device', form, 'client_id* grant_type* device_code*');
    if (this.slowDowns-- > 0) return { status: 400, json: { error: 'slow_down' } };
    if (this.person === 'pending') return { status: 400, json: { error: 'authorization_pending' } };
    if (this.person === 'declined') return { status: 400, json: { error: 'authorization_declined' } };
    this.isGranted = true;
    return this.#tokens();
  }

  /** A refresh token is replaced by each use. */
  #tokens(): Told {
    const next = Number(this.#access.slice(2)) + 1;
    this.#access = `m-${next}`;
    this.#refresh = `r-${next}`;
    const tokens = { access_token: this.#access, refresh_token: this.#refresh };
    return { status: 200, json: { token_type: 'Bearer', scope: 'Calendars.ReadWrite', expires_in: 3599, ...tokens } };
  }

  forgetAccess(): void {
    this.#access = `m-${Number(this.#access.slice(2)) + 1}`;
    this.#refresh = `r-${Number(this.#access.slice(2)) - 1}`;
  }

  api({ method, path, query, json, headers }: Call): Told {
    const [version, me, kind, calendarId, what] = path;
    const target = `${method} ${kind}/${what ?? ''}`;
    if (headers.authorization !== `Bearer ${this.#access}` || !this.isGranted)
      return error(401, 'InvalidAuthenticationToken');
    if (version !== 'v1.0' || me !== 'me') this.faults.push(`no route ${path.join('/')}`);
    if (kind === 'calendars' && calendarId === undefined) {
      compare(this.faults, target, query, '$select $top $skip $filter $orderby');
      return { status: 200, json: { value: CALENDARS } };
    }
    if (kind === 'events') return this.#change(method, String(calendarId), json);
    if (kind !== 'calendars' || !CALENDARS.some(({ id }) => id === calendarId)) return error(404, 'ErrorItemNotFound');
    if (!/outlook\.timezone="UTC"/.test(String(headers.prefer))) this.faults.push(`${target}: in another zone`);
    if (method === 'POST') return this.#add(json);
    if (what === 'events') {
      compare(this.faults, target, query, '$filter* $select $top $expand');
      const [, wanted] = /ep\/value eq '(apt_\w+)'/.exec(query.$filter ?? '') ?? [];
      return { status: 200, json: { value: [this.ownOf(wanted ?? '')].flatMap((each) => (each ? shown(each) : [])) } };
    }
    if (what !== 'calendarView') this.faults.push(`no route ${target}`);
    return this.#view(query);
  }

  #view(query: Record<string, string>): Told {
    compare(this.faults, 'calendarView', query, 'startDateTime* endDateTime* $select $expand $top $skip');
    const [from, to] = [Date.parse(query.startDateTime ?? ''), Date.parse(query.endDateTime ?? '')];
    const fitting = [...this.events.values()].filter(
      ({ start, end }) => Date.parse(`${start.dateTime}Z`) < to && Date.parse(`${end.dateTime}Z`) > from,
    );
    const at = Number(query.$skip ?? 0);
    const value = fitting.slice(at, at + this.pageSize).map(shown);
    if (at + this.pageSize >= fitting.length) return { status: 200, json: { value } };
    const { startDateTime = '', endDateTime = '' } = query;
    const search = new URLSearchParams({ startDateTime, endDateTime, $skip: String(at + this.pageSize) });
    const nextLink = this.nextLink ?? `${ORIGIN}/me/calendars/work/calendarView?${search}`;
    return { status: 200, json: { value, '@odata.nextLink': nextLink } };
  }

  #add(json: Record<string, unknown>): Told {
    compare(this.faults, 'add', json, `${EVENT_FIELDS} transactionId* singleValueExtendedProperties*`);
    const transactionId = String(json.transactionId);
    if (this.#transactions.has(transactionId)) return error(409, 'ErrorDuplicateTransactionId');
    this.#transactions.add(transactionId);
    const event = { ...json, id: `AAMk${this.#version}`, type: 'singleInstance' } as unknown as GraphEvent;
    this.put(event);
    return { status: 201, json: { ...event, '@odata.etag': `W/"${this.#version}"` } };
  }

  #change(method: string, id: string, json: Record<string, unknown>): Told {
    const event = this.events.get(id);
    if (event === undefined) return error(404, 'ErrorItemNotFound');
    if (method === 'DELETE') {
      this.events.delete(id);
      return { status: 204 };
    }
    compare(this.faults, 'change', json, EVENT_FIELDS);
    this.put({ ...event, ...json } as unknown as GraphEvent);
    return { status: 200, json: { '@odata.etag': `W/"${this.#version}"` } };
  }
}

const markOf = ({ singleValueExtendedProperties: properties = [] }: GraphEvent): string | undefined =>
  properties[0]?.value;

/** As `$select` asks for them: no words. */
const shown = (event: GraphEvent & { version: number }) => {
  const { id, start, end, isAllDay = false, isCancelled = false, showAs = 'busy', type = 'singleInstance' } = event;
  const { responseStatus = { response: 'organizer' }, singleValueExtendedProperties: marks } = event;
  return {
    ...{ '@odata.etag': `W/"${event.version}"`, id, start, end, isAllDay, isCancelled, showAs, type, responseStatus },
    ...(marks === undefined ? {} : { singleValueExtendedProperties: marks }),
  };
};

const CALENDARS = [
  { id: 'work', name: 'Calendar', canEdit: true, owner: { name: 'Ben', address: 'ben@example.com' } },
  { id: 'team', name: 'Team', canEdit: false, owner: { name: 'Team', address: 'team@example.com' } },
];

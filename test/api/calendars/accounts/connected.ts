// Calendars at fakes of Google and Microsoft that a tenant of an API has connected, for the tests beside it.
import { after, before, beforeEach } from 'node:test';
import { CalendarSync } from '../../../../api/calendars/sync.ts';
import { bookAppointment, listTaken, type NewAppointment } from '../../../../db/rules/booking.ts';
import type { CalendarAccountKind } from '../../../../db/schema/calendars.ts';
import { useTenants } from '../../../support/api/use-api.ts';
import { FakeAccounts } from '../../../support/calendars/fake-accounts.ts';

export const HOUR = 3_600_000;
export const MINUTE = 60_000;

export const iso = (ms: number): string => new Date(ms).toISOString();

export function useCalendarAccounts() {
  const api = useTenants();
  const fakes = new FakeAccounts();
  before(async () => void (await fakes.listen()));
  after(() => fakes.close());
  beforeEach(async () => {
    fakes.reset();
    // The job reads those of all tenants.
    await api.context.db.deleteFrom('calendars').execute();
    api.context.config.calendarAccounts = {
      google: { clientId: 'google-id', clientSecret: 'google-secret' },
      microsoft: { clientId: 'microsoft-id', tenant: 'common' },
      base: fakes.url,
    };
  });
  const { google, microsoft } = fakes;

  const begin = async (kind: CalendarAccountKind) =>
    (await api.tenant.ask('POST', '/calendar-sign-ins', { kind })).json.data;

  /** Somebody signs in, and it is done. */
  async function signIn(kind: CalendarAccountKind): Promise<string> {
    const { id, url } = await begin(kind);
    if (kind === 'google') {
      const { state, code } = google.consent(url ?? '');
      await api.tenant.ask('POST', `/calendar-sign-ins/${id}/code`, { state, code });
    } else {
      microsoft.person = 'agreed';
      api.clock.advance(6_000);
      await api.tenant.ask('GET', `/calendar-sign-ins/${id}`);
    }
    return id;
  }

  async function salon(): Promise<string> {
    const body = {
      name: 'Salon',
      industry: 'salon',
      timezone: 'Europe/Berlin',
      resources: [{ name: 'Anna' }, { name: 'Ben' }],
    };
    return (await api.tenant.ask('POST', '/businesses', body)).json.data.id;
  }

  const connect = async (businessId: string, kind: CalendarAccountKind, more: object = {}) => {
    const calendar = kind === 'google' ? 'Anna' : 'Calendar';
    const body = { kind, signIn: await signIn(kind), calendar, ...more };
    return api.tenant.ask('POST', `/businesses/${businessId}/calendars`, body);
  };

  async function booked(businessId: string, change: Partial<NewAppointment> = {}): Promise<string> {
    const answer = await bookAppointment(api.context.db, {
      ...{ accountId: api.tenant.accountId, businessId, callId: null, service: 'Cut', phone: '+14155552671' },
      startsAtMs: api.clock.now + HOUR,
      endsAtMs: api.clock.now + 2 * HOUR,
      ...{ name: 'Zoë', notes: null, nowMs: api.clock.now, candidates: ['Anna', 'Ben'], known: ['Anna', 'Ben'] },
      ...change,
    });
    if (!answer.booked) throw new Error('it was not booked');
    return answer.appointmentId;
  }

  const calendarsOf = async (id: string) => (await api.tenant.ask('GET', `/businesses/${id}/calendars`)).json.data;

  /** A round of the job after this time. */
  async function sync(afterMs = 0): Promise<void> {
    api.clock.advance(afterMs);
    const job = new CalendarSync(api.context);
    await job.run();
    await job.settled();
  }

  async function appointment(id: string) {
    const { data } = (await api.tenant.ask('GET', '/appointments')).json;
    const found = data.find((each) => each.id === id);
    if (found === undefined) throw new Error('no such appointment');
    return found;
  }

  /** When nobody can be booked, in the coming days. */
  const taken = (businessId: string, days = 30) =>
    listTaken(api.context.read, api.tenant.accountId, {
      businessId,
      fromMs: api.clock.now,
      toMs: api.clock.now + days * 24 * HOUR,
    });

  return {
    api,
    fakes,
    google,
    microsoft,
    begin,
    signIn,
    salon,
    connect,
    booked,
    calendarsOf,
    sync,
    appointment,
    taken,
  };
}

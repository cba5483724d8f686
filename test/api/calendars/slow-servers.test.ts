// Calendars of one account whose server answers nothing, beside those of others.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CalendarSync } from '../../../api/calendars/sync.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { bookAppointment } from '../../../db/rules/booking.ts';
import { CalendarServer } from '../../support/api/calendar-server.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants({ config: { webhookAllowPrivate: true } });
const HOUR = 3_600_000;

const [slow, quick] = [await new CalendarServer().listen(), await new CalendarServer().listen()];
after(async () => {
  await slow.close();
  await quick.close();
});

const tell = (server: CalendarServer) => server.asked.filter((asked) => asked.startsWith('PUT'));

async function salon(of: typeof api.tenant, server: CalendarServer): Promise<string> {
  const body = { name: 'Salon', industry: 'salon', timezone: 'Europe/Berlin' };
  const { id } = (await of.ask('POST', '/businesses', body)).json.data;
  const dav = { kind: 'caldav', url: `${server.origin}/`, username: 'anna', password: 'secret' };
  const { status, text } = await of.ask('POST', `/businesses/${id}/calendars`, dav);
  assert.equal(status, 201, text);
  return id;
}

async function book({ accountId }: typeof api.tenant, businessId: string, hour: number): Promise<void> {
  const startsAtMs = api.clock.now + hour * HOUR;
  const answer = await bookAppointment(api.context.db, {
    ...{ accountId, businessId, callId: null, service: 'Cut', phone: '+14155552671', name: 'Zoë', notes: null },
    ...{ startsAtMs, endsAtMs: startsAtMs + HOUR / 2, nowMs: api.clock.now },
  });
  assert.ok(answer.booked);
}

test('a server that does not answer keeps the calendars of no other account waiting, in writing and reading', async () => {
  const [theirs, ours] = [await salon(api.other, slow), await salon(api.tenant, quick)];
  for (let hour = 1; hour <= 60; hour++) await book(api.other, theirs, hour);
  await book(api.tenant, ours, 70);
  const held = Promise.withResolvers<void>();
  slow.writesWait = held.promise;
  const job = new CalendarSync(api.context);
  await job.run();
  await eventually(() => tell(quick).length === 1, 'the other account’s appointment is written');
  assert.equal(tell(slow).length, 1, 'its own wait for one another');
  // Five minutes later: the other account is read although the first writing is still under way.
  api.clock.advance(6 * 60_000);
  const before = quick.asked.length;
  await job.run();
  await eventually(() => quick.asked.slice(before).some((asked) => asked.startsWith('REPORT')), 'it is read again');
  assert.equal(tell(slow).length, 1);
  held.resolve();
  await job.stop();
});

// Calendars that a business connects: appointments are booked around them, and written into them.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import ICAL from 'ical.js';
import { CalendarSync } from '../../../../api/calendars/sync.ts';
import { bookAppointment, listTaken, type NewAppointment } from '../../../../db/rules/booking.ts';
import { CalendarServer } from '../../../support/api/calendar-server.ts';
import { useTenants } from '../../../support/api/use-api.ts';

const api = useTenants({ config: { webhookAllowPrivate: true } });
const HOUR = 3_600_000;
const MINUTE = 60_000;

let server: CalendarServer;
before(async () => {
  server = await new CalendarServer().listen();
});
after(() => server.close());
afterEach(async () => {
  // The job reads those of all tenants.
  await api.context.db.deleteFrom('calendars').execute();
  server.events.clear();
  server.asked.length = 0;
  server.failsWith = null;
  server.losesAnswer = false;
  server.password = 'secret';
});

const iso = (ms: number) => new Date(ms).toISOString();
const utc = (ms: number) => iso(ms).replace(/[-:]|\.\d+/g, '');
const eventText = (uid: string, startMs: number, endMs: number, more = '') =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:${utc(startMs)}\r\nDTEND:${utc(endMs)}\r\n${more}END:VEVENT\r\nEND:VCALENDAR\r\n`;

async function salon(): Promise<string> {
  const body = {
    ...{ name: 'Salon', industry: 'salon', timezone: 'Europe/Berlin' },
    resources: [{ name: 'Anna' }, { name: 'Ben' }],
  };
  return (await api.tenant.ask('POST', '/businesses', body)).json.data.id;
}

const dav = (more: object = {}) => ({
  ...{ kind: 'caldav', url: `${server.origin}/`, username: 'anna', password: 'secret' },
  ...more,
});
const connect = (id: string, body: object) => api.tenant.ask('POST', `/businesses/${id}/calendars`, body);
const calendarsOf = async (id: string) => (await api.tenant.ask('GET', `/businesses/${id}/calendars`)).json.data;

const book = (businessId: string, change: Partial<NewAppointment> = {}) =>
  bookAppointment(api.context.db, {
    ...{ accountId: api.tenant.accountId, businessId, callId: null, service: 'Cut', phone: '+14155552671' },
    startsAtMs: api.clock.now + HOUR,
    endsAtMs: api.clock.now + 2 * HOUR,
    ...{ name: 'Zoë', notes: null, nowMs: api.clock.now, candidates: ['Anna', 'Ben'], known: ['Anna', 'Ben'] },
    ...change,
  });

async function booked(businessId: string, change: Partial<NewAppointment> = {}): Promise<string> {
  const answer = await book(businessId, change);
  assert.ok(answer.booked);
  return answer.appointmentId;
}

/** A round of the job after this time. */
async function sync(afterMs = 0): Promise<void> {
  api.clock.advance(afterMs);
  const job = new CalendarSync(api.context);
  await job.run();
  await job.settled();
}

const appointment = async (id: string) => {
  const { data } = (await api.tenant.ask('GET', '/appointments')).json;
  const found = data.find((each) => each.id === id);
  assert.ok(found);
  return found;
};

const startOf = (name: string) => {
  const text = server.events.get(name)?.text ?? '';
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
  return event === null ? 0 : new ICAL.Event(event).startDate.toUnixTime() * 1_000;
};

test('an .ics is read as it is connected, its times are taken, and its address is shown to nobody', async () => {
  const id = await salon();
  const start = api.clock.now + 24 * HOUR;
  server.file = eventText('one', start, start + HOUR, 'SUMMARY:Private\r\n');
  const { status, json } = await connect(id, { kind: 'ics', url: `${server.origin}/file.ics`, resource: 'anna' });
  assert.equal(status, 201);
  const { address, resource, state, busyTimes, writes } = json.data;
  assert.deepEqual([address, resource, state, busyTimes, writes], [`${server.origin}/…`, 'Anna', 'ok', 1, false]);
  const range = { businessId: id, fromMs: start, toMs: start + HOUR };
  assert.deepEqual(await listTaken(api.context.read, api.tenant.accountId, range), [
    { startMs: start, endMs: start + HOUR, resource: 'Anna' },
  ]);
  const time = { startsAtMs: start, endsAtMs: start + HOUR };
  assert.deepEqual((await book(id, { ...time, candidates: ['Anna'] })).booked, false);
  const answer = await book(id, time);
  assert.ok(answer.booked && answer.resource === 'Ben', 'the other one is free');
});

test('a file that has not changed is not read again, but once a day: the year moves on', async () => {
  const id = await salon();
  server.file = eventText('one', api.clock.now + 366.5 * 24 * HOUR, api.clock.now + 367 * 24 * HOUR);
  await connect(id, { kind: 'ics', url: `${server.origin}/file.ics` });
  await sync(6 * MINUTE);
  assert.equal(server.asked.length, 2);
  server.file = eventText('one', api.clock.now + HOUR, api.clock.now + 2 * HOUR, 'SUMMARY:moved nearer\r\n');
  await sync(6 * MINUTE);
  assert.equal((await calendarsOf(id))[0]?.busyTimes, 1);
});

test('wrong addresses, words and passwords are 422 in words, and nothing of them is kept', async () => {
  const id = await salon();
  const message = async (body: object) => (await connect(id, body)).json.errors?.[0];
  server.file = '<html>Sign in</html>';
  assert.match((await message({ kind: 'ics', url: `${server.origin}/file.ics` }))?.message ?? '', /is no calendar/);
  assert.match((await message(dav({ password: 'wrong' })))?.message ?? '', /check the user name and password/);
  assert.match((await message(dav({ url: `${server.origin}/nobody/` })))?.message ?? '', /no calendar/);
  assert.equal((await message({ kind: 'ics', url: 'http://calendar.example/a.ics' }))?.field, 'url');
  assert.equal((await message({ kind: 'caldav', url: server.origin }))?.field, 'username');
  assert.equal((await message({ kind: 'ics', url: `${server.origin}/file.ics`, writes: true }))?.field, 'writes');
  assert.equal((await message(dav({ resource: 'Clara' })))?.field, 'resource');
  assert.deepEqual(await calendarsOf(id), []);
});

test('the calendar is found behind the address of its server; those of tasks are none', async () => {
  const id = await salon();
  const { json } = await connect(id, dav());
  assert.deepEqual([json.data.name, json.data.address], ['Work', `${server.origin}/anna/work/`]);
  assert.equal((await connect(id, dav({ calendar: 'Holidays' }))).status, 422);
});

test('a booking is written there, moved and cancelled with it, and is no busy time of its own', async () => {
  const id = await salon();
  await connect(id, dav());
  const apt = await booked(id);
  await sync();
  assert.equal(startOf(`${apt}.ics`), api.clock.now + HOUR);
  assert.match(server.events.get(`${apt}.ics`)?.text ?? '', /SUMMARY:Cut: Zoë \(Anna\)/);
  await sync(6 * MINUTE);
  assert.equal((await calendarsOf(id))[0]?.busyTimes, 0);
  assert.equal((await appointment(apt)).history.length, 0, 'our own writing is no change');
  const later = api.clock.now + 5 * HOUR;
  await api.tenant.ask('PATCH', `/appointments/${apt}`, { startsAt: iso(later) });
  await sync();
  assert.equal(startOf(`${apt}.ics`), Math.floor(later / 1_000) * 1_000);
  await api.tenant.ask('PATCH', `/appointments/${apt}`, { status: 'cancelled' });
  await sync();
  assert.equal(server.events.size, 0);
  const writes = server.asked.filter((each) => /^(PUT|DELETE)/.test(each));
  await sync();
  assert.equal(server.asked.filter((each) => /^(PUT|DELETE)/.test(each)).length, writes.length, 'once each');
});

test('an event that is moved or deleted there moves or cancels the appointment, and its history says so', async () => {
  const id = await salon();
  await connect(id, dav());
  const moved = await booked(id);
  const deleted = await booked(id, { callId: 'call_2' });
  await sync();
  const later = Math.floor((api.clock.now + 7 * HOUR) / 1_000) * 1_000;
  server.put(`${moved}.ics`, eventText(moved, later, later + HOUR));
  server.remove(`${deleted}.ics`);
  await sync(6 * MINUTE);
  const { startsAt, history } = await appointment(moved);
  assert.deepEqual([startsAt, history.map(({ by }) => by)], [iso(later), ['calendar']]);
  assert.equal((await appointment(deleted)).status, 'cancelled');
  const before = server.asked.length;
  await sync();
  assert.equal(server.asked.length, before, 'it is not written back');
});

test('where both have moved it, the caller was told ours', async () => {
  const id = await salon();
  await connect(id, dav());
  const apt = await booked(id);
  await sync();
  const [ours, theirs] = [api.clock.now + 5 * HOUR, api.clock.now + 9 * HOUR];
  server.put(`${apt}.ics`, eventText(apt, theirs, theirs + HOUR));
  await api.tenant.ask('PATCH', `/appointments/${apt}`, { startsAt: iso(ours) });
  await sync(6 * MINUTE);
  await sync();
  assert.equal((await appointment(apt)).startsAt, iso(ours));
  assert.equal(startOf(`${apt}.ics`), Math.floor(ours / 1_000) * 1_000);
});

test('a process that dies between the answer and its row writes nothing twice, and cancels what it left', async () => {
  const id = await salon();
  await connect(id, dav());
  const [kept, cancelled] = [await booked(id), await booked(id, { callId: 'call_2' })];
  await sync();
  // As if it had died before both rows.
  await api.context.db.deleteFrom('calendarEntries').execute();
  await api.tenant.ask('PATCH', `/appointments/${cancelled}`, { status: 'cancelled' });
  await sync(6 * MINUTE);
  await sync();
  assert.deepEqual([...server.events.keys()], [`${kept}.ics`]);
  server.losesAnswer = true;
  const third = await booked(id, { startsAtMs: api.clock.now + 20 * HOUR, endsAtMs: api.clock.now + 21 * HOUR });
  await sync();
  await sync(MINUTE);
  assert.deepEqual([...server.events.keys()], [`${kept}.ics`, `${third}.ics`]);
  assert.equal((await calendarsOf(id))[0]?.unwritten, 0);
});

test('while its server is away or refuses, bookings go on; it is said, and caught up with later', async () => {
  const id = await salon();
  const { id: calendarId } = (await connect(id, dav())).json.data;
  server.password = 'changed';
  const apt = await booked(id, { startsAtMs: api.clock.now + 9 * HOUR, endsAtMs: api.clock.now + 10 * HOUR });
  await sync(6 * MINUTE);
  const [refused] = await calendarsOf(id);
  assert.deepEqual([refused?.state, refused?.unwritten], ['refused', 1]);
  assert.match(refused?.error ?? '', /check the user name and password/);
  const path = `/businesses/${id}/calendars/${calendarId}` as const;
  await api.tenant.ask('PATCH', path, { password: 'changed' });
  await sync(1);
  await sync(HOUR);
  assert.deepEqual([...server.events.keys()], [`${apt}.ics`]);
  server.failsWith = 503;
  await sync(6 * MINUTE);
  const [failing] = await calendarsOf(id);
  assert.deepEqual([failing?.state, failing?.error], ['failing', 'its server answered 503']);
  server.failsWith = null;
  assert.equal((await api.tenant.ask('POST', `${path}/refresh`)).json.data.state, 'ok');
});

test('a calendar whose password cannot be opened any more keeps no other from being read and written', async () => {
  const [id, other] = [await salon(), await salon()];
  const { id: calendarId } = (await connect(id, dav())).json.data;
  await connect(other, dav());
  await api.context.db
    .updateTable('calendars')
    .set({ sealed: 'v1.of-another-key' })
    .where('id', '=', calendarId)
    .execute();
  await booked(id);
  const apt = await booked(other);
  await sync(6 * MINUTE);
  assert.deepEqual([...server.events.keys()], [`${apt}.ics`]);
  const [broken] = await calendarsOf(id);
  assert.match(`${broken?.state} ${broken?.error}`, /^refused .*connect it anew/);
  const path = `/businesses/${id}/calendars/${calendarId}` as const;
  assert.equal((await api.tenant.ask('PATCH', path, { password: 'new' })).status, 422);
  assert.equal((await api.tenant.ask('DELETE', path)).status, 200);
});

test('one of the staff’s calendar has their appointments alone; who changes hands changes calendars', async () => {
  const id = await salon();
  await connect(id, dav({ resource: 'Anna', names: false }));
  const anna = await booked(id);
  const ben = await booked(id, { callId: 'call_2' });
  await sync();
  assert.deepEqual([...server.events.keys()], [`${anna}.ics`]);
  assert.doesNotMatch(server.events.get(`${anna}.ics`)?.text ?? '', /Zo|4155/);
  await api.tenant.ask('PATCH', `/appointments/${anna}`, { status: 'cancelled' });
  await api.tenant.ask('PATCH', `/appointments/${ben}`, { resource: 'Anna' });
  await sync();
  assert.deepEqual([...server.events.keys()], [`${ben}.ics`]);
});

test('a calendar that is taken out takes no time any more; of others and of deleted businesses nothing is shown', async () => {
  const id = await salon();
  server.put('other.ics', eventText('other', api.clock.now + HOUR, api.clock.now + 2 * HOUR));
  const { id: calendarId } = (await connect(id, dav())).json.data;
  const path = `/businesses/${id}/calendars/${calendarId}` as const;
  assert.equal((await book(id)).booked, false);
  assert.equal((await api.other.ask('DELETE', path)).status, 404);
  assert.equal((await api.other.ask('POST', `${path}/refresh`)).status, 404);
  assert.equal((await api.tenant.ask('DELETE', path)).status, 200);
  assert.equal((await book(id)).booked, true);
  assert.doesNotMatch(api.logs.join(''), /secret/);
});

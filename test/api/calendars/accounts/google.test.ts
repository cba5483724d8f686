// A calendar of Google: when somebody is busy there, and appointments both ways.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, iso, MINUTE, useCalendarAccounts } from './connected.ts';

const { api, fakes, google, salon, connect, booked, calendarsOf, sync, appointment, taken } = useCalendarAccounts();

const eventIdOf = (appointmentId: string) => Buffer.from(appointmentId).toString('hex');
const eventOf = (appointmentId: string) => google.events.get(eventIdOf(appointmentId));
const at = (text: string) => Date.parse(text);
const busy = (start: string, end: string) => ({ startMs: at(start), endMs: at(end), resource: null });
const timed = (start: string, end: string) => ({ start: { dateTime: start }, end: { dateTime: end } });
const writings = () => fakes.asked.filter((each) => /^(POST|PATCH|DELETE) www/.test(each)).length;

test('busy is what takes time: not what is free, cancelled or declined; whole days are the business’s', async () => {
  const id = await salon();
  const day = new Date(api.clock.now + 48 * HOUR).toISOString().slice(0, 10);
  const next = new Date(api.clock.now + 72 * HOUR).toISOString().slice(0, 10);
  const time = (hours: string) => timed(`${day}T${hours}:00:00+02:00`, `${day}T${hours}:30:00+02:00`);
  const me = (responseStatus: string) => [{ email: 'anna@example.com', self: true, responseStatus }];
  google.put({ id: 'busy', summary: 'Secret', visibility: 'private', ...time('09') });
  google.put({ id: 'tentative', status: 'tentative', ...time('10') });
  google.put({ id: 'free', transparency: 'transparent', ...time('11') });
  google.put({ id: 'cancelled', status: 'cancelled', ...time('12') });
  google.put({ id: 'declined', attendees: me('declined'), ...time('13') });
  google.put({ id: 'asked', attendees: me('needsAction'), ...time('14') });
  google.put({ id: 'elsewhere', ...timed(`${day}T15:00:00-04:00`, `${day}T15:30:00-04:00`) });
  const zoned = { dateTime: `${next}T08:00:00`, timeZone: 'Asia/Tokyo' };
  google.put({ id: 'zoned', start: zoned, end: { ...zoned, dateTime: `${next}T08:15:00` } });
  google.put({ id: 'whole', start: { date: next }, end: { date: next } });
  google.put({ id: 'holiday', start: { date: day }, end: { date: next }, transparency: 'transparent' });
  google.pageSize = 3;
  assert.equal((await connect(id, 'google')).status, 201);
  assert.deepEqual(await taken(id), [
    busy(`${day}T07:00:00Z`, `${day}T07:30:00Z`),
    busy(`${day}T08:00:00Z`, `${day}T08:30:00Z`),
    busy(`${day}T12:00:00Z`, `${day}T12:30:00Z`),
    busy(`${day}T19:00:00Z`, `${day}T19:30:00Z`),
    busy(`${day}T23:00:00Z`, `${day}T23:15:00Z`),
  ]);
  assert.deepEqual(fakes.faults, []);
  assert.doesNotMatch(api.logs.join(''), /Secret/);
});

test('a whole day, and dates of a series on both sides of a clock change, are by the clock of their zones', async () => {
  const id = await salon();
  google.put({ id: 'whole', start: { date: '2027-03-28' }, end: { date: '2027-03-29' } });
  // As Google expands a series: the offset changes with the clock.
  google.put({
    id: 'weekly_1',
    recurringEventId: 'weekly',
    ...timed('2027-03-23T09:00:00+01:00', '2027-03-23T10:00:00+01:00'),
  });
  google.put({
    id: 'weekly_2',
    recurringEventId: 'weekly',
    ...timed('2027-03-30T09:00:00+02:00', '2027-03-30T10:00:00+02:00'),
  });
  const connected = await connect(id, 'google');
  assert.equal(connected.json.data.busyTimes, 3);
  const days = (at('2027-04-10T00:00:00Z') - api.clock.now) / (24 * HOUR);
  assert.deepEqual(await taken(id, days), [
    busy('2027-03-23T08:00:00Z', '2027-03-23T09:00:00Z'),
    busy('2027-03-27T23:00:00Z', '2027-03-28T22:00:00Z'),
    busy('2027-03-30T07:00:00Z', '2027-03-30T08:00:00Z'),
  ]);
});

test('what has not changed is not read again; a token that is too old has all be read', async () => {
  const id = await salon();
  await connect(id, 'google');
  const lists = () => fakes.asked.filter((each) => each.startsWith('GET www') && each.endsWith('/events')).length;
  const before = lists();
  await sync(6 * MINUTE);
  assert.equal(lists(), before + 1);
  google.put({ id: 'one', ...timed(iso(api.clock.now + HOUR), iso(api.clock.now + 2 * HOUR)) });
  await sync(6 * MINUTE);
  assert.equal((await calendarsOf(id))[0]?.busyTimes, 1);
  const changed = lists();
  google.oldestSyncToken = Number.MAX_SAFE_INTEGER;
  google.put({ id: 'two', ...timed(iso(api.clock.now + 3 * HOUR), iso(api.clock.now + 4 * HOUR)) });
  await sync(6 * MINUTE);
  assert.equal(lists(), changed + 2, '410, then all of it');
  assert.equal((await calendarsOf(id))[0]?.busyTimes, 2);
});

test('a booking is written once, moved and cancelled with it; a lost answer writes nothing twice', async () => {
  const id = await salon();
  await connect(id, 'google', { resource: 'Anna' });
  fakes.losesAnswerOf = 'POST';
  const apt = await booked(id, { candidates: ['Anna'] });
  await sync();
  assert.equal((await calendarsOf(id))[0]?.unwritten, 1);
  await sync(MINUTE);
  assert.deepEqual(
    [eventOf(apt)?.summary, eventOf(apt)?.start.dateTime],
    ['Cut: Zoë (Anna)', (await appointment(apt)).startsAt],
  );
  assert.equal(google.events.size, 1);
  await sync(6 * MINUTE);
  assert.equal((await calendarsOf(id))[0]?.busyTimes, 0, 'it is no busy time of its own');
  const later = iso(api.clock.now + 5 * HOUR);
  await api.tenant.ask('PATCH', `/appointments/${apt}`, { startsAt: later });
  await sync();
  assert.equal(eventOf(apt)?.start.dateTime, later);
  await api.tenant.ask('PATCH', `/appointments/${apt}`, { status: 'cancelled' });
  await sync();
  assert.equal(eventOf(apt)?.status, 'cancelled');
  await api.tenant.ask('PATCH', `/appointments/${apt}`, { status: 'booked' });
  await sync();
  assert.equal(eventOf(apt)?.status, 'confirmed', 'its id is taken there for good, and comes back');
  const before = writings();
  await sync();
  assert.equal(writings(), before, 'once each');
  assert.deepEqual(fakes.faults, []);
});

test('an event that is moved or deleted there moves or cancels the appointment', async () => {
  const id = await salon();
  await connect(id, 'google');
  const [moved, deleted] = [await booked(id), await booked(id, { callId: 'call_2' })];
  await sync();
  const start = iso(api.clock.now + 7 * HOUR);
  google.put({ ...eventOf(moved), ...timed(start, iso(api.clock.now + 8 * HOUR)) } as never);
  google.put({ ...eventOf(deleted), status: 'cancelled' } as never);
  await sync(6 * MINUTE);
  const { startsAt, history } = await appointment(moved);
  assert.deepEqual([startsAt, history.map(({ by }) => by)], [start, ['calendar']]);
  assert.equal((await appointment(deleted)).status, 'cancelled');
  // Where both have changed it, the caller was told ours.
  const ours = iso(api.clock.now + 20 * HOUR);
  google.put({ ...eventOf(moved), ...timed(iso(api.clock.now + 30 * HOUR), iso(api.clock.now + 31 * HOUR)) } as never);
  await api.tenant.ask('PATCH', `/appointments/${moved}`, { startsAt: ours });
  await sync(6 * MINUTE);
  await sync();
  assert.equal((await appointment(moved)).startsAt, ours);
  assert.equal(eventOf(moved)?.start.dateTime, ours);
});

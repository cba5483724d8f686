// A calendar of Microsoft 365: when somebody is busy there, and appointments both ways.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, iso, MINUTE, useCalendarAccounts } from './connected.ts';

const { api, fakes, microsoft, salon, connect, booked, calendarsOf, sync, appointment, taken } = useCalendarAccounts();

const at = (text: string) => Date.parse(text);
const busy = (start: string, end: string) => ({ startMs: at(start), endMs: at(end), resource: null });
/** As Graph tells times that are asked for in UTC. */
const utc = (text: string) => ({ dateTime: `${new Date(text).toISOString().replace('Z', '')}0000`, timeZone: 'UTC' });
const timed = (start: string, end: string) => ({ start: utc(start), end: utc(end) });
const writings = () => fakes.asked.filter((each) => /^(POST|PATCH|DELETE) graph/.test(each)).length;

test('busy is what takes time: not what is free, cancelled or declined; whole days are the business’s', async () => {
  const id = await salon();
  const day = new Date(api.clock.now + 48 * HOUR).toISOString().slice(0, 10);
  const next = new Date(api.clock.now + 72 * HOUR).toISOString().slice(0, 10);
  const time = (hours: string) => timed(`${day}T${hours}:00:00Z`, `${day}T${hours}:30:00Z`);
  microsoft.put({ id: 'busy', subject: 'Secret', sensitivity: 'private', ...time('07') });
  microsoft.put({ id: 'tentative', showAs: 'tentative', ...time('08') });
  microsoft.put({ id: 'free', showAs: 'free', ...time('09') });
  microsoft.put({ id: 'cancelled', isCancelled: true, ...time('10') });
  microsoft.put({ id: 'declined', responseStatus: { response: 'declined' }, ...time('11') });
  microsoft.put({ id: 'asked', responseStatus: { response: 'notResponded' }, ...time('12') });
  microsoft.put({ id: 'oof', showAs: 'oof', ...time('13') });
  microsoft.put({ id: 'occurrence', type: 'occurrence', ...time('15') });
  microsoft.put({ id: 'whole', isAllDay: true, ...timed(`${next}T00:00:00Z`, `${next}T24:00:00Z`) });
  microsoft.put({ id: 'holiday', isAllDay: true, showAs: 'free', ...timed(`${day}T00:00:00Z`, `${day}T24:00:00Z`) });
  microsoft.pageSize = 3;
  assert.equal((await connect(id, 'microsoft')).status, 201);
  assert.deepEqual(await taken(id), [
    ...['07', '08', '12', '13', '15'].map((each) => busy(`${day}T${each}:00:00Z`, `${day}T${each}:30:00Z`)),
    // Berlin's day.
    busy(`${day}T23:00:00Z`, `${next}T23:00:00Z`),
  ]);
  assert.deepEqual(fakes.faults, []);
  assert.doesNotMatch(api.logs.join(''), /Secret|m-\d/);
});

test('the next page is asked of Graph alone', async () => {
  const id = await salon();
  for (const each of ['a', 'b'])
    microsoft.put({ id: each, ...timed(iso(api.clock.now + HOUR), iso(api.clock.now + 2 * HOUR)) });
  Object.assign(microsoft, { pageSize: 1, nextLink: 'https://graph.microsoft.com.evil.example/v1.0/me' });
  const { status, json } = await connect(id, 'microsoft');
  assert.deepEqual([status, json.errors?.[0]?.message], [422, 'Microsoft sends to another host']);
  assert.deepEqual(await calendarsOf(id), []);
});

test('a booking is written once, moved and cancelled with it; a lost answer writes nothing twice', async () => {
  const id = await salon();
  await connect(id, 'microsoft', { resource: 'Anna' });
  fakes.losesAnswerOf = 'POST';
  const apt = await booked(id, { candidates: ['Anna'] });
  await sync();
  assert.equal((await calendarsOf(id))[0]?.unwritten, 1);
  await sync(MINUTE);
  const event = microsoft.ownOf(apt);
  assert.deepEqual(
    [event?.subject, event?.start.dateTime],
    ['Cut: Zoë (Anna)', (await appointment(apt)).startsAt.replace('Z', '')],
  );
  assert.equal(microsoft.events.size, 1);
  await sync(6 * MINUTE);
  assert.equal((await calendarsOf(id))[0]?.busyTimes, 0, 'it is no busy time of its own');
  const later = iso(api.clock.now + 5 * HOUR);
  await api.tenant.ask('PATCH', `/appointments/${apt}`, { startsAt: later });
  await sync();
  assert.equal(microsoft.ownOf(apt)?.start.dateTime, later.replace('Z', ''));
  await api.tenant.ask('PATCH', `/appointments/${apt}`, { status: 'cancelled' });
  await sync();
  assert.equal(microsoft.events.size, 0);
  await api.tenant.ask('PATCH', `/appointments/${apt}`, { status: 'booked' });
  await sync();
  assert.equal(microsoft.events.size, 1);
  const before = writings();
  await sync();
  assert.equal(writings(), before, 'once each');
  assert.deepEqual(fakes.faults, []);
});

test('an appointment that comes back to its calendar is written although its transaction was used', async () => {
  const id = await salon();
  const { id: calendarId } = (await connect(id, 'microsoft', { resource: 'Anna' })).json.data;
  const apt = await booked(id, { candidates: ['Anna'] });
  await sync();
  const path = `/businesses/${id}/calendars/${calendarId}` as const;
  await api.tenant.ask('PATCH', path, { resource: 'Ben' });
  await sync();
  assert.equal(microsoft.events.size, 0);
  await api.tenant.ask('PATCH', path, { resource: 'Anna' });
  await sync();
  assert.ok(microsoft.ownOf(apt));
});

test('an event that is moved or deleted there moves or cancels the appointment; a copy is a busy time', async () => {
  const id = await salon();
  await connect(id, 'microsoft');
  const [moved, deleted] = [await booked(id), await booked(id, { callId: 'call_2' })];
  await sync();
  const start = iso(api.clock.now + 7 * HOUR);
  microsoft.put({ ...microsoft.ownOf(moved), ...timed(start, iso(api.clock.now + 8 * HOUR)) } as never);
  microsoft.events.delete(microsoft.ownOf(deleted)?.id ?? '');
  microsoft.put({
    ...microsoft.ownOf(moved),
    id: 'copy',
    ...timed(iso(api.clock.now + 10 * HOUR), iso(api.clock.now + 11 * HOUR)),
  } as never);
  await sync(6 * MINUTE);
  const { startsAt, history } = await appointment(moved);
  assert.deepEqual([startsAt, history.map(({ by }) => by)], [start, ['calendar']]);
  assert.equal((await appointment(deleted)).status, 'cancelled');
  assert.equal((await calendarsOf(id))[0]?.busyTimes, 1);
});

// Appointments: listed, moved, cancelled; never two at a time for one business, also not by requests at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../bench/rig/api/api.ts';
import { bookAppointment } from '../../../db/rules/booking.ts';
import { seedCall } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const HOUR = 3_600_000;
const NINE = Date.UTC(2026, 11, 1, 9);

const api = useTenants();

async function book(startsAt: number, changes: object = {}, accountId = api.tenant.accountId): Promise<string> {
  const answer = await bookAppointment(api.context.db, {
    accountId,
    businessId: 'biz_1',
    callId: null,
    service: 'Cleaning',
    startsAtMs: startsAt,
    endsAtMs: startsAt + HOUR,
    name: 'Ann',
    phone: '+14155552671',
    notes: null,
    nowMs: api.clock.now,
    ...changes,
  });
  assert.ok(answer.booked);
  return answer.appointmentId;
}

const iso = (ms: number) => new Date(ms).toISOString();
const patch = (id: string, body: object) => api.tenant.ask('PATCH', `/appointments/${id}`, body);

test('appointments are listed, and stand in the call they were booked on', async () => {
  const call = await seedCall(api, api.tenant);
  const id = await book(NINE, { callId: call.id });
  await book(NINE, {}, api.other.accountId);
  const { data, pagination } = (await api.tenant.ask('GET', '/appointments')).json;
  assert.equal(pagination.total, 1);
  assert.deepEqual(data[0], {
    id,
    callId: call.id,
    conversationId: null,
    businessId: 'biz_1',
    service: 'Cleaning',
    startsAt: iso(NINE),
    endsAt: iso(NINE + HOUR),
    name: 'Ann',
    phone: '+14155552671',
    notes: null,
    status: 'booked',
    resource: null,
    reference: data[0]?.reference,
    history: [],
    reminder: null,
  });
  assert.deepEqual((await api.tenant.ask('GET', `/calls/${call.id}`)).json.data.appointments, data);
  assert.deepEqual((await api.tenant.ask('GET', '/calls')).json.data[0]?.appointments, data);
  const total = async (query: string) => (await api.tenant.ask('GET', `/appointments?${query}`)).json.pagination.total;
  assert.equal(await total('status=cancelled'), 0);
  for (const phone of ['%2B14155552671', '+14155552671']) assert.equal(await total(`phone=${phone}`), 1);
  assert.equal(await total('phone=%2B14155552672'), 0);
});

test('a moved appointment keeps its duration; onto another one it is 409', async () => {
  const first = await book(NINE);
  const second = await book(NINE + 2 * HOUR);
  const moved = await patch(second, { startsAt: iso(NINE + HOUR) });
  assert.equal(moved.status, 200);
  assert.equal(moved.json.data.endsAt, iso(NINE + 2 * HOUR));
  for (const startsAt of [NINE - HOUR + 1, NINE, NINE + HOUR - 1]) {
    assert.equal((await patch(second, { startsAt: iso(startsAt) })).status, 409);
  }
  assert.equal((await patch(second, { startsAt: iso(NINE - HOUR) })).status, 200, 'end to start');
  assert.equal((await patch(first, {})).status, 200);
});

test('a cancelled appointment frees its time; booking it again needs the time to be free', async () => {
  const first = await book(NINE);
  assert.equal((await patch(first, { status: 'cancelled' })).json.data.status, 'cancelled');
  const second = await book(NINE);
  assert.equal((await patch(first, { status: 'booked' })).status, 409);
  await patch(second, { status: 'cancelled' });
  assert.equal((await patch(first, { status: 'booked' })).status, 200);
});

test('one that is booked again has another reference where somebody else has got its own', async () => {
  const first = await book(NINE);
  await patch(first, { status: 'cancelled' });
  const second = await book(NINE + HOUR);
  await api.context.db.updateTable('appointments').set({ reference: '123456' }).execute();
  const again = (await patch(first, { status: 'booked' })).json.data;
  assert.notEqual(again.reference, '123456');
  assert.match(again.reference ?? '', /^\d{6}$/);
  assert.equal((await patch(second, { startsAt: iso(NINE + 3 * HOUR) })).json.data.reference, '123456');
});

test('each change is in the history of the appointment, and one that changes nothing is not', async () => {
  const id = await book(NINE);
  await patch(id, { startsAt: iso(NINE) });
  await patch(id, { startsAt: iso(NINE + HOUR) });
  const { history } = (await patch(id, { status: 'cancelled' })).json.data;
  const at = iso(api.clock.now);
  assert.deepEqual(history, [
    { at, by: 'client', startsAt: iso(NINE), status: 'booked', resource: null },
    { at, by: 'client', startsAt: iso(NINE + HOUR), status: 'booked', resource: null },
  ]);
});

test('two of the staff have appointments at one time, one has not; an appointment goes to another of them', async () => {
  const business = (
    await api.tenant.ask('POST', '/businesses', {
      ...{ name: 'Salon', industry: 'salon', timezone: 'Europe/Berlin', bufferMinutes: 10 },
      resources: [{ name: 'Anna', aliases: ['Annie'] }, { name: 'Ben' }],
    })
  ).json.data;
  const of = (name: string) => ({ businessId: business.id, candidates: [name], known: ['Anna', 'Ben'] });
  const anna = await book(NINE, of('Anna'));
  const ben = await book(NINE, of('Ben'));
  assert.equal((await patch(ben, { resource: 'anna' })).status, 409);
  assert.equal((await patch(ben, { resource: 'Clara' })).status, 422);
  assert.equal((await patch(ben, { resource: null })).status, 409, 'it would take the whole business');
  const moved = await patch(ben, { resource: 'anna', startsAt: iso(NINE + HOUR) });
  assert.deepEqual([moved.status, moved.json.data.resource], [200, 'Anna']);
  assert.equal((await patch(anna, { startsAt: iso(NINE + HOUR) })).status, 409);
});

test('names of the staff that are blank, twice, or an alias of another are 422', async () => {
  const resources = [{ name: 'Anna', aliases: ['Ben'] }, { name: ' ' }, { name: 'ben' }];
  const body = { name: 'Salon', industry: 'salon', timezone: 'Europe/Berlin', resources };
  const { errors } = (await api.tenant.ask('POST', '/businesses', body)).json;
  assert.deepEqual(
    errors?.map(({ field }) => field),
    ['resources[1].name', 'resources[2].name'],
  );
});

test('of many moved to one time at once exactly one gets it', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 10; i++) ids.push(await book(NINE + i * 2 * HOUR));
  const target = iso(NINE + 100 * HOUR);
  const answers = await Promise.all(ids.map((id) => patch(id, { startsAt: target })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 9);
});

test('wrong bodies are 422, foreign ones 404, and a record can be sent back', async () => {
  const id = await book(NINE);
  const fields = (answer: Answer) => answer.json.errors?.map((error) => error.field);
  assert.deepEqual(fields(await patch(id, { startsAt: 'noon' })), ['startsAt']);
  assert.deepEqual(fields(await patch(id, { status: 'done' })), ['status']);
  assert.deepEqual(fields(await patch(id, { place: 'x' })), ['place']);
  const [record] = (await api.tenant.ask('GET', '/appointments')).json.data;
  assert.ok(record);
  assert.deepEqual((await patch(id, record)).json.data, record);
  const foreign = await api.other.ask('PATCH', `/appointments/${id}`, { status: 'cancelled' });
  assert.equal(foreign.status, 404);
  assert.equal(foreign.text, (await api.other.ask('PATCH', '/appointments/apt_none', { status: 'cancelled' })).text);
});

test('the do-not-call list: listing twice is 200 with the record, of the account alone', async () => {
  const post = (phoneNumber: string, reason?: string) =>
    api.tenant.ask('POST', '/do-not-call', { phoneNumber, ...(reason && { reason }) });
  const first = await post('+14155552671', 'asked');
  assert.equal(first.status, 201);
  assert.match(first.json.data.id, /^dnc_/);
  const again = await post('+14155552671', 'another reason');
  assert.equal(again.status, 200);
  assert.deepEqual(again.json.data, first.json.data);
  assert.deepEqual((await api.tenant.ask('GET', '/do-not-call')).json.data, [first.json.data]);
  const of = async (number: string) => (await api.tenant.ask('GET', `/do-not-call?phoneNumber=${number}`)).json.data;
  for (const number of ['%2B14155552671', '+14155552671']) assert.deepEqual(await of(number), [first.json.data]);
  assert.deepEqual(await of('%2B14155552672'), []);
  assert.equal((await api.other.ask('GET', '/do-not-call')).json.pagination.total, 0);
  assert.equal((await api.other.ask('DELETE', '/do-not-call/%2B14155552671')).status, 404);
  assert.equal((await post('14155552671')).status, 422);
  const removed = await api.tenant.ask('DELETE', '/do-not-call/%2B14155552671');
  assert.equal(removed.status, 200);
  assert.deepEqual(removed.json.data, first.json.data);
  assert.equal((await api.tenant.ask('DELETE', '/do-not-call/+14155552671')).status, 404);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('+14155552672')));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(answers.filter(({ status }) => status === 200).length, 19);
});

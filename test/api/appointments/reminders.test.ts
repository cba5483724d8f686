// Appointments that are reminded of by a call: once, at their time, where people may be called, and what comes of it.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { ReminderTurns, remindOfAppointments } from '../../../api/appointments/remind.ts';
import { placeDue } from '../../../api/calls/place/scheduled.ts';
import { bookAppointment, type NewAppointment } from '../../../db/rules/booking.ts';
import { changeAppointment } from '../../../db/rules/rebooking.ts';
import { confirmAppointment } from '../../../db/rules/reminding.ts';
import { addTrunk, engineIs, type Setup, seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

/** San Francisco. */
const CALLEE = '+14155552671';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const api = useFreshApi();
let set: Setup;
/** Two days ahead, at 20:00 UTC: noon there. */
let noon: number;

beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
  await addTrunk(api);
  await engineIs(api);
  noon = Math.floor(api.clock.now / DAY) * DAY + 2 * DAY + 20 * HOUR;
});

const path = () => `/businesses/${set.business.id}/reminders` as const;
const remindersAre = (body: object = { hoursBefore: 24 }) =>
  api.tenant.ask('PUT', path(), { campaignId: set.campaign.id, ...body });

async function booked(change: Partial<NewAppointment> = {}): Promise<string> {
  const answer = await bookAppointment(api.context.db, {
    ...{ accountId: api.tenant.accountId, businessId: set.business.id, callId: null, service: 'Cut' },
    ...{ phone: CALLEE, isPhoneProved: true },
    ...{ startsAtMs: noon, endsAtMs: noon + HOUR, name: 'Zoë', notes: null, nowMs: api.clock.now },
    ...change,
  });
  assert.ok(answer.booked);
  return answer.appointmentId;
}

/** Both jobs at that time. */
async function at(ms: number): Promise<void> {
  api.clock.now = ms;
  await engineIs(api);
  await remindOfAppointments(api.context);
  await placeDue(api.context);
}

const dialled = () => api.context.read.selectFrom('engineRequests').select('callId').execute();
async function appointment(id: string) {
  const { data } = (await api.tenant.ask('GET', '/appointments')).json;
  const found = data.find((each) => each.id === id);
  assert.ok(found);
  return found;
}

test('somebody is called once when it falls due, and the call knows the appointment', async () => {
  await remindersAre();
  const id = await booked();
  await at(noon - DAY - 1);
  assert.deepEqual(await dialled(), []);
  await at(noon - DAY);
  await Promise.all([remindOfAppointments(api.context), remindOfAppointments(api.context)]);
  await at(noon - DAY + 60_000);
  const [call, ...others] = await dialled();
  assert.deepEqual(others, []);
  const { reminder } = await appointment(id);
  assert.deepEqual(reminder, { callId: call?.callId, state: 'calling' });
  const { variables, metadata, toNumber } = (await api.tenant.ask('GET', `/calls/${call?.callId}`)).json.data;
  assert.deepEqual([toNumber, metadata], [CALLEE, { appointmentId: id }]);
  const { appointment: spoken, service, customer } = variables;
  assert.match(spoken ?? '', /^\w+day, November \d+ at \d/);
  assert.deepEqual([service, customer], ['Cut', 'Zoë']);
});

test('one that was cancelled or moved in time, booked or moved late, has no number, or no reminders, has no call', async () => {
  const silent = await booked({ callId: 'call_0', startsAtMs: noon + 9 * HOUR, endsAtMs: noon + 10 * HOUR });
  await at(noon - DAY + 9 * HOUR);
  await remindersAre();
  api.clock.now = noon - 3 * DAY;
  const cancelled = await booked();
  const moved = await booked({ startsAtMs: noon + 2 * HOUR, endsAtMs: noon + 3 * HOUR });
  await booked({ startsAtMs: noon + 3 * HOUR, endsAtMs: noon + 4 * HOUR, phone: null });
  await booked({ startsAtMs: noon + 4 * HOUR, endsAtMs: noon + 5 * HOUR, isPhoneProved: false });
  await booked({ startsAtMs: noon + 5 * HOUR, endsAtMs: noon + 6 * HOUR, phone: '+1 415 555 2671' });
  await api.tenant.ask('PATCH', `/appointments/${cancelled}`, { status: 'cancelled' });
  await api.tenant.ask('PATCH', `/appointments/${silent}`, { status: 'cancelled' });
  api.clock.now = noon - DAY + HOUR;
  await api.tenant.ask('PATCH', `/appointments/${moved}`, { startsAt: new Date(noon + HOUR / 2).toISOString() });
  await booked({ startsAtMs: noon + 6 * HOUR, endsAtMs: noon + 7 * HOUR, nowMs: noon - DAY + 6.5 * HOUR });
  await at(noon - DAY + 7 * HOUR);
  assert.deepEqual(await dialled(), []);
});

test('appointments that cannot be called keep no other waiting, of their own business or of others', async () => {
  await remindersAre();
  const first = await booked({ startsAtMs: noon - HOUR, endsAtMs: noon - HOUR / 2 });
  const { db } = api.context;
  const row = await db.selectFrom('appointments').selectAll().where('id', '=', first).executeTakeFirstOrThrow();
  await db.deleteFrom('appointments').where('id', '=', first).execute();
  // It is night in Tokyo; ids before those of all others.
  const many = Array.from({ length: 250 }, (_, n) => ({
    ...row,
    ...{ id: `apt_000${String(n).padStart(3, '0')}`, reference: String(100_000 + n), phone: '+81312345678' },
  }));
  for (let from = 0; from < many.length; from += 50)
    await db
      .insertInto('appointments')
      .values(many.slice(from, from + 50))
      .execute();
  const own = await booked();
  const theirs = await setUpCampaign(api, api.other);
  const reminders = { campaignId: theirs.campaign.id, hoursBefore: 24 };
  assert.equal((await api.other.ask('PUT', `/businesses/${theirs.business.id}/reminders`, reminders)).status, 200);
  const other = await booked({ accountId: api.other.accountId, businessId: theirs.business.id });
  const calling = async () => {
    const rows = await db.selectFrom('appointments').select('id').where('reminderCallId', 'is not', null).execute();
    return rows.map(({ id }) => id);
  };
  api.clock.now = noon - DAY;
  await engineIs(api);
  const turns = new ReminderTurns();
  await remindOfAppointments(api.context, turns);
  assert.deepEqual(await calling(), [other], 'in the first run');
  for (let run = 0; run < 2; run++) await remindOfAppointments(api.context, turns);
  assert.deepEqual((await calling()).sort(), [own, other].sort());
});

test('nobody is called outside of the hours in which their number may be, and nobody on the list is', async () => {
  await api.tenant.ask('PATCH', `/campaigns/${set.campaign.id}`, {
    callingWindow: { days: [1, 2, 3, 4, 5, 6, 7], startTime: '09:00', endTime: '18:00' },
  });
  await remindersAre({ dayBeforeAt: '03:00' });
  const id = await booked();
  // Three o'clock at the business: the number rings elsewhere.
  await at(noon - DAY - 8 * HOUR);
  assert.deepEqual(await dialled(), []);
  await api.tenant.ask('POST', '/do-not-call', { phoneNumber: CALLEE });
  await at(noon - DAY);
  assert.deepEqual(await dialled(), []);
  await at(noon - DAY + 60_000);
  assert.equal((await appointment(id)).reminder?.state, 'unreached');
});

test('a call that waits for a line is not placed when its appointment is cancelled meanwhile', async () => {
  await remindersAre();
  const id = await booked();
  api.clock.now = noon - DAY;
  await remindOfAppointments(api.context);
  await api.tenant.ask('PATCH', `/appointments/${id}`, { status: 'cancelled' });
  await at(noon - DAY + 1_000);
  assert.deepEqual(await dialled(), []);
});

test('somebody whose call was erased is not called, though their appointment stays', async () => {
  await remindersAre();
  const [early, late] = [await seedCall(api, api.tenant), await seedCall(api, api.tenant)];
  await booked({ callId: early.id, startsAtMs: noon - HOUR, endsAtMs: noon });
  const waiting = await booked({ callId: late.id });
  await api.tenant.ask('DELETE', `/calls/${early.id}`);
  api.clock.now = noon - DAY;
  await remindOfAppointments(api.context);
  assert.equal((await appointment(waiting)).reminder?.state, 'calling');
  await api.tenant.ask('DELETE', `/calls/${late.id}`);
  await at(noon - DAY + 1_000);
  assert.deepEqual(await dialled(), []);
  assert.deepEqual((await api.tenant.ask('GET', '/calls?status=SCHEDULED')).json.data, []);
});

test('a call that waits to remind somebody is gone with their erasure, and leaves no record of them', async () => {
  await remindersAre();
  const calls = async () => (await api.tenant.ask('GET', '/calls')).json.data.map(({ id }) => id);
  const waiting = () => api.context.read.selectFrom('scheduledCalls').select('id').execute();
  const call = await seedCall(api, api.tenant);
  const id = await booked({ callId: call.id });
  // Of an earlier release, which let it wait.
  const former = await booked({ startsAtMs: noon + HOUR, endsAtMs: noon + 2 * HOUR });
  api.clock.now = noon - DAY + HOUR;
  await remindOfAppointments(api.context);
  assert.equal((await waiting()).length, 2);
  assert.equal((await api.tenant.ask('DELETE', `/calls/${call.id}`)).status, 200);
  assert.equal((await waiting()).length, 1);
  assert.equal((await appointment(id)).reminder, null);
  await api.context.db.updateTable('appointments').set({ eraseAfter: noon }).where('id', '=', former).execute();
  await at(noon - DAY + HOUR);
  assert.deepEqual(await waiting(), []);
  assert.deepEqual(await dialled(), []);
  assert.deepEqual(await calls(), [call.id]);
});

test('what came of it stands on the appointment: confirmed, moved, cancelled, undecided, nobody reached', async () => {
  await remindersAre();
  const { db } = api.context;
  const { accountId } = api.tenant;
  const ids: string[] = [];
  for (let hour = 0; hour < 5; hour++)
    ids.push(await booked({ startsAtMs: noon + hour * HOUR, endsAtMs: noon + (hour + 1) * HOUR }));
  const [confirmed = '', cancelled = '', moved = '', undecided = '', unreached = ''] = ids;
  for (let hour = 0; hour < 5; hour++) await at(noon - DAY + hour * HOUR);
  const callOf = async (id: string) => (await appointment(id)).reminder?.callId ?? '';
  const businessId = set.business.id;
  const nowMs = api.clock.now;
  const confirming = { accountId, businessId, appointmentId: confirmed, nowMs };
  assert.equal(await confirmAppointment(db, { ...confirming, callId: await callOf(moved) }), false, 'another call');
  assert.equal(await confirmAppointment(db, { ...confirming, callId: await callOf(confirmed) }), true);
  const own = { accountId, businessId, phone: CALLEE, reference: null, nowMs };
  await changeAppointment(db, { ...own, appointmentId: cancelled, to: null });
  const to = { startsAtMs: noon + 7 * HOUR, endsAtMs: noon + 8 * HOUR, candidates: [null], known: [], bufferMs: 0 };
  await changeAppointment(db, { ...own, appointmentId: moved, to });
  for (const [id, answeredAt] of [
    [undecided, nowMs],
    [unreached, null],
  ] as const)
    await db
      .updateTable('calls')
      .set({ endedAt: nowMs, answeredAt, status: 'COMPLETED' })
      .where('id', '=', await callOf(id))
      .execute();
  await at(nowMs + 60_000);
  const states = await Promise.all(ids.map(async (id) => (await appointment(id)).reminder?.state));
  assert.deepEqual(states, ['confirmed', 'cancelled', 'moved', 'undecided', 'unreached']);
});

test('reminders are those of a campaign of the business, at one time, and are gone with it', async () => {
  assert.deepEqual((await remindersAre({})).json.data, {
    ...{ campaignId: set.campaign.id, dayBeforeAt: '17:00', hoursBefore: null },
  });
  const fields = async (body: object) => (await remindersAre(body)).json.errors?.map(({ field }) => field);
  assert.deepEqual(await fields({ campaignId: 'cmp_none' }), ['campaignId']);
  assert.deepEqual(await fields({ dayBeforeAt: '17:00', hoursBefore: 3 }), ['hoursBefore']);
  assert.deepEqual(await fields({ dayBeforeAt: '25:00' }), ['dayBeforeAt']);
  assert.deepEqual(await fields({ hoursBefore: 1 }), ['hoursBefore']);
  assert.equal((await api.other.ask('GET', path())).status, 404);
  assert.equal((await api.tenant.ask('DELETE', path())).status, 200);
  assert.equal((await api.tenant.ask('GET', path())).json.data.campaignId, null);
});

test('the call on which it was booked shows that another one reminds of it, as the appointment does', async () => {
  const { id: callId } = await seedCall(api, api.tenant);
  await remindersAre();
  const id = await booked({ callId });
  await at(noon - DAY);
  const { reminder } = await appointment(id);
  assert.ok(reminder);
  const [shown] = (await api.tenant.ask('GET', `/calls/${callId}`)).json.data.appointments;
  assert.deepEqual(shown?.reminder, reminder);
});

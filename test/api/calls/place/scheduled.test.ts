// Calls that are placed later: by a client's wish or an agent's promise, within the window where the callee is, once.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { placeDue } from '../../../../api/calls/place/scheduled.ts';
import type { Answer } from '../../../../bench/rig/api/api.ts';
import { scheduleCallback } from '../../../../db/rules/scheduling.ts';
import { addTrunk, engineIs, type Setup, seedCall, setUpCampaign } from '../../../support/api/resources.ts';
import { useFreshApi } from '../../../support/api/use-api.ts';

/** San Francisco. */
const CALLEE = '+14155552671';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const api = useFreshApi();
let set: Setup;
/** A day ahead, at 20:00 UTC: noon or one o'clock there. */
let noon: number;

beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
  await addTrunk(api);
  await engineIs(api);
  noon = Math.floor(api.clock.now / DAY) * DAY + DAY + 20 * HOUR;
});

const iso = (ms: number): string => new Date(ms).toISOString();
const schedule = (atMs: number, changes: object = {}, headers: Record<string, string> = {}) =>
  api.tenant.ask(
    'POST',
    '/calls',
    {
      campaignId: set.campaign.id,
      toNumber: CALLEE,
      fromPhoneNumberId: set.number.id,
      scheduledAt: iso(atMs),
      ...changes,
    },
    headers,
  );
const read = async (id: string) => (await api.tenant.ask('GET', `/calls/${id}`)).json.data;
const listed = async (query: string) => {
  const answer = await api.tenant.ask('GET', `/calls?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data.map(({ id }: { id: string }) => id);
};
const dialled = () => api.context.read.selectFrom('engineRequests').select('callId').execute();
const fault = (answer: Answer) => answer.json.errors?.[0];

async function at(ms: number): Promise<void> {
  api.clock.now = ms;
  await engineIs(api);
  await placeDue(api.context);
}

test('a call waits in its own list, and is dialled once when its time has come', async () => {
  const answer = await schedule(noon, { variables: { plan: 'gold' } });
  assert.equal(answer.status, 201, answer.text);
  const { id, status, startedAt, scheduled } = answer.json.data;
  assert.deepEqual([status, startedAt], ['SCHEDULED', iso(noon)]);
  assert.deepEqual(scheduled, { at: iso(noon), by: 'api', inCallId: null, reason: null, problem: null });
  assert.deepEqual(await read(id), answer.json.data);
  assert.deepEqual(await listed('status=SCHEDULED'), [id]);
  assert.deepEqual(await listed('limit=10'), [], 'whoever does not ask for them sees none');
  await at(noon - 1);
  assert.deepEqual(await dialled(), []);
  await at(noon);
  await placeDue(api.context);
  assert.deepEqual(await dialled(), [{ callId: id }]);
  const call = await read(id);
  assert.deepEqual([call.status, call.variables, call.toNumber], ['RINGING', { plan: 'gold' }, CALLEE]);
  assert.equal(call.scheduled, undefined);
  assert.deepEqual(await listed('status=SCHEDULED'), []);
});

test('lists of them are filtered and sorted by their time', async () => {
  const later = (await schedule(noon + HOUR)).json.data.id;
  const sooner = (await schedule(noon)).json.data.id;
  assert.deepEqual(await listed('status=SCHEDULED'), [later, sooner]);
  assert.deepEqual(await listed('status=SCHEDULED&sort=startedAt'), [sooner, later]);
  assert.deepEqual(await listed(`status=SCHEDULED&startDate=${iso(noon + MINUTE)}`), [later]);
  assert.deepEqual(await listed('status=SCHEDULED&limit=1&page=2'), [sooner]);
  assert.deepEqual(await listed('status=SCHEDULED&direction=inbound'), []);
  assert.deepEqual(await listed('status=SCHEDULED&outcome=completed'), []);
  assert.deepEqual(await listed('status=SCHEDULED&businessId=biz_other'), []);
  const ofCampaign = await api.tenant.ask('GET', `/campaigns/${set.campaign.id}/calls?status=SCHEDULED`);
  assert.equal(ofCampaign.json.pagination.total, 2);
});

test('a time that cannot be is refused with the next one that can', async () => {
  const day = Math.floor(noon / DAY) * DAY;
  // Five in the morning in California.
  const early = await schedule(day + 13 * HOUR);
  assert.equal(early.status, 422);
  assert.equal(fault(early)?.field, 'scheduledAt');
  assert.match(fault(early)?.message ?? '', /next time inside it is \d{4}-\d\d-\d\dT1[67]:00:00/);
  assert.match(fault(await schedule(api.clock.now - 1))?.message ?? '', /must lie ahead/);
  assert.match(fault(await schedule(noon + 91 * DAY))?.message ?? '', /within 90 days/);
  for (const scheduledAt of ['tomorrow', '2027-02-30T12:00:00Z', '2027-01-01', '', '2026-12-31T23:59:60Z'])
    assert.equal(fault(await schedule(noon, { scheduledAt }))?.field, 'scheduledAt', scheduledAt);
  const premium = await schedule(noon, { toNumber: '+19005550123' });
  assert.deepEqual([premium.status, premium.json.code], [422, 'DESTINATION_NOT_ALLOWED'], premium.text);
});

test('the same key schedules one call', async () => {
  const key = { 'idempotency-key': '0b0f2f0a-6a3f-4d4d-9f3f-0f8f5c6a7b1e' };
  const first = await schedule(noon, {}, key);
  const again = await schedule(noon, {}, key);
  assert.deepEqual([again.status, again.json.data.id], [201, first.json.data.id]);
  assert.equal((await listed('status=SCHEDULED')).length, 1);
});

test('a cancelled one is never dialled, and stays as a call that was not', async () => {
  const { id } = (await schedule(noon)).json.data;
  const erased = await api.tenant.ask('DELETE', `/calls/${id}`);
  assert.deepEqual([erased.status, erased.json.code], [409, 'CALL_RUNNING']);
  const ended = await api.tenant.ask('POST', `/calls/${id}/end`);
  assert.equal(ended.status, 200, ended.text);
  const { status, outcome, endReason } = ended.json.data;
  assert.deepEqual([status, outcome, endReason], ['FAILED', 'cancelled', 'api']);
  await at(noon);
  assert.deepEqual(await dialled(), []);
  assert.equal((await api.tenant.ask('POST', `/calls/${id}/end`)).status, 409);
});

test('it waits for room, and ends after a quarter of an hour without', async () => {
  const { id } = (await schedule(noon)).json.data;
  const pause = (status: 'PAUSED' | 'RUNNING') =>
    api.context.db.updateTable('campaigns').set({ status }).where('id', '=', set.campaign.id).execute();
  await pause('PAUSED');
  await at(noon);
  assert.equal((await read(id)).scheduled?.problem, 'Campaign is paused');
  await at(noon + 14 * MINUTE);
  assert.equal((await read(id)).status, 'SCHEDULED');
  await pause('RUNNING');
  await at(noon + 15 * MINUTE);
  assert.equal((await read(id)).status, 'RINGING', 'there was room in time');
  const other = (await schedule(noon + DAY)).json.data.id;
  await pause('PAUSED');
  await at(noon + DAY);
  await at(noon + DAY + 15 * MINUTE);
  const late = await read(other);
  assert.deepEqual([late.status, late.endReason], ['FAILED', 'campaign_paused']);
});

test('what has been forbidden meanwhile is not dialled', async () => {
  const { id } = (await schedule(noon)).json.data;
  await api.tenant.ask('POST', '/do-not-call', { phoneNumber: CALLEE });
  await at(noon);
  const call = await read(id);
  assert.deepEqual([call.status, call.endReason], ['FAILED', 'do_not_call']);
  assert.equal((await schedule(noon + HOUR)).json.code, 'ON_DO_NOT_CALL_LIST');
});

test('a window that has changed is kept', async () => {
  const { id } = (await schedule(noon)).json.data;
  const callingWindow = { timezone: 'UTC', days: ['monday'], start: '03:00', end: '03:30' };
  const changed = await api.tenant.ask('PATCH', `/campaigns/${set.campaign.id}`, { callingWindow });
  assert.equal(changed.status, 200, changed.text);
  await at(noon);
  assert.deepEqual([(await read(id)).endReason, await dialled()], ['refused', []]);
});

test('another account sees, cancels and places nothing of it', async () => {
  const { id } = (await schedule(noon)).json.data;
  const { other } = api;
  assert.equal((await other.ask('GET', `/calls/${id}`)).status, 404);
  assert.equal((await other.ask('POST', `/calls/${id}/end`)).status, 404);
  assert.equal((await other.ask('DELETE', `/calls/${id}`)).status, 404);
  assert.deepEqual((await other.ask('GET', '/calls?status=SCHEDULED')).json.data, []);
  assert.equal((await read(id)).status, 'SCHEDULED');
});

test('an agent’s promise: one for each call and number, to whoever called, within the window', async () => {
  const accountId = api.tenant.accountId;
  const inCall = (changes: object = {}) =>
    seedCall(api, api.tenant, {
      campaignId: set.campaign.id,
      direction: 'inbound',
      fromNumber: CALLEE,
      phoneNumberId: set.number.id,
      ...changes,
    });
  const call = await inCall();
  const wish = (callId: string, atMs: number) =>
    scheduleCallback(api.context.db, { accountId, callId, atMs, reason: 'the price', nowMs: api.clock.now });
  const first = await wish(call.id, noon);
  assert.ok(first.scheduled);
  const moved = await wish(call.id, noon + HOUR);
  assert.ok(moved.scheduled);
  const [id, ...more] = await listed('status=SCHEDULED');
  assert.deepEqual([id, more], [moved.callId, []]);
  const { scheduled, toNumber, fromNumber } = await read(moved.callId);
  assert.deepEqual([toNumber, fromNumber], [CALLEE, set.number.phoneNumber]);
  assert.deepEqual(scheduled, {
    ...{ at: iso(noon + HOUR), by: 'agent', inCallId: call.id, reason: 'the price', problem: null },
  });
  const night = await wish(call.id, noon + 12 * HOUR);
  assert.equal(night.scheduled, false);
  assert.equal(!night.scheduled && night.reason, 'outside_window');
  assert.equal((await listed('status=SCHEDULED')).length, 1, 'what was promised before stands');
  const anonymous = await inCall({ fromNumber: 'anonymous' });
  assert.deepEqual(await wish(anonymous.id, noon), { scheduled: false, reason: 'not_allowed' });
  const premium = await inCall({ fromNumber: '+19005550123' });
  assert.deepEqual(await wish(premium.id, noon), { scheduled: false, reason: 'not_allowed' });
});

test('nobody placed calls for an hour: whoever was to be called then is not called late', async () => {
  const { id } = (await schedule(noon)).json.data;
  await at(noon + HOUR);
  assert.deepEqual([(await read(id)).endReason, await dialled()], ['expired', []]);
});

test('one account’s backlog does not keep another one’s call waiting, and a broken call keeps nobody’s', async () => {
  const other = await setUpCampaign(api, api.other);
  const theirs = await api.other.ask('POST', '/calls', {
    ...{ campaignId: other.campaign.id, toNumber: CALLEE, fromPhoneNumberId: other.number.id },
    scheduledAt: iso(noon + 500),
  });
  assert.equal(theirs.status, 201, theirs.text);
  const first = (await schedule(noon)).json.data;
  const { db } = api.context;
  const row = await db.selectFrom('scheduledCalls').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow();
  const more = Array.from({ length: 300 }, (_, n) => ({
    ...row,
    id: `call_backlog${n}`,
    toNumber: `+14155553${100 + n}`,
  }));
  await db.insertInto('scheduledCalls').values(more).execute();
  // Variables that can be in no row of a call.
  await db.updateTable('scheduledCalls').set({ variables: 'x' }).where('id', '=', 'call_backlog0').execute();
  await at(noon + 500);
  const calls = await dialled();
  assert.ok(calls.some(({ callId }) => callId === theirs.json.data.id));
  assert.ok(calls.length < 60, `${calls.length} in one run`);
});

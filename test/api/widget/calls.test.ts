// Calls of visitors: ordinary browser calls, within the caps of their key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineIs } from '../../support/api/resources.ts';
import { useWidget } from '../../support/api/widget-lab.ts';

const RELAY = 'turn:turn.example.com:3478?transport=tcp';
const lab = useWidget({ TURN_URLS: RELAY, TURN_SECRET: 'shared with the relay' });
const { api } = lab;

const endCall = (id: string, seconds: number) =>
  api.context.db
    .updateTable('calls')
    .set({ status: 'COMPLETED', endedAt: api.clock.now, durationSeconds: seconds })
    .where('id', '=', id)
    .execute();

test('a call begins, and says from which page it came', async () => {
  const { id, key } = await lab.key();
  const { status, data } = await lab.visit(key, '/calls');
  assert.equal(status, 201);
  assert.match(data.socketUrl, new RegExp(`^ws.*/calls/${data.callId}\\?token=`));
  assert.deepEqual(
    data.iceServers.map(({ urls }) => urls),
    [[RELAY]],
  );
  const call = (await api.tenant.ask('GET', `/calls/${data.callId}`)).json.data;
  assert.deepEqual(
    [call.direction, call.fromNumber, call.metadata],
    ['inbound', 'web', { widgetKeyId: id, origin: 'https://www.shop.example' }],
  );
  const { calls, callsNow } = await lab.today(id);
  assert.deepEqual([calls, callsNow], [1, 1]);
});

test('caps of calls at once, a day and minutes hold, also where all come at the same moment', async () => {
  const { id, key } = await lab.key({ callsAtOnce: 2, callsPerDay: 4, minutesPerDay: 10 });
  const all = await Promise.all(Array.from({ length: 8 }, () => lab.visit(key, '/calls')));
  const begun = all.filter(({ status }) => status === 201).map(({ data }) => data.callId);
  assert.equal(begun.length, 2);
  for (const told of all.filter(({ status }) => status !== 201))
    assert.deepEqual([told.status, told.code, told.headers['retry-after']], [429, 'WIDGET_LIMIT', '30']);
  for (const callId of begun) await endCall(callId, 200);
  const third = await lab.visit(key, '/calls');
  assert.equal(third.status, 201);
  await endCall(third.data.callId, 200);
  assert.deepEqual([(await lab.visit(key, '/calls')).status, (await lab.today(id)).minutes], [429, 10], 'minutes');
  await api.tenant.ask('PATCH', `/widget-keys/${id}`, { minutesPerDay: 100 });
  assert.equal((await lab.visit(key, '/calls')).status, 201);
  assert.equal((await lab.visit(key, '/calls')).status, 429, 'calls of a day');
  assert.deepEqual((await lab.today(id)).refused.map(({ reason }) => reason).toSorted(), [
    'calls_at_once',
    'calls_per_day',
    'minutes_per_day',
  ]);
  api.clock.advance(86_400_000);
  const next = await lab.today(id);
  assert.deepEqual([next.calls, next.minutes, next.callsNow], [0, 0, 1], 'a new day; one call goes on');
});

test('why the account cannot take a call is told to nobody else', async () => {
  const { id, key } = await lab.key();
  await api.tenant.ask('POST', `/campaigns/${lab.set.campaign.id}/pause`);
  const told = await lab.visit(key, '/calls');
  assert.deepEqual([told.status, told.code], [503, 'WIDGET_UNAVAILABLE']);
  assert.equal((await lab.today(id)).calls, 0);
  assert.equal((await lab.visit(key, '')).status, 200);
});

test('a source that calls again and again is held up', async () => {
  const { key } = await lab.key({ callsPerDay: 100_000, callsAtOnce: 1_000 });
  const all = await Promise.all(Array.from({ length: 40 }, () => lab.visit(key, '/calls')));
  assert.equal(all.filter(({ status }) => status === 201).length, 30);
  assert.equal(all.filter(({ code }) => code === 'WIDGET_LIMIT').length, 10);
});

const from = (address: string, key: string) => lab.visit(key, '/calls', {}, undefined, address);

test('one network has all places but the last, and half of them once others call', async () => {
  const { id, key } = await lab.key({ callsAtOnce: 5 });
  const held: string[] = [];
  for (let n = 0; n < 4; n++) held.push((await from('198.51.100.7', key)).data.callId);
  const refused = await from('198.51.100.7', key);
  assert.deepEqual([refused.status, refused.code, refused.headers['retry-after']], [429, 'WIDGET_LIMIT', '30']);
  assert.equal((await from('203.0.113.9', key)).status, 201, 'the last place is for others');
  for (const callId of held.splice(0, 2)) await endCall(callId, 10);
  assert.equal((await from('198.51.100.7', key)).status, 201);
  assert.equal((await from('198.51.100.7', key)).status, 429, 'three of five');
  assert.equal((await from('203.0.113.9', key)).status, 201);
  assert.deepEqual(
    (await lab.today(id)).refused.map(({ reason, requests }) => [reason, requests]),
    [['calls_at_once', 2]],
  );
});

test('a network that others have left alone has the places again, and few are nobody’s part', async () => {
  const { key } = await lab.key({ callsAtOnce: 4 });
  assert.equal((await from('203.0.113.9', key)).status, 201);
  for (const status of [201, 201, 429]) assert.equal((await from('198.51.100.7', key)).status, status);
  api.clock.advance(30 * 60_000);
  await engineIs(api, { maxCalls: 100 });
  assert.equal((await from('198.51.100.7', key)).status, 201);
  const { key: small } = await lab.key({ callsAtOnce: 2 });
  for (const status of [201, 201, 429]) assert.equal((await from('198.51.100.8', small)).status, status);
});

test('a source of IPv6 is a network, whichever of its addresses it takes', async () => {
  const { key } = await lab.key({ callsAtOnce: 3 });
  const statuses: number[] = [];
  for (const last of ['1', '2', '3']) statuses.push((await from(`2001:db8:1:2::${last}`, key)).status);
  assert.deepEqual(statuses, [201, 201, 429]);
  assert.equal((await from('2001:db8:1:3::1', key)).status, 201);
});

test('one network has half of the day’s calls and minutes, and the others the rest', async () => {
  const { id, key } = await lab.key({ callsPerDay: 44, callsAtOnce: 100, minutesPerDay: 400 });
  await engineIs(api, { maxCalls: 100 });
  const statuses: number[] = [];
  for (let n = 0; n < 23; n++) {
    const { status, data } = await from('198.51.100.20', key);
    statuses.push(status);
    if (status === 201) await endCall(data.callId, 10);
  }
  assert.deepEqual(statuses, [...Array(22).fill(201), 429]);
  const other = await from('203.0.113.20', key);
  assert.equal(other.status, 201);
  await endCall(other.data.callId, 200 * 60);
  assert.equal((await from('203.0.113.20', key)).status, 429, '200 of 400 minutes');
  assert.equal((await from('203.0.113.21', key)).status, 201);
  assert.deepEqual((await lab.today(id)).refused.map(({ reason }) => reason).toSorted(), [
    'calls_per_day',
    'minutes_per_day',
  ]);
  api.clock.advance(86_400_000);
  await engineIs(api, { maxCalls: 100 });
  assert.equal((await from('198.51.100.20', key)).status, 201, 'a new day');
});

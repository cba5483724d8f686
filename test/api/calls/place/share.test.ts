// One account floods; another's calls go through all the same: places of the engine, and the pace of a trunk.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Tenant } from '../../../../bench/rig/api/api.ts';
import { addTrunk, engineIs, type Setup, setUpCampaign } from '../../../support/api/resources.ts';
import { useFreshApi } from '../../../support/api/use-api.ts';

const DAY = 86_400_000;

const api = useFreshApi();
let flooder: Tenant;
let theirs: Setup;
let other: Tenant;
let others: Setup;

beforeEach(async () => {
  flooder = api.tenant;
  other = api.other;
  theirs = await setUpCampaign(api, flooder);
  others = await setUpCampaign(api, other);
  await addTrunk(api);
  await trunkIs({ maxConcurrentCalls: 100, callsPerSecond: 100 });
  await engineIs(api, { maxCalls: 20 });
});

const trunkIs = (changes: object) => api.context.db.updateTable('trunks').set(changes).execute();

const place = (tenant = flooder, { campaign, number } = theirs) =>
  tenant.ask('POST', '/calls', { campaignId: campaign.id, toNumber: '+14155552671', fromPhoneNumberId: number.id });
const join = (tenant = flooder, { campaign } = theirs) => tenant.ask('POST', '/calls/web', { campaignId: campaign.id });

/** The engine takes what was asked, so that its row counts it. */
async function engineTakes(): Promise<void> {
  const { db } = api.context;
  await db.updateTable('engineRequests').set({ claimedAt: api.clock.now, doneAt: api.clock.now }).execute();
  const { total } = await db
    .selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  await engineIs(api, { maxCalls: 20, activeCalls: Number(total) });
}

/** Calls until one is refused; how many went through, and the refusal. */
async function flood(ask: () => ReturnType<typeof place> | ReturnType<typeof join>) {
  for (let count = 0; ; count++) {
    const answer = await ask();
    if (answer.status !== 201) return { count, ...answer, code: answer.json.code, error: answer.json.error ?? '' };
    await engineTakes();
  }
}

test('beside another account that called lately, one takes half of the places, by whatever kind of call', async () => {
  await place(other, others);
  await engineTakes();
  assert.equal((await join()).status, 201);
  const { count, status, code, error, headers } = await flood(place);
  assert.deepEqual([count, status, code], [9, 503, 'CAPACITY_REACHED']);
  assert.match(error, /account has 10 calls under way, its share of the 20 .*callShare/);
  assert.ok(headers['retry-after']);
  assert.equal((await join()).json.code, 'CAPACITY_REACHED');
  assert.equal((await place(other, others)).status, 201);
});

test('all who share leave some places to callers who call in', async () => {
  await place(other, others);
  await engineTakes();
  assert.equal((await flood(place)).count, 10);
  const rest = await flood(() => place(other, others));
  assert.equal(rest.count, 7);
  assert.match(rest.error, /2 of the 20 places are kept for calls that come in/);
});

test('a neighbour that has not called for a week is nobody to share with; from its first call on it is', async () => {
  await place(other, others);
  const end = () => api.context.db.updateTable('calls').set({ endedAt: api.clock.now }).execute();
  await end();
  api.clock.now += 8 * DAY;
  await engineTakes();
  assert.equal((await flood(place)).count, 20);
  await end();
  await engineTakes();
  assert.equal((await place(other, others)).status, 201);
  await engineTakes();
  assert.equal((await flood(place)).count, 10);
});

test('a handful of places is not divided', async () => {
  await place(other, others);
  await engineIs(api, { maxCalls: 4, activeCalls: 1 });
  const answers = await Promise.all([place(), place(), place(), place()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 503, 503]);
});

test('the installation’s own account shares with nobody, and an ADMIN sets the share of the others', async () => {
  await place(other, others);
  await engineTakes();
  const own = await setUpCampaign(api, api.admin);
  assert.equal((await flood(() => place(api.admin, own))).count, 19);
  await api.context.db.updateTable('calls').set({ endedAt: api.clock.now }).execute();
  await engineTakes();
  const set = await api.admin.ask('PATCH', '/admin/settings', { callShare: 20 });
  assert.equal(set.json.data.callShare, 20, set.text);
  assert.equal((await flood(place)).count, 4);
  for (const callShare of [0, 101, 1.5]) {
    const refused = await api.admin.ask('PATCH', '/admin/settings', { callShare });
    assert.equal(refused.status, 422, refused.text);
  }
  assert.equal((await api.admin.ask('PATCH', '/admin/settings', { callShare: null })).json.data.callShare, null);
});

test('one account takes half of a trunk’s calls per second; the other half is there for others', async () => {
  await trunkIs({ callsPerSecond: 4 });
  await engineIs(api, { maxCalls: 100 });
  await place(other, others);
  const asked = await Promise.all(Array.from({ length: 8 }, () => place()));
  const refused = asked.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 4, 'two seconds at two a second');
  assert.equal(refused[0]?.json.code, 'TRUNK_BUSY');
  assert.match(refused[0]?.json.error ?? '', /share of the calls a second/);
  assert.equal((await place(other, others)).status, 201);
  api.clock.now += 2_100;
  await engineIs(api, { maxCalls: 100 });
  await api.context.db.updateTable('calls').set({ endedAt: api.clock.now }).execute();
  assert.equal((await place()).status, 201);
});

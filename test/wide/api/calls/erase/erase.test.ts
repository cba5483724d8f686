// Erasing calls: nothing of the person is left on the disk, and the counts stay.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { sweepCalls } from '../../../../../api/calls/erase/sweep.ts';
import { CallSweeps } from '../../../../../api/calls/erase/sweep-job.ts';
import { runRetention } from '../../../../../api/upkeep/retention.ts';
import { eventually } from '../../../../../bench/rig/eventually.ts';
import { openDatabase } from '../../../../../db/database.ts';
import { addEvent } from '../../../../../db/outbox.ts';
import { replaceRecording, replaceSummary } from '../../../../../db/queries/calls/ended/after-call.ts';
import { keepSweep } from '../../../../../db/queries/calls/ended/sweeps.ts';
import { addReadInvites } from '../../../../../db/queries/trunks/read-invites.ts';
import { contactResource } from '../../../../../db/records/resources.ts';
import { insertScheduled } from '../../../../../db/rules/scheduling.ts';
import { newId } from '../../../../../db/shared/id.ts';
import { CALLEE, lifeOfCall as lifeOf, PERSONAL } from '../../../../support/api/life-of-call.ts';
import { addTrunk, engineIs, type Setup, seedCall, setUpCampaign } from '../../../../support/api/resources.ts';
import { useFreshApi } from '../../../../support/api/use-api.ts';
import { leftovers } from '../../../../support/leftovers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const api = useFreshApi();
let set: Setup;
beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
});

const dataDir = () => api.context.config.dataDir;
const erase = (id: string) => api.tenant.ask('DELETE', `/calls/${id}`);
const read = async (id: string) => (await api.tenant.ask('GET', `/calls/${id}`)).json.data;
const lifeOfCall = (at?: { startedAt?: number; startsAt?: number }) => lifeOf(api, set, at);

test('refused calls with the account’s numbers lose the person’s; what others had from them stays', async () => {
  const { db } = api.context;
  const row = { sourceAddress: '192.0.2.7', trunkId: null, sipStatus: 480, reason: 'number_inactive', count: 1 };
  const numbers = [
    { id: newId('rfc'), callerNumber: CALLEE, calledNumber: set.number.phoneNumber },
    { id: newId('rfc'), callerNumber: set.number.phoneNumber, calledNumber: CALLEE },
    { id: newId('rfc'), callerNumber: '+12025550113', calledNumber: set.number.phoneNumber },
  ];
  const rows = numbers.map((each) => ({ ...row, ...each, createdAt: api.clock.now }));
  await db.insertInto('refusedCalls').values(rows).execute();
  assert.equal((await erase(await lifeOfCall())).status, 200);
  const listed = (await api.admin.ask('GET', '/admin/refused-calls')).json.data;
  assert.deepEqual(
    listed.map(({ callerNumber, calledNumber }) => [callerNumber, calledNumber]),
    [
      ['+12025550113', set.number.phoneNumber],
      [set.number.phoneNumber, ''],
      ['', set.number.phoneNumber],
    ],
  );
  assert.deepEqual(leftovers(dataDir(), PERSONAL), []);
  // An abuser called others too: erasing a call with one number must not wipe what the operator knows of the others.
  await db
    .insertInto('refusedCalls')
    .values({ ...row, id: newId('rfc'), callerNumber: CALLEE, calledNumber: '+12025550111', createdAt: api.clock.now })
    .execute();
  assert.equal((await erase(await lifeOfCall())).status, 200);
  const [newest] = (await api.admin.ask('GET', '/admin/refused-calls')).json.data;
  assert.deepEqual([newest?.callerNumber, newest?.calledNumber], [CALLEE, '+12025550111']);
});

test('how a trunk read the person’s number goes with the call, as it came too; others’ INVITEs stay', async () => {
  const { db } = api.context;
  const trunk = (await api.admin.ask('POST', '/admin/trunks', { name: 'Provider', host: 'sip.example.com' })).json.data;
  const row = { trunkId: String(trunk.id), calledReceived: '2025550100', rule: 'own_number' } as const;
  const callerReceived = CALLEE.slice(1);
  const add = (calledNumber: string, callerNumber: string) =>
    addReadInvites(db, {
      rows: [{ ...row, id: newId('inv'), callerReceived, calledNumber, callerNumber, createdAt: api.clock.now }],
    });
  await add(set.number.phoneNumber, CALLEE);
  await add('+12025550111', '+12025550113');
  assert.equal((await erase(await lifeOfCall())).status, 200);
  const listed = (await api.admin.ask('GET', `/admin/trunks/${trunk.id}/invites`)).json.data;
  assert.deepEqual(
    listed.map((each) => [each.callerReceived, each.callerNumber]),
    [
      [callerReceived, '+12025550113'],
      ['', ''],
    ],
  );
});

test('a contact that opted out and is deleted leaves nothing in the log of events and deliveries', async () => {
  const { db } = api.context;
  const path = `/campaigns/${set.campaign.id}/contacts`;
  const contact = { phoneNumber: CALLEE, name: 'Zenobia King', variables: { crm: 'secret-crm' } };
  const added = await api.tenant.ask('POST', path, { contacts: [contact] });
  const id = (added.json.data as { contacts: Array<{ id: string }> }).contacts[0]?.id ?? '';
  const row = await db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await addEvent(db, {
    accountId: api.tenant.accountId,
    type: 'contact.opted_out',
    subjectId: id,
    data: contactResource(row),
    nowMs: api.clock.now,
  });
  assert.equal((await api.tenant.ask('DELETE', `${path}/${id}`)).status, 200);
  const events = await db.selectFrom('events').select('data').where('subjectId', '=', id).execute();
  assert.equal(events.length, 1);
  for (const word of PERSONAL) assert.ok(!events[0]?.data.includes(word), word);
});

test('after its erasure nothing of the person is left in database, log, files and output', async () => {
  const id = await lifeOfCall();
  assert.ok(leftovers(dataDir(), PERSONAL).length > 0);
  const answer = await erase(id);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(leftovers(dataDir(), PERSONAL), []);
  assert.deepEqual(
    PERSONAL.filter((word) => api.logs.join().includes(word)),
    [],
  );
  const { fromNumber, toNumber, callerName, variables, metadata, summary, tags, transcript, erasedAt, ...kept } =
    answer.json.data;
  assert.deepEqual(
    [fromNumber, toNumber, callerName, variables, metadata, summary, tags, transcript],
    ['', '', null, {}, {}, null, [], []],
  );
  assert.equal(erasedAt, new Date(api.clock.now).toISOString());
  assert.deepEqual([kept.status, kept.outcome, kept.durationSeconds], ['COMPLETED', 'hung_up', 30]);
  assert.deepEqual((await api.tenant.ask('GET', '/calls')).json.data[0], answer.json.data);
  assert.equal((await api.tenant.ask('GET', `/calls/${id}/audio`)).status, 404);
  assert.deepEqual((await api.tenant.ask('GET', `/calls/${id}/transcript`)).json.data, []);
});

test('after each of several deletions nothing of it is on the disk, beside others who read and write', async () => {
  /** As its job does, twice a second. */
  const gone = async (words: readonly string[]): Promise<void> => {
    await eventually(() => api.context.erasedBytes.cut(api.context));
    assert.deepEqual(leftovers(dataDir(), words), []);
  };
  const { ask } = api.tenant;
  const contacts = `/campaigns/${set.campaign.id}/contacts`;
  const call = await lifeOfCall();
  let isOver = false;
  // Another process that never pauses.
  const others = openDatabase(api.context.config.database, { synchronous: 'NORMAL' });
  const busy = (async () => {
    while (!isOver) {
      const sameAgain = others.updateTable('accounts').set((eb) => ({ timezone: eb.ref('timezone') }));
      await sameAgain.execute().catch(() => undefined);
      await others.selectFrom('calls').selectAll().execute();
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  try {
    for (const n of [1, 2, 3]) {
      const [number, listed] = [`+1202555014${n}`, `+1202555018${n}`];
      const name = `Ottilie the ${n}th`;
      const added = await ask('POST', contacts, { contacts: [{ phoneNumber: number, name }] });
      const id = (added.json.data as { contacts: Array<{ id: string }> }).contacts[0]?.id ?? '';
      assert.equal((await ask('POST', '/do-not-call', { phoneNumber: listed, reason: `said ${name}` })).status, 201);
      assert.equal((await ask('DELETE', `${contacts}/${id}`)).status, 200);
      await gone([number]);
      assert.equal((await ask('DELETE', `/do-not-call/${encodeURIComponent(listed)}`)).status, 200);
      await gone([listed, name]);
      if (n !== 2) continue;
      assert.equal((await erase(call)).status, 200);
      await gone(PERSONAL);
    }
  } finally {
    isOver = true;
    await busy;
    await others.destroy();
  }
});

test('the answer to an idempotent request is replayed without what is erased, and dials nobody', async () => {
  await addTrunk(api);
  await engineIs(api);
  const body = {
    campaignId: set.campaign.id,
    toNumber: CALLEE,
    fromPhoneNumberId: set.number.id,
    variables: { first: 'Zenobia' },
  };
  const key = { 'idempotency-key': '0f0e0d0c-0b0a-4908-8706-050403020100' };
  const { id } = (await api.tenant.ask('POST', '/calls', body, key)).json.data;
  assert.equal((await erase(id)).json.code, 'CALL_RUNNING');
  await api.tenant.ask('POST', `/calls/${id}/end`);
  await erase(id);
  assert.deepEqual(leftovers(dataDir(), PERSONAL), []);
  const again = await api.tenant.ask('POST', '/calls', body, key);
  assert.deepEqual([again.status, again.json.data.id, again.json.data.toNumber], [201, id, '']);
});

test('counts, minutes and stats stay, and the audit log says who erased what', async () => {
  const id = await lifeOfCall();
  const figures = async () => ({
    stats: (await api.tenant.ask('GET', `/campaigns/${set.campaign.id}/stats`)).json.data,
    minutes: (await api.tenant.ask('GET', '/account')).json.data.minutes,
    positive: (await api.tenant.ask('GET', '/calls?sentiment=positive')).json.pagination.total,
    all: (await api.tenant.ask('GET', '/calls')).json.pagination.total,
  });
  const before = await figures();
  await erase(id);
  assert.deepEqual(await figures(), before);
  const first = await read(id);
  api.clock.advance(60_000);
  assert.deepEqual((await erase(id)).json.data, first, 'a second erasure changes nothing');
  const { data } = (await api.tenant.ask('GET', `/businesses/${set.business.id}/audit-log`)).json;
  const entries = data.filter(({ action }) => action === 'call-erased');
  assert.deepEqual(
    entries.map(({ actor, changes }) => [actor, changes]),
    [[api.tenant.userId, { callId: { from: id, to: null } }]],
  );
});

test('what the engine finishes after the erasure is not kept', async () => {
  const id = await lifeOfCall();
  await erase(id);
  const { db } = api.context;
  await replaceSummary(db, { callId: id, summary: 'Zenobia', sentiment: 'negative', tags: [] });
  assert.equal(await replaceRecording(db, { callId: id, path: 'x.mp3', format: 'mp3' }), false);
  const { summary, sentiment } = await read(id);
  assert.deepEqual([summary, sentiment], [null, 'positive']);
});

test('an appointment that lies ahead keeps its names until it is over, on an installation that keeps its calls', async () => {
  const id = await lifeOfCall({ startsAt: api.clock.now + DAY });
  const appointment = async () => (await api.tenant.ask('GET', '/appointments')).json.data[0];
  await erase(id);
  assert.equal((await appointment())?.name, 'Zenobia King');
  const nightly = async () => {
    api.clock.advance(1.5 * DAY);
    await runRetention(api.context);
    assert.equal(await api.context.erasedBytes.cut(api.context), true);
  };
  await nightly();
  const { name, phone, notes, service, callId } = (await appointment()) ?? {};
  assert.deepEqual([name, phone, notes, service, callId], [null, null, null, 'Cut', id]);
  assert.deepEqual(leftovers(dataDir(), PERSONAL), []);
});

test('one that is moved keeps them until it is over then, and nothing of what was told of the move is left', async () => {
  const startsAt = Math.ceil(api.clock.now / HOUR) * HOUR + DAY;
  await erase(await lifeOfCall({ startsAt }));
  const [appointment] = (await api.tenant.ask('GET', '/appointments')).json.data;
  const moved = new Date(startsAt + 2 * DAY).toISOString();
  assert.equal((await api.tenant.ask('PATCH', `/appointments/${appointment?.id}`, { startsAt: moved })).status, 200);
  api.clock.advance(2 * DAY);
  await runRetention(api.context);
  const [ahead] = (await api.tenant.ask('GET', '/appointments')).json.data;
  assert.deepEqual([ahead?.name, ahead?.startsAt], ['Zenobia King', moved]);
  api.clock.advance(2 * DAY);
  await runRetention(api.context);
  assert.equal(await api.context.erasedBytes.cut(api.context), true);
  assert.deepEqual(leftovers(dataDir(), PERSONAL), []);
});

test('nobody who was erased is called back', async () => {
  const id = await lifeOfCall();
  const { accountId } = api.tenant;
  await insertScheduled(api.context.db, {
    ...{ accountId, campaignId: set.campaign.id, businessId: set.business.id, agentId: set.agent.id },
    ...{ phoneNumberId: set.number.id, fromNumber: set.number.phoneNumber, toNumber: CALLEE, variables: null },
    ...{ metadata: null, scheduledAt: api.clock.now + DAY, requestedBy: 'agent', inCallId: id, reason: 'aubergine' },
    createdAt: api.clock.now,
  });
  await erase(id);
  assert.deepEqual((await api.tenant.ask('GET', '/calls?status=SCHEDULED')).json.data, []);
  assert.deepEqual(leftovers(dataDir(), PERSONAL), []);
});

const quick = () => ({
  recordingsDir: api.context.config.recordingsDir,
  files: api.context.files,
  secretKey: api.context.secretKey,
  nowMs: api.clock.now,
  now: api.context.now,
  rest: () => Promise.resolve(),
  isStopped: () => false,
});

test('old calls are erased at night, oldest first, and newer ones stay', async () => {
  const old = await lifeOfCall({ startedAt: api.clock.now - 40 * DAY });
  const many: string[] = [];
  for (let i = 0; i < 45; i++)
    many.push((await seedCall(api, api.tenant, { startedAt: api.clock.now - (39 * DAY - i) })).id);
  const newer = await seedCall(api, api.tenant, { startedAt: api.clock.now - 29 * DAY });
  const foreign = await seedCall(api, api.other, { startedAt: api.clock.now - 400 * DAY });
  const set30 = await api.tenant.ask('PATCH', '/account', { retentionDays: 30 });
  assert.equal(set30.json.data.retentionDays, 30);
  assert.equal(await sweepCalls(api.context.db, quick()), 0, 'not by day');
  api.clock.advance(14.5 * HOUR);
  await new CallSweeps(api.context).run();
  assert.deepEqual(
    leftovers(dataDir(), PERSONAL).filter((found) => !found.endsWith(CALLEE)),
    [],
  );
  for (const id of [old, ...many]) assert.notEqual((await read(id)).erasedAt, null);
  assert.equal((await read(newer.id)).erasedAt, null);
  assert.equal((await api.other.ask('GET', `/calls/${foreign.id}`)).json.data.erasedAt, null);
  assert.equal(existsSync(join(api.context.config.recordingsDir, `${old}.wav`)), false);
  const { data } = (await api.tenant.ask('GET', `/businesses/${set.business.id}/audit-log`)).json;
  assert.deepEqual(data.find(({ action }) => action === 'calls-erased')?.changes, { calls: { from: 1, to: 0 } });
  assert.equal(await sweepCalls(api.context.db, quick()), 0, 'once a night');
});

test('a night in which conversations alone are old leaves nothing of them on the disk', async () => {
  const { id } = (await api.tenant.ask('POST', '/conversations', { campaignId: set.campaign.id })).json.data;
  await api.tenant.ask('POST', `/conversations/${id}/messages`, { text: 'I want an aubergine' });
  await api.tenant.ask('PATCH', '/account', { retentionDays: 1 });
  api.clock.advance(2 * DAY + 14.5 * HOUR);
  assert.equal(await sweepCalls(api.context.db, quick()), 0);
  assert.equal((await api.tenant.ask('GET', `/conversations/${id}`)).status, 404);
  assert.deepEqual(leftovers(dataDir(), PERSONAL), []);
});

test('a clock that is ahead for a night erases nothing, and nothing stays for good once it is right', async () => {
  const { id } = await seedCall(api, api.tenant, { startedAt: api.clock.now - 20 * DAY });
  await api.tenant.ask('PATCH', '/account', { retentionDays: 30 });
  const sweeps = () => new CallSweeps(api.context).run();
  const isErased = async () => {
    const calls = api.context.read.selectFrom('calls').select('erasedAt').where('id', '=', id);
    return (await calls.executeTakeFirstOrThrow()).erasedAt !== null;
  };
  api.clock.advance(14.5 * HOUR);
  await sweeps();
  const right = api.clock.now;
  api.clock.advance(400 * DAY);
  for (let hour = 0; hour < 24; hour += 6) {
    await sweeps();
    api.clock.advance(6 * HOUR);
  }
  assert.equal(await isErased(), false);
  api.clock.now = right + DAY;
  await sweeps();
  assert.equal(await isErased(), false, 'it is 21 days old');
  // A release before this one believed the clock.
  const ahead = { erasedUntil: right + 370 * DAY, sweptAt: right + 400 * DAY };
  await keepSweep(api.context.db, api.tenant.accountId, ahead);
  api.clock.now = right + 11 * DAY;
  await sweeps();
  assert.equal(await isErased(), true);
});

test('a service that was off for weeks sweeps again after three days, whatever is restarted meanwhile', async () => {
  const { id } = await seedCall(api, api.tenant, { startedAt: api.clock.now - 20 * DAY });
  await api.tenant.ask('PATCH', '/account', { retentionDays: 30 });
  api.clock.advance(14.5 * HOUR);
  await new CallSweeps(api.context).run();
  api.clock.advance(30 * DAY);
  for (let day = 0; day < 3; day++) {
    await new CallSweeps(api.context).run();
    assert.equal((await read(id)).erasedAt, null);
    api.clock.advance(DAY);
  }
  await new CallSweeps(api.context).run();
  assert.notEqual((await read(id)).erasedAt, null);
});

test('retentionDays is a whole number from 1 to 3,650, or null', async () => {
  for (const retentionDays of [0, 3_651, 1.5, '30']) {
    const answer = await api.tenant.ask('PATCH', '/account', { retentionDays });
    assert.deepEqual([answer.status, answer.json.errors?.[0]?.field], [422, 'retentionDays']);
  }
  assert.equal((await api.tenant.ask('PATCH', '/account', { retentionDays: 3_650 })).status, 200);
  assert.equal((await api.tenant.ask('PATCH', '/account', { retentionDays: null })).json.data.retentionDays, null);
});

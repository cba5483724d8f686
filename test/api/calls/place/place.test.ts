// Placing calls: every rule in its order, and capacity under concurrency.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../../bench/rig/api/api.ts';
import { CALLEE, usePlacing } from '../../../support/api/placing.ts';
import { addNumber, addTrunk, engineIs, seedCall, setUpCampaign } from '../../../support/api/resources.ts';

const { api, set, trunk, place, campaignIs, eventsOf } = usePlacing();

const field = (answer: Answer) => answer.json.errors?.map((error) => error.field);

test('a placed call is answered whole, and asked of the engine in the same moment', async () => {
  const answer = await place();
  assert.equal(answer.status, 201, answer.text);
  const call = answer.json.data;
  assert.match(call.id, /^call_/);
  assert.equal(call.status, 'RINGING');
  assert.equal(call.direction, 'outbound');
  assert.equal(call.fromNumber, set.number.phoneNumber);
  assert.equal(call.toNumber, CALLEE);
  assert.equal(call.phoneNumberId, set.number.id);
  assert.equal(call.campaignId, set.campaign.id);
  assert.equal(call.businessId, set.business.id);
  assert.equal(call.agentId, set.agent.id);
  assert.equal(call.endedAt, null);
  assert.equal(call.durationSeconds, 0);
  assert.deepEqual((await api.tenant.ask('GET', `/calls/${call.id}`)).json.data, call);
  const request = await api.context.read
    .selectFrom('engineRequests')
    .selectAll()
    .where('callId', '=', call.id)
    .executeTakeFirstOrThrow();
  assert.equal(request.kind, 'dial');
  assert.equal(request.expiresAt, api.clock.now + 30_000);
  assert.equal(request.claimedAt, null);
  assert.deepEqual(await eventsOf(call.id), []);
});

test('the caller name of a call is the contact’s', async () => {
  await api.tenant.ask('POST', `/campaigns/${set.campaign.id}/contacts`, {
    contacts: [{ phoneNumber: CALLEE, name: 'Ann Smith' }],
  });
  assert.equal((await place()).json.data.callerName, 'Ann Smith');
});

test('a call carries the variables and metadata of its request, else of the contact', async () => {
  await api.tenant.ask('POST', `/campaigns/${set.campaign.id}/contacts`, {
    contacts: [{ phoneNumber: CALLEE, variables: { due: 'May 3', first: 'Ann' }, metadata: { crmId: '4711' } }],
  });
  const own = (await place({ variables: { due: 'May 4' } })).json.data;
  assert.deepEqual([own.variables, own.metadata], [{ due: 'May 4' }, { crmId: '4711' }]);
  assert.deepEqual((await api.tenant.ask('GET', `/calls/${own.id}`)).json.data, own);
  assert.deepEqual((await api.tenant.ask('GET', '/calls')).json.data[0], own);
  const contacts = (await place()).json.data;
  assert.deepEqual(contacts.variables, { due: 'May 3', first: 'Ann' });
  const web = await api.tenant.ask('POST', '/calls/web', {
    campaignId: set.campaign.id,
    variables: { first: 'Bob' },
    metadata: { page: 'pricing' },
  });
  assert.deepEqual(
    [web.json.data.call.variables, web.json.data.call.metadata],
    [{ first: 'Bob' }, { page: 'pricing' }],
  );
  assert.deepEqual(field(await place({ variables: { 'a-b': 'x' } })), ['variables.a-b']);
});

test('an agent that is switched off goes on with single calls and those of a browser', async () => {
  await api.tenant.ask('PATCH', `/agents/${set.agent.id}`, { isActive: false });
  assert.equal((await api.tenant.ask('POST', `/campaigns/${set.campaign.id}/start`)).json.code, 'AGENT_INACTIVE');
  assert.equal((await place()).status, 201);
  assert.equal((await api.tenant.ask('POST', '/calls/web', { campaignId: set.campaign.id })).status, 201);
});

test('fields at fault are 422 by name', async () => {
  assert.deepEqual(field(await place({ toNumber: '555' })), ['toNumber']);
  assert.deepEqual(field(await place({ toNumber: '+15005550006000000' })), ['toNumber']);
  assert.deepEqual(field(await place({ toNumber: 5 })), ['toNumber']);
  assert.deepEqual(field(await place({ campaignId: 'cmp_none' })), ['campaignId']);
  assert.deepEqual(field(await place({ fromPhoneNumberId: 'pn_none' })), ['fromPhoneNumberId']);
  assert.deepEqual(field(await place({ campaingId: 'x' })), ['campaingId']);
  const none = await api.tenant.ask('POST', '/calls', {});
  assert.deepEqual(field(none)?.sort(), ['campaignId', 'fromPhoneNumberId', 'toNumber']);
  const badKey = await place({}, { 'idempotency-key': 'not-a-uuid' });
  assert.deepEqual(field(badKey), ['Idempotency-Key']);
});

test('another tenant’s campaign or number is as unknown as a missing one', async () => {
  const other = await setUpCampaign(api, api.other);
  assert.equal((await place({ campaignId: other.campaign.id })).text, (await place({ campaignId: 'cmp_none' })).text);
  assert.equal(
    (await place({ fromPhoneNumberId: other.number.id })).text,
    (await place({ fromPhoneNumberId: 'pn_none' })).text,
  );
});

test('a number of another campaign, inactive or unassigned is 422', async () => {
  const unassigned = await addNumber(api, api.tenant);
  const inactive = await addNumber(api, api.tenant, { campaignId: set.campaign.id, isActive: 0 });
  const releasing = await addNumber(api, api.tenant, { campaignId: set.campaign.id, status: 'releasing' });
  for (const { id } of [unassigned, inactive, releasing]) {
    assert.deepEqual(field(await place({ fromPhoneNumberId: id })), ['fromPhoneNumberId']);
  }
});

test('campaign states: DRAFT, SCHEDULED and RUNNING place, PAUSED is 429, COMPLETED and FAILED are 409', async () => {
  for (const [status, wanted, code] of [
    ['DRAFT', 201, undefined],
    ['SCHEDULED', 201, undefined],
    ['RUNNING', 201, undefined],
    ['PAUSED', 429, 'CAMPAIGN_PAUSED'],
    ['COMPLETED', 409, 'CAMPAIGN_ENDED'],
    ['FAILED', 409, 'CAMPAIGN_ENDED'],
  ] as const) {
    await campaignIs(status);
    const answer = await place();
    assert.deepEqual([answer.status, answer.json.code], [wanted, code], status);
    if (wanted === 429) assert.ok(Number(answer.headers['retry-after']) > 0);
  }
});

test('a number on the do-not-call list is 409', async () => {
  await api.tenant.ask('POST', '/do-not-call', { phoneNumber: CALLEE });
  const answer = await place();
  assert.equal(answer.status, 409);
  assert.match(answer.json.error ?? '', /do-not-call/);
  assert.equal(answer.json.code, 'ON_DO_NOT_CALL_LIST');
  await api.tenant.ask('DELETE', `/do-not-call/${CALLEE}`);
  assert.equal((await place()).status, 201);
});

test('used-up minutes are 429 unless overage is allowed', async () => {
  const { db } = api.context;
  await db
    .insertInto('accountUsage')
    .values({ accountId: api.tenant.accountId, month: '2026-11', seconds: 500 * 60 - 1 })
    .execute();
  assert.equal((await place()).status, 201);
  await db
    .updateTable('accountUsage')
    .set({ seconds: 500 * 60 })
    .execute();
  const answer = await place();
  assert.deepEqual([answer.status, answer.json.code], [429, 'MINUTES_EXHAUSTED']);
  assert.ok(Number(answer.headers['retry-after']) > 0);
  assert.equal((await api.tenant.ask('POST', '/calls/web', { campaignId: set.campaign.id })).status, 429);
  await db.updateTable('accounts').set({ overageEnabled: 1 }).where('id', '=', api.tenant.accountId).execute();
  assert.equal((await place()).status, 201);
  await db.updateTable('accounts').set({ overageEnabled: 0 }).where('id', '=', api.tenant.accountId).execute();
  api.clock.now = Date.UTC(2026, 11, 1, 0, 0, 1);
  await engineIs(api);
  assert.equal((await place()).status, 201, 'the next month is fresh');
});

test('the rules come in their order', async () => {
  const { db } = api.context;
  await engineIs(api, { state: 'stopped' });
  assert.equal((await place()).status, 503);
  assert.equal((await place({ fromPhoneNumberId: 'pn_none' })).status, 422, 'the number before the engine');
  await db
    .insertInto('accountUsage')
    .values({ accountId: api.tenant.accountId, month: '2026-11', seconds: 1e6 })
    .execute();
  assert.equal((await place({ fromPhoneNumberId: 'pn_none' })).status, 429, 'minutes before the number');
  await campaignIs('FAILED');
  assert.equal((await place()).status, 409, 'the campaign before the minutes');
  await campaignIs('PAUSED');
  await api.tenant.ask('POST', '/do-not-call', { phoneNumber: CALLEE });
  const listed = await place();
  assert.equal(listed.status, 409, 'do-not-call before the campaign');
  assert.match(listed.json.error ?? '', /do-not-call/);
  assert.equal((await place({ toNumber: 'x' })).status, 422, 'validation first');
});

test('an engine that is down, drains or is full is 503 with Retry-After and a reason', async () => {
  const states = [
    { state: 'stopped' },
    { state: 'starting' },
    { state: 'draining' },
    { telephonyUp: 0 },
    { heartbeatAt: api.clock.now - 5_000 },
    { activeCalls: 10 },
    { maxCalls: 0 },
    { isLate: 1 },
  ] as const;
  for (const state of states) {
    const code =
      'activeCalls' in state || 'maxCalls' in state || 'isLate' in state ? 'CAPACITY_REACHED' : 'ENGINE_DOWN';
    await engineIs(api, state);
    for (const answer of [await place(), await api.tenant.ask('POST', '/calls/web', { campaignId: set.campaign.id })]) {
      assert.deepEqual([answer.status, answer.json.code], [503, code], JSON.stringify(state));
      assert.ok(Number(answer.headers['retry-after']) > 0);
      assert.ok((answer.json.error ?? '').length > 10);
    }
  }
  const { total } = await api.context.read
    .selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  assert.equal(total, 0, 'no call is left');
});

test('no trunk, or one that is down or full: 503; a number without one of its own calls by the oldest', async () => {
  const { db } = api.context;
  const trunkState = (state: object) =>
    db.updateTable('trunkStates').set(state).where('trunkId', '=', trunk.id).execute();
  await trunkState({ healthState: 'down', lastError: '401 Unauthorized' });
  const down = await place();
  assert.equal(down.status, 503);
  assert.match(down.json.error ?? '', /401 Unauthorized; if its peer ignores OPTIONS, set optionsPing/);
  await trunkState({ healthState: 'up', registrationState: 'failed' });
  assert.equal((await place()).status, 503);
  await trunkState({ registrationState: 'registered' });
  const ends = (endedAt: number | null) => db.updateTable('calls').set({ endedAt }).execute();
  for (let i = 0; i < 5; i++) await seedCall(api, api.tenant, { trunkId: trunk.id, endedAt: null });
  assert.equal((await place()).json.code, 'TRUNK_FULL');
  await ends(api.clock.now);
  assert.equal((await place()).status, 201);
  const other = await addTrunk(api);
  const call = await place();
  const row = await db.selectFrom('calls').select('trunkId').where('id', '=', call.json.data.id).executeTakeFirst();
  assert.equal(row?.trunkId, trunk.id, 'the oldest');
  await trunkState({ healthState: 'down' });
  assert.equal((await place()).status, 503, 'another trunk is no backup unless it is named as one');
  await db.updateTable('trunks').set({ backupTrunkId: other }).where('id', '=', trunk.id).execute();
  assert.equal((await place()).status, 201);
  await trunkState({ healthState: 'up' });
  await db.updateTable('phoneNumbers').set({ trunkId: trunk.id }).where('id', '=', set.number.id).execute();
  assert.equal((await place()).status, 201);
  await db.updateTable('phoneNumbers').set({ trunkId: null }).execute();
  await db.updateTable('trunks').set({ deletedAt: 1 }).execute();
  assert.equal((await place()).status, 503);
  assert.equal(
    (await api.tenant.ask('POST', '/calls/web', { campaignId: set.campaign.id })).status,
    201,
    'a browser needs no trunk',
  );
});

test('of many calls at once only as many begin as there are places', async () => {
  await engineIs(api, { maxCalls: 7, activeCalls: 2 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => place()));
  assert.equal(answers.filter(({ status }) => status === 201).length, 5);
  assert.equal(answers.filter(({ status }) => status === 503).length, 15);
});

test('of many calls of several accounts at once no more begin than there are places, or than a trunk carries', async () => {
  await engineIs(api, { maxCalls: 8, activeCalls: 2 });
  await api.context.db.updateTable('trunks').set({ callsPerSecond: 50, maxConcurrentCalls: 50 }).execute();
  // An ADMIN's account shares its places with nobody.
  const callers = await Promise.all(
    [api.admin, await api.newTenant({ role: 'ADMIN' })].map(async (tenant) => {
      const { campaign, number } = await setUpCampaign(api, tenant);
      const wish = { campaignId: campaign.id, fromPhoneNumberId: number.id, toNumber: CALLEE };
      return () => tenant.ask('POST', '/calls', wish);
    }),
  );
  const begun = async (): Promise<number> => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => callers.map((call) => call())).flat());
    return answers.filter(({ status }) => status === 201).length;
  };
  assert.equal(await begun(), 6);
  await engineIs(api, { maxCalls: 200, activeCalls: 6 });
  await api.context.db.updateTable('trunks').set({ maxConcurrentCalls: 9 }).execute();
  assert.equal(await begun(), 3);
});

test('the same idempotency key places one call', async () => {
  const headers = { 'idempotency-key': '6fd7ae21-8d3c-4a3e-9a3e-0d3a5b1f2c4d' };
  const first = await place({}, headers);
  const again = await place({}, headers);
  assert.equal(first.status, 201);
  assert.equal(again.text, first.text);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal((await place({ toNumber: '+14155552672' }, headers)).status, 422);
  assert.equal((await api.tenant.ask('GET', '/calls')).json.pagination.total, 1);
});

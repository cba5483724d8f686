// Placing and ending calls: every rule in its order, capacity under concurrency, what becomes of calls nobody took.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { expireCalls } from '../../../../api/calls/control/end.ts';
import type { Answer } from '../../../../bench/rig/api/api.ts';
import { eventually } from '../../../../bench/rig/eventually.ts';
import { expireRequests } from '../../../../db/rules/engine-claims.ts';
import type { EventTable } from '../../../../db/schema/webhooks.ts';
import { addNumber, addTrunk, engineIs, type Setup, seedCall, setUpCampaign } from '../../../support/api/resources.ts';
import { useFreshApi } from '../../../support/api/use-api.ts';

const CALLEE = '+14155552671';

const api = useFreshApi();
let set: Setup;
let trunkId: string;

beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
  trunkId = await addTrunk(api);
  await engineIs(api);
});

const body = (changes: object = {}) => ({
  campaignId: set.campaign.id,
  toNumber: CALLEE,
  fromPhoneNumberId: set.number.id,
  ...changes,
});
const place = (changes: object = {}, headers: Record<string, string> = {}) =>
  api.tenant.ask('POST', '/calls', body(changes), headers);

const campaignIs = (status: string) =>
  api.context.db
    .updateTable('campaigns')
    .set({ status: status as 'PAUSED' })
    .where('id', '=', set.campaign.id)
    .execute();

async function eventsOf(callId: string): Promise<EventTable['type'][]> {
  const rows = await api.context.read
    .selectFrom('events')
    .select('type')
    .where('subjectId', '=', callId)
    .orderBy('seq')
    .execute();
  return rows.map(({ type }) => type);
}

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
    db.updateTable('trunkStates').set(state).where('trunkId', '=', trunkId).execute();
  await trunkState({ healthState: 'down', lastError: '401 Unauthorized' });
  const down = await place();
  assert.equal(down.status, 503);
  assert.match(down.json.error ?? '', /401 Unauthorized; if its peer ignores OPTIONS, set optionsPing/);
  await trunkState({ healthState: 'up', registrationState: 'failed' });
  assert.equal((await place()).status, 503);
  await trunkState({ registrationState: 'registered' });
  const ends = (endedAt: number | null) => db.updateTable('calls').set({ endedAt }).execute();
  for (let i = 0; i < 5; i++) await seedCall(api, api.tenant, { trunkId, endedAt: null });
  assert.equal((await place()).json.code, 'TRUNK_FULL');
  await ends(api.clock.now);
  assert.equal((await place()).status, 201);
  const other = await addTrunk(api);
  const call = await place();
  const row = await db.selectFrom('calls').select('trunkId').where('id', '=', call.json.data.id).executeTakeFirst();
  assert.equal(row?.trunkId, trunkId, 'the oldest');
  await trunkState({ healthState: 'down' });
  assert.equal((await place()).status, 503, 'another trunk is no backup unless it is named as one');
  await db.updateTable('trunks').set({ backupTrunkId: other }).where('id', '=', trunkId).execute();
  assert.equal((await place()).status, 201);
  await trunkState({ healthState: 'up' });
  await db.updateTable('phoneNumbers').set({ trunkId }).where('id', '=', set.number.id).execute();
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

test('a call that no engine takes ends FAILED after 30 s, with its events, and is never dialled', async () => {
  const { id } = (await place()).json.data;
  api.clock.advance(30_000);
  assert.equal(await expireCalls(api.context), 0, 'not a moment early');
  api.clock.advance(1);
  assert.equal(await expireCalls(api.context), 1);
  const call = (await api.tenant.ask('GET', `/calls/${id}`)).json.data;
  assert.equal(call.status, 'FAILED');
  assert.equal(call.endReason, 'expired');
  assert.equal(call.durationSeconds, 0);
  assert.notEqual(call.endedAt, null);
  assert.deepEqual(await eventsOf(id), ['call.started', 'call.ended', 'call.failed']);
  const request = await api.context.read.selectFrom('engineRequests').selectAll().executeTakeFirstOrThrow();
  assert.notEqual(request.doneAt, null);
  assert.equal(await expireCalls(api.context), 0);
  const event = await api.context.read
    .selectFrom('events')
    .selectAll()
    .where('type', '=', 'call.ended')
    .executeTakeFirstOrThrow();
  assert.deepEqual(JSON.parse(event.data), call);
});

test('a call that no engine takes ends alike, whichever process sees it first', async () => {
  const ends: unknown[] = [];
  for (const end of [
    () => expireCalls(api.context),
    () => api.context.db.transaction().execute((tx) => expireRequests(tx, { nowMs: api.clock.now, limit: 100 })),
  ]) {
    const dialled = (await place()).json.data.id;
    const web = (await api.tenant.ask('POST', '/calls/web', { campaignId: set.campaign.id })).json.data.call.id;
    api.clock.advance(61_000);
    await end();
    for (const id of [dialled, web]) {
      const { status, outcome, endReason } = (await api.tenant.ask('GET', `/calls/${id}`)).json.data;
      ends.push({ status, outcome, endReason, events: await eventsOf(id) });
    }
    // Both processes look all the time.
    assert.equal(await expireCalls(api.context), 0);
    await engineIs(api);
  }
  const dialled = {
    status: 'FAILED',
    outcome: 'expired',
    endReason: 'expired',
    events: ['call.started', 'call.ended', 'call.failed'],
  };
  const web = {
    status: 'FAILED',
    outcome: 'not_joined',
    endReason: 'not_joined',
    events: ['call.received', 'call.ended', 'call.failed'],
  };
  assert.deepEqual(ends, [dialled, web, dialled, web]);
});

test('a claimed call is not expired by the API', async () => {
  const { id } = (await place()).json.data;
  await api.context.db.updateTable('engineRequests').set({ claimedAt: api.clock.now, claimedBy: 'e' }).execute();
  api.clock.advance(60_000);
  assert.equal(await expireCalls(api.context), 0);
  assert.equal((await api.tenant.ask('GET', `/calls/${id}`)).json.data.status, 'RINGING');
});

test('ending a call that no engine has taken ends it there and then', async () => {
  const { id } = (await place()).json.data;
  const answer = await api.tenant.ask('POST', `/calls/${id}/end`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.data.status, 'FAILED');
  assert.equal(answer.json.data.endReason, 'api');
  assert.deepEqual(await eventsOf(id), ['call.started', 'call.ended', 'call.failed']);
  assert.equal((await api.tenant.ask('POST', `/calls/${id}/end`)).status, 409);
});

/** Plays the engine: claims the request to end a call, and ends it. */
async function engineEnds(callId: string): Promise<void> {
  await eventually(async () => {
    const request = await api.context.db
      .selectFrom('engineRequests')
      .selectAll()
      .where('kind', '=', 'end-call')
      .where('callId', '=', callId)
      .executeTakeFirst();
    if (request !== undefined) {
      await api.context.db
        .updateTable('calls')
        .set({ status: 'COMPLETED', outcome: 'completed', endReason: 'api', endedAt: api.clock.now })
        .where('id', '=', callId)
        .execute();
    }
    return request;
  });
}

test('ending a running call waits for the engine and answers the ended call', async () => {
  const call = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null, outcome: null });
  const [answer] = await Promise.all([api.tenant.ask('POST', `/calls/${call.id}/end`), engineEnds(call.id)]);
  assert.equal(answer.status, 200);
  assert.equal(answer.json.data.status, 'COMPLETED');
  assert.notEqual(answer.json.data.endedAt, null);
});

test('ending: a running call without an engine is 503, an ended one 409, a foreign one 404', async () => {
  await engineIs(api, { heartbeatAt: api.clock.now - 60_000 });
  const running = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null });
  const answer = await api.tenant.ask('POST', `/calls/${running.id}/end`);
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers['retry-after']) > 0);
  const ended = await seedCall(api, api.tenant);
  assert.equal((await api.tenant.ask('POST', `/calls/${ended.id}/end`)).status, 409);
  const foreign = await api.other.ask('POST', `/calls/${ended.id}/end`);
  assert.equal(foreign.status, 404);
  assert.equal(foreign.text, (await api.other.ask('POST', '/calls/call_none/end')).text);
});

test('a browser call: its token is random and kept only as a digest', async () => {
  const answer = await api.tenant.ask('POST', '/calls/web', { campaignId: set.campaign.id });
  assert.equal(answer.status, 201, answer.text);
  const { call, socketUrl } = answer.json.data;
  assert.equal(call.direction, 'inbound');
  assert.equal(call.fromNumber, 'web');
  assert.equal(call.toNumber, set.number.phoneNumber);
  assert.equal(call.phoneNumberId, null);
  const url = new URL(socketUrl);
  assert.equal(`${url.protocol}//${url.host}${url.pathname}`, `ws://127.0.0.1:8081/calls/${call.id}`);
  const token = url.searchParams.get('token') ?? '';
  assert.ok(token.length >= 40);
  const request = await api.context.read.selectFrom('engineRequests').selectAll().executeTakeFirstOrThrow();
  assert.equal(request.kind, 'web-call');
  assert.equal(JSON.parse(request.payload).tokenHash, createHash('sha256').update(token).digest('hex'));
  assert.equal(request.payload.includes(token), false);
  assert.equal(api.logs.join('\n').includes(token), false);
  assert.deepEqual(await eventsOf(call.id), ['call.received']);
  api.clock.advance(60_001);
  await expireCalls(api.context);
  const after = (await api.tenant.ask('GET', `/calls/${call.id}`)).json.data;
  assert.equal(after.status, 'FAILED');
  assert.equal(after.endReason, 'not_joined');
  assert.deepEqual(await eventsOf(call.id), ['call.received', 'call.ended', 'call.failed']);
});

test('browser calls: a paused campaign is 429, a failed one 409, an unknown one 422', async () => {
  const web = (campaignId: string) => api.tenant.ask('POST', '/calls/web', { campaignId });
  await campaignIs('PAUSED');
  assert.equal((await web(set.campaign.id)).status, 429);
  await campaignIs('FAILED');
  assert.equal((await web(set.campaign.id)).status, 409);
  await campaignIs('COMPLETED');
  assert.equal((await web(set.campaign.id)).status, 201);
  assert.equal((await web('cmp_none')).status, 422);
});

test('running calls are listed under /live, of the account alone', async () => {
  await seedCall(api, api.tenant);
  const running = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null });
  await seedCall(api, api.other, { status: 'IN_PROGRESS', endedAt: null });
  const answer = await api.tenant.ask('GET', '/live');
  assert.deepEqual(
    answer.json.data.map((call) => call.id),
    [running.id],
  );
  assert.equal(answer.json.pagination.total, 1);
});

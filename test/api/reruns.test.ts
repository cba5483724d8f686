// Calls of the past that are read again: which, how far, what becomes of those that fail, and that nothing is done
// twice. An engine's part runs here over the API's database, on a virtual clock.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { VirtualClock } from '../../bench/rig/clock.ts';
import { storeAnalysis } from '../../db/queries/results/analysis.ts';
import type { CallTable } from '../../db/schema/call-columns.ts';
import { transact } from '../../db/scope.ts';
import { type OperationName, operations } from '../../db/writing/operations.ts';
import { Reruns } from '../../engine/after-call/reruns.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import { seedCall, setUpCampaign } from '../support/api/resources.ts';
import { useTenants } from '../support/api/use-api.ts';

const api = useTenants();
const OUTPUT = { name: 'topic', schema: { type: 'string' }, description: 'What it was about' };

let ids: { businessId: string; campaignId: string; agentId: string };
beforeEach(async () => {
  const { business, campaign, agent } = await setUpCampaign(api, api.tenant);
  ids = { businessId: business.id, campaignId: campaign.id, agentId: agent.id };
  await api.tenant.ask('PATCH', `/businesses/${business.id}`, { outputs: [OUTPUT] });
});

const engines: Reruns[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
});

/** An engine that reads; `complete` answers for the model by the words of the call. */
function engine(
  complete: ((words: string) => string | Promise<string>) | null,
  more: Partial<ConstructorParameters<typeof Reruns>[0]> = {},
) {
  const clock = new VirtualClock(api.clock.now);
  const model = {
    complete: complete && (async ({ user }: { user: string }) => complete(user)),
  } as unknown as DialogueModel;
  const run = (name: OperationName, args: unknown) =>
    transact(api.context.db, null, (trx) => (operations[name] as (...all: unknown[]) => Promise<unknown>)(trx, args));
  const reruns = new Reruns({
    read: api.context.db,
    writer: { run: run as never },
    model,
    leads: () => true,
    whenFree: async () => {},
    clock,
    log: { warn() {} },
    outage: { explains: () => false },
    ...more,
  });
  engines.push(reruns);
  reruns.start();
  return { reruns, clock };
}

const call = (words: string, more: Partial<CallTable> = {}) =>
  seedCall(api, api.tenant, {
    ...ids,
    transcript: JSON.stringify([{ speaker: 'caller', text: words, timestamp: 0 }]),
    ...more,
  });

const found = (topic: string) => JSON.stringify({ data: { topic } });
const begin = (body: object = {}) => api.tenant.ask('POST', `/businesses/${ids.businessId}/reruns`, body);
const read = async (id: string) =>
  (await api.tenant.ask('GET', `/businesses/${ids.businessId}/reruns/${id}`)).json.data;
const topicOf = async (id: string) =>
  (await api.tenant.ask('GET', `/calls/${id}`)).json.data.analysis?.data.topic as unknown;

/** Lets time pass until the rerun fits; a hundred steps are more than any test takes. */
async function until(id: string, clock: VirtualClock, fits: (rerun: Awaited<ReturnType<typeof read>>) => boolean) {
  for (let step = 0; step < 300; step++) {
    const rerun = await read(id);
    if (fits(rerun)) return rerun;
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`the rerun never came so far: ${JSON.stringify(await read(id))}`);
}
const ended = ({ endedAt }: { endedAt: string | null }) => endedAt !== null;

const ANALYSIS = { reasons: {}, criteria: {}, by: 'model', analysedAt: '2026-01-01T00:00:00.000Z' } as const;
const had = ({ id: callId, accountId }: CallTable, topic: string) =>
  storeAnalysis(api.context.db, {
    callId,
    accountId,
    analysis: { ...ANALYSIS, data: { topic } },
    score: null,
    disposition: null,
    nowMs: api.clock.now,
  });

test('the answered calls of a business are read again, newest first, and new results take the place of old', async () => {
  const startedAt = api.clock.now - 3_600_000;
  const first = await call('about hours', { startedAt });
  const second = await call('about prices', { startedAt: startedAt + 1_000 });
  await had(first, 'old');
  await call('nobody answered', { answeredAt: null });
  await call('still going on', { endedAt: null });
  await seedCall(api, api.tenant, { businessId: 'biz_other' });
  const begun = await begin();
  assert.equal(begun.status, 201, begun.text);
  const { id, status, total, done } = begun.json.data;
  assert.deepEqual([status, total, done], ['RUNNING', 2, 0]);
  const asked: string[] = [];
  const { clock } = engine((words) => {
    asked.push(/about (\w+)/.exec(words)?.[1] ?? '');
    return found(asked.at(-1) ?? '');
  });
  const rerun = await until(id, clock, ended);
  assert.deepEqual([rerun.status, rerun.done, rerun.failed, rerun.failures], ['COMPLETED', 2, 0, []]);
  assert.deepEqual(asked, ['prices', 'hours']);
  assert.deepEqual([await topicOf(first.id), await topicOf(second.id)], ['hours', 'prices']);
  const list = await api.tenant.ask('GET', '/calls?output.topic=hours');
  assert.equal(list.json.pagination.total, 1, 'filters know the new value');
  assert.equal((await api.tenant.ask('GET', '/calls?output.topic=old')).json.pagination.total, 0);
});

test('a range, a campaign, a number of calls, and those without results', async () => {
  const DAY = 86_400_000;
  const start = Date.UTC(2026, 0, 1);
  const calls = [];
  for (let day = 0; day < 6; day++) calls.push(await call('x', { startedAt: start + day * DAY + 1_000 }));
  await call('x', { startedAt: start + 1, campaignId: 'cmp_other' });
  await had(calls[2] as CallTable, 'old');
  const totalOf = async (body: object) => {
    const { json, text } = await begin(body);
    assert.ok(json.data, text);
    await api.tenant.ask('POST', `/businesses/${ids.businessId}/reruns/${json.data.id}/cancel`);
    return json.data.total;
  };
  assert.equal(await totalOf({}), 7);
  assert.equal(await totalOf({ campaignId: ids.campaignId }), 6);
  assert.equal(await totalOf({ startDate: '2026-01-02', endDate: '2026-01-04' }), 3);
  assert.equal(await totalOf({ startDate: '2026-01-02', endDate: '2026-01-04', missingOnly: true }), 2);
  assert.equal(await totalOf({ limit: 4 }), 4);
  const none = await begin({ startDate: '2030-01-01' });
  assert.deepEqual([none.json.data.status, none.json.data.total], ['COMPLETED', 0]);
  const list = await api.tenant.ask('GET', `/businesses/${ids.businessId}/reruns`);
  assert.equal(list.json.pagination.total, 6);
});

test('a call that fails keeps what it has, and the rerun says which and why', async () => {
  const good = await call('about hours');
  const bad = await call('about trouble');
  const poem = await call('about a poem');
  for (const each of [good, bad, poem]) await had(each, 'old');
  const { id } = (await begin()).json.data;
  const { clock } = engine((words) => {
    if (words.includes('trouble')) throw Object.assign(new Error('secret words of the call'), { code: 'LLM_TIMEOUT' });
    return words.includes('poem') ? 'Roses are red' : found('hours');
  });
  const rerun = await until(id, clock, ended);
  assert.deepEqual([rerun.status, rerun.done, rerun.failed], ['COMPLETED', 1, 2]);
  const reasons = new Map(
    rerun.failures.map(({ callId, reason }: { callId: string; reason: string }) => [callId, reason]),
  );
  assert.equal(reasons.get(bad.id), 'The language model failed (LLM_TIMEOUT).');
  assert.equal(reasons.get(poem.id), 'The language model did not answer in the form that was asked for.');
  assert.deepEqual(await Promise.all([good, bad, poem].map((each) => topicOf(each.id))), ['hours', 'old', 'old']);
});

test('a model that is down ends the rerun, and the calls that were not read are left alone', async () => {
  for (let i = 0; i < 15; i++) await had(await call(`call ${i}`), 'old');
  const { id } = (await begin()).json.data;
  const { clock } = engine(() => {
    throw Object.assign(new Error('no'), { code: 'LLM_UNAVAILABLE' });
  });
  const rerun = await until(id, clock, ended);
  assert.deepEqual([rerun.status, rerun.done, rerun.failed, rerun.total], ['FAILED', 0, 10, 15]);
  assert.match(rerun.error ?? '', /10 calls in a row failed.*LLM_UNAVAILABLE/);
  assert.equal((await api.tenant.ask('GET', '/calls?output.topic=old')).json.pagination.total, 15);
});

test('without a language model what one has found stays, and what nobody has found is filled by rules', async () => {
  const judged = await call('x');
  const fresh = await call('y', { callerName: 'Ada' });
  await had(judged, 'old');
  await api.tenant.ask('PATCH', `/businesses/${ids.businessId}`, {
    outputs: [OUTPUT, { ...OUTPUT, name: 'caller_name' }],
  });
  const { id } = (await begin()).json.data;
  const { clock } = engine(null);
  const rerun = await until(id, clock, ended);
  assert.deepEqual([rerun.done, rerun.failed], [1, 1]);
  assert.match(rerun.failures[0]?.reason ?? '', /no language model/);
  assert.equal(await topicOf(judged.id), 'old');
  const { analysis } = (await api.tenant.ask('GET', `/calls/${fresh.id}`)).json.data;
  assert.deepEqual([analysis?.by, analysis?.data.caller_name], ['receptionist', 'Ada']);
});

test('another engine goes on where one ended, and a call that both had is stored once', async () => {
  for (let i = 0; i < 6; i++) await call(`call ${i}`);
  const { id } = (await begin({ webhooks: true })).json.data;
  const release = Promise.withResolvers<void>();
  let asked = 0;
  const slow = engine(async () => {
    if (++asked > 2) await release.promise;
    return found('one');
  });
  await until(id, slow.clock, ({ done }) => done === 2);
  // The first does not know that it was succeeded, and answers last.
  const next = engine(() => found('two'));
  await until(id, next.clock, ended);
  release.resolve();
  await slow.reruns.stop();
  const rerun = await read(id);
  assert.deepEqual([rerun.status, rerun.done, rerun.failed], ['COMPLETED', 6, 0]);
  assert.equal((await api.tenant.ask('GET', '/calls?output.topic=one')).json.pagination.total, 2);
  const events = await api.context.db
    .selectFrom('events')
    .select('data')
    .where('accountId', '=', api.tenant.accountId)
    .where('type', '=', 'call.analysed')
    .execute();
  assert.equal(events.length, 6);
  assert.ok(events.every(({ data }) => JSON.parse(data).rerunId === id));
});

test('webhooks are told only where the rerun says so; ended calls of now go first; an engine that does not lead waits', async () => {
  await call('x');
  const { id } = (await begin()).json.data;
  const idle = engine(() => found('never'), { leads: () => false });
  const free = Promise.withResolvers<void>();
  let isFree = false;
  const busy = engine(() => (isFree ? found('later') : found('too early')), { whenFree: () => free.promise });
  for (let step = 0; step < 20; step++) {
    idle.clock.advance(1_000);
    busy.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await read(id)).done, 0);
  isFree = true;
  free.resolve();
  await until(id, busy.clock, ended);
  assert.equal((await api.tenant.ask('GET', '/calls?output.topic=later')).json.pagination.total, 1);
  const { rows } = {
    rows: await api.context.db
      .selectFrom('events')
      .select('id')
      .where('accountId', '=', api.tenant.accountId)
      .where('type', '=', 'call.analysed')
      .execute(),
  };
  assert.deepEqual(rows, []);
});

test('accounts take turns, however many businesses one has', async () => {
  const { business } = await setUpCampaign(api, api.tenant);
  await api.tenant.ask('PATCH', `/businesses/${business.id}`, { outputs: [OUTPUT] });
  const others = await setUpCampaign(api, api.other);
  await api.other.ask('PATCH', `/businesses/${others.business.id}`, { outputs: [OUTPUT] });
  const places = [
    [api.tenant, ids.businessId, ids],
    [api.tenant, business.id, ids],
    [api.other, others.business.id, { campaignId: others.campaign.id, agentId: others.agent.id }],
  ] as const;
  const begun = [];
  for (const [tenant, businessId, more] of places) {
    const transcript = JSON.stringify([{ speaker: 'caller', text: `of ${tenant.accountId}`, timestamp: 0 }]);
    for (let n = 0; n < 3; n++) await seedCall(api, tenant, { ...more, businessId, transcript });
    begun.push((await tenant.ask('POST', `/businesses/${businessId}/reruns`, {})).json.data);
  }
  const read: string[] = [];
  const { clock } = engine((words) => {
    read.push(words.includes(api.other.accountId) ? 'other' : 'tenant');
    clock.advance(10);
    return found('x');
  });
  for (let step = 0; step < 300 && read.length < 9; step++) {
    clock.advance(1_000);
    await api.tenant.ask('GET', `/businesses/${ids.businessId}/reruns`);
  }
  assert.equal(begun.length, 3);
  assert.equal(read.slice(0, 6).filter((each) => each === 'other').length, 3, read.join());
});

test('it can be cancelled: what was read stays, what waits does not go on, and the call under way is not stored', async () => {
  for (let i = 0; i < 5; i++) await had(await call(`call ${i}`), 'old');
  const { id } = (await begin()).json.data;
  const release = Promise.withResolvers<void>();
  let asked = 0;
  const { clock } = engine(async () => {
    if (++asked === 3) await release.promise;
    return found('new');
  });
  await until(id, clock, ({ done }) => done === 2);
  const cancelled = await api.tenant.ask('POST', `/businesses/${ids.businessId}/reruns/${id}/cancel`);
  assert.deepEqual([cancelled.json.data.status, cancelled.json.data.done], ['CANCELLED', 2]);
  release.resolve();
  const again = await api.tenant.ask('POST', `/businesses/${ids.businessId}/reruns/${id}/cancel`);
  assert.equal(again.json.data.endedAt, cancelled.json.data.endedAt);
  const next = (await begin({ limit: 1 })).json.data;
  await until(next.id, clock, ended);
  assert.equal((await read(id)).done, 2);
});

test('outputs that are renamed meanwhile: the calls that are left are read for the new ones, and all can be found', async () => {
  for (let i = 0; i < 4; i++) await call(`call ${i}`);
  const { id } = (await begin()).json.data;
  const hold = Promise.withResolvers<void>();
  let asked = 0;
  const { clock } = engine(async (words) => {
    if (++asked === 3) await hold.promise;
    return JSON.stringify({ data: words.includes('"subject"') ? { subject: 'a' } : { topic: 'a' } });
  });
  await until(id, clock, ({ done }) => done === 2);
  await api.tenant.ask('PATCH', `/businesses/${ids.businessId}`, { outputs: [{ ...OUTPUT, name: 'subject' }] });
  hold.resolve();
  const rerun = await until(id, clock, ended);
  assert.deepEqual([rerun.status, rerun.done], ['COMPLETED', 4]);
  const totals = await Promise.all(
    ['topic', 'subject'].map(
      async (name) => (await api.tenant.ask('GET', `/calls?output.${name}=a`)).json.pagination.total,
    ),
  );
  assert.deepEqual(totals, [3, 1], 'the one that was being read is of the old name');
});

test('what is wrong is said: a second one, nothing wanted, another’s campaign, dates and numbers', async () => {
  await call('x');
  const { id } = (await begin()).json.data;
  const second = await begin();
  assert.deepEqual([second.status, second.json.code], [409, 'RERUN_UNDER_WAY']);
  assert.match(second.text, new RegExp(id));
  const both = await Promise.all([1, 2, 3].map(() => begin()));
  assert.ok(both.every(({ status }) => status === 409));
  await api.tenant.ask('POST', `/businesses/${ids.businessId}/reruns/${id}/cancel`);
  const atOnce = await Promise.all([1, 2, 3].map(() => begin()));
  assert.deepEqual(atOnce.map(({ status }) => status).sort(), [201, 409, 409]);

  const cases: Array<[body: object, field: string]> = [
    [{ startDate: 'yesterday' }, 'startDate'],
    [{ startDate: '2026-01-02', endDate: '2026-01-01' }, 'endDate'],
    [{ limit: 10_001 }, 'limit'],
    [{ campaign: 'x' }, 'campaign'],
  ];
  for (const [body, field] of cases) {
    const { status, json, text } = await begin(body);
    assert.deepEqual([status, json.errors?.map((error: { field: string }) => error.field)], [422, [field]], text);
  }
  assert.equal((await begin({ campaignId: 'cmp_none' })).status, 404);
  assert.equal((await api.other.ask('POST', `/businesses/${ids.businessId}/reruns`, {})).status, 404);
  assert.equal((await api.other.ask('GET', `/businesses/${ids.businessId}/reruns/${id}`)).status, 404);
  assert.equal((await api.other.ask('POST', `/businesses/${ids.businessId}/reruns/${id}/cancel`)).status, 404);
  await api.tenant.ask('PATCH', `/businesses/${ids.businessId}`, { outputs: [] });
  const nothing = await begin();
  assert.deepEqual([nothing.status, nothing.json.errors?.[0]?.field], [422, 'outputs'], nothing.text);
});

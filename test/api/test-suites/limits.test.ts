// Test suites do not fill the disk, nor the models' time: how long their definitions may be, what is left of them in
// runs, and how many runs are begun.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startDueRuns } from '../../../api/test-suites/due.ts';
import { claimTest, finishTest } from '../../../db/queries/test-runs/claims.ts';
import type { TestRunTable } from '../../../db/schema/test-suites.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
const HOUR_S = 3_600;
let ids: { agentId: string; businessId: string };

beforeEach(async () => {
  const { business, agent } = await setUpCampaign(api, api.tenant);
  ids = { businessId: business.id, agentId: agent.id };
});

const definition = (say = 'When do you open?') => ({ turns: [{ say }] });
const addCase = (suiteId: string, say?: string) =>
  api.tenant.ask('POST', `/test-suites/${suiteId}/cases`, { name: 'Hours', definition: definition(say) });
async function suite(more: object = {}): Promise<{ id: string; caseId: string }> {
  const { id } = (await api.tenant.ask('POST', '/test-suites', { name: 'Basics', ...ids, ...more })).json.data;
  return { id, caseId: (await addCase(id)).json.data.id };
}
const begin = (suiteId: string) => api.tenant.ask('POST', `/test-suites/${suiteId}/runs`);

test('the definitions of a suite have two million characters together', async () => {
  const { id, caseId } = await suite();
  const long = JSON.stringify({
    ...definition(),
    checks: [],
    history: [{ role: 'agent', text: 'x'.repeat(1_999_000) }],
  });
  await api.context.db.updateTable('testCases').set({ definition: long }).where('id', '=', caseId).execute();
  const short = (await addCase(id, 'Hello?')).json.data;
  const refused = await addCase(id, 'x'.repeat(1_500));
  assert.deepEqual([refused.status, refused.json.code], [409, 'QUOTA_EXCEEDED']);
  const longer = await api.tenant.ask('PATCH', `/test-cases/${short.id}`, {
    definition: definition('x'.repeat(1_500)),
  });
  assert.deepEqual([longer.status, longer.json.code], [409, 'QUOTA_EXCEEDED']);
  assert.equal((await api.tenant.ask('PATCH', `/test-cases/${short.id}`, { name: 'Greets' })).status, 200);
  assert.equal((await api.tenant.ask('PATCH', `/test-cases/${caseId}`, { definition: definition() })).status, 200);
  assert.equal((await addCase(id, 'x'.repeat(1_500))).status, 201);
});

async function copyIn(runId: string): Promise<string> {
  const results = api.context.db.selectFrom('testResults').select('definition').where('runId', '=', runId);
  return (await results.executeTakeFirstOrThrow()).definition;
}

test('a run keeps copies of the definitions until its cases are done, or it is cancelled', async () => {
  const { id } = await suite();
  const run = (await begin(id)).json.data;
  assert.match(await copyIn(run.id), /When do you open/);
  await api.tenant.ask('POST', `/test-runs/${run.id}/cancel`);
  assert.equal(await copyIn(run.id), '{}');
  const again = (await begin(id)).json.data;
  const { db, now } = api.context;
  const by = { engineId: 'eng_1', nowMs: now() };
  const work = await claimTest(db, { ...by, kind: 'eval', untilMs: now() + 30_000 });
  assert.match(work?.definition ?? '', /When do you open/);
  const outcome = { status: 'PASSED', checks: [], transcript: [], error: null } as const;
  await finishTest(db, { ...by, resultId: work?.resultId ?? '', attempt: 1, outcome, durationMs: 5 });
  assert.equal(await copyIn(again.id), '{}');
  const { bytes } = await db
    .selectFrom('testRuns')
    .select('bytes')
    .where('id', '=', again.id)
    .executeTakeFirstOrThrow();
  assert.equal(bytes, '[][]'.length);
});

/** Runs of the account's that are over. */
async function ran(suiteId: string, count: number, bytes = 0): Promise<void> {
  const { accountId } = api.tenant;
  const at = { touchedAt: api.clock.now, createdAt: api.clock.now, startedAt: null, endedAt: api.clock.now };
  const of = {
    accountId,
    suiteId,
    status: 'CANCELLED',
    cause: 'request',
    seed: 1,
    agentVersion: 1,
    businessVersion: 1,
  };
  const counts = { total: 1, passed: 0, failed: 0, errors: 1, bytes };
  const rows = Array.from(
    { length: count },
    (_, n) => ({ id: `run_${suiteId}_${n}`, ...of, ...counts, ...at }) as TestRunTable,
  );
  await api.context.db.insertInto('testRuns').values(rows).execute();
}

test('an account begins 150 runs in an hour, by request and by saving', async () => {
  const { id } = await suite({ runOnSave: true });
  await ran(id, 149);
  const run = (await begin(id)).json.data;
  await api.tenant.ask('POST', `/test-runs/${run.id}/cancel`);
  const { status, json } = await begin(id);
  assert.deepEqual([status, json.code], [429, 'TESTS_BUSY']);
  await api.tenant.ask('PATCH', `/agents/${ids.agentId}`, { description: 'Changed' });
  api.clock.now += 10_000;
  assert.equal(await startDueRuns(api.context), 0);
  api.clock.now += HOUR_S * 1_000;
  assert.equal(await startDueRuns(api.context), 1, 'the change was waited with, and not forgotten');
});

test('an account keeps 200 MB of what was written down of its runs, the newest', async () => {
  const { id } = await suite();
  await ran(id, 3, 90_000_000);
  await api.context.db.updateTable('testRuns').set({ createdAt: 1 }).where('id', '=', `run_${id}_1`).execute();
  await begin(id);
  const { data } = (await api.tenant.ask('GET', '/test-runs')).json;
  const kept = data.map((run) => run.id).filter((run) => run.startsWith(`run_${id}_`));
  assert.deepEqual(kept.sort(), [`run_${id}_0`, `run_${id}_2`]);
});

test('a case has 300 checks, with those of its turns', async () => {
  const { id } = await suite();
  const checks = Array.from({ length: 50 }, () => ({ said: 'nine' }));
  const turns = Array.from({ length: 6 }, () => ({ say: 'When?', checks }));
  const post = (more: object) =>
    api.tenant.ask('POST', `/test-suites/${id}/cases`, { name: 'Hours', definition: { turns, ...more } });
  assert.equal((await post({})).status, 201);
  assert.equal((await post({ checks: [{ said: 'nine' }] })).status, 422);
});

test('of suites that run on save five are under way at a time', async () => {
  for (let n = 0; n < 7; n++) await suite({ runOnSave: true });
  await api.tenant.ask('PATCH', `/agents/${ids.agentId}`, { description: 'Changed' });
  api.clock.now += 4_000;
  assert.equal(await startDueRuns(api.context), 5);
  for (const { id } of (await api.tenant.ask('GET', '/test-runs')).json.data)
    await api.tenant.ask('POST', `/test-runs/${id}/cancel`);
  api.clock.now += 4_000;
  assert.equal(await startDueRuns(api.context), 2);
});

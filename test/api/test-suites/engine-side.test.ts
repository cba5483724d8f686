// Engines and the runs of test suites: who runs a case, what becomes of one whose engine dies, and how a run ends.
// The engine's part runs here over the API's database, on a virtual clock.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import type { TestWork } from '../../../db/queries/test-runs/claims.ts';
import type { TestResultTable, TestRunTable } from '../../../db/schema/test-suites.ts';
import { transact } from '../../../db/scope.ts';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import { TestRuns } from '../../../engine/test-runs/test-runs.ts';
import { type RunTest, unrunnable } from '../../../engine/test-runs/work.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
let suiteId: string;
let clock: VirtualClock;
const engines: TestRuns[] = [];
/** How often an engine has said that it still runs a case. */
let holds = 0;
beforeEach(async () => {
  const { business, agent } = await setUpCampaign(api, api.tenant);
  const body = { name: 'Basics', businessId: business.id, agentId: agent.id };
  suiteId = (await api.tenant.ask('POST', '/test-suites', body)).json.data.id;
  clock = new VirtualClock(api.clock.now);
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
});

const run = (name: OperationName, args: unknown) =>
  transact(api.context.db, null, (trx) => (operations[name] as (...all: unknown[]) => Promise<unknown>)(trx, args));

function engine(engineId: string, runEval: RunTest, writes: { isDead: boolean } = { isDead: false }): TestRuns {
  const runs = new TestRuns({
    read: api.context.db,
    writer: {
      run: (async (name: OperationName, args: unknown) => {
        if (writes.isDead) return new Promise(() => {});
        const done = await run(name, args);
        if (name === 'holdTest') holds++;
        return done;
      }) as never,
    },
    engineId,
    clock,
    log: { warn() {}, error() {} },
    outage: { explains: () => false },
    runners: { eval: runEval, simulation: null },
  });
  if (!writes.isDead) engines.push(runs);
  runs.start();
  return runs;
}

const passed = { status: 'PASSED', checks: [], transcript: [], error: null } as const;

async function begin(...names: string[]): Promise<string> {
  for (const name of names) {
    await api.tenant.ask('POST', `/test-suites/${suiteId}/cases`, { name, definition: { turns: [{ say: 'Hello' }] } });
  }
  return (await api.tenant.ask('POST', `/test-suites/${suiteId}/runs`)).json.data.id;
}

const read = async (id: string) => (await api.tenant.ask('GET', `/test-runs/${id}`)).json.data;
const results = async (id: string) => (await api.tenant.ask('GET', `/test-runs/${id}/results`)).json.data;

/** Lets time pass, a second a look. */
async function until(id: string, status: string) {
  await eventually(async () => {
    clock.advance(1_000);
    return (await read(id)).status === status;
  });
  return read(id);
}

test('cases run one after the other, and the last one ends the run', async () => {
  const id = await begin('One', 'Two', 'Three');
  const order: string[] = [];
  let atOnce = 0;
  engine('engine_1', async ({ caseName }) => {
    assert.equal(++atOnce, 1);
    order.push(caseName);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce--;
    if (caseName === 'Two') return { ...passed, status: 'FAILED' };
    if (caseName === 'Three') throw new Error('no voice');
    return passed;
  });
  const ended = await until(id, 'FAILED');
  assert.deepEqual(order, ['One', 'Two', 'Three']);
  assert.deepEqual(ended.counts, { total: 3, passed: 1, failed: 1, errors: 1 });
  assert.deepEqual(
    (await results(id)).map(({ status, error }) => [status, error]),
    [
      ['PASSED', null],
      ['FAILED', null],
      ['ERROR', 'It could not be run: no voice'],
    ],
  );
});

test('a run that only could not be run is no failure and no success', async () => {
  const id = await begin('One', 'Two');
  engine('engine_1', async ({ caseName }) => (caseName === 'One' ? passed : unrunnable('no model')));
  assert.deepEqual((await until(id, 'ERROR')).counts, { total: 2, passed: 1, failed: 0, errors: 1 });
});

test('two engines share a run, and no case is run twice', async () => {
  const id = await begin('One', 'Two', 'Three', 'Four');
  const done: string[] = [];
  const runner: RunTest = async ({ caseName }) => {
    done.push(caseName);
    await new Promise((resolve) => setImmediate(resolve));
    return passed;
  };
  engine('engine_1', runner);
  engine('engine_2', runner);
  await until(id, 'PASSED');
  assert.deepEqual(done.sort(), ['Four', 'One', 'Three', 'Two']);
});

test('the case of an engine that was killed is run by another one', async () => {
  const id = await begin('One');
  const writes = { isDead: false };
  const killed = engine('engine_1', () => new Promise(() => {}), writes);
  await until(id, 'RUNNING');
  writes.isDead = true;
  engines.splice(engines.indexOf(killed), 1);
  const seen: number[] = [];
  engine('engine_2', async ({ attempt }) => {
    seen.push(attempt);
    return passed;
  });
  await until(id, 'PASSED');
  assert.deepEqual(seen, [2]);
});

test('a case over which three engines died ends as an error', async () => {
  const id = await begin('One');
  for (const engineId of ['engine_1', 'engine_2', 'engine_3']) {
    const nowMs = clock.nowMs();
    assert.ok(await run('claimTest', { engineId, kind: 'eval', nowMs, untilMs: nowMs + 10 }));
    clock.advance(1_000);
  }
  engine('engine_4', async () => passed);
  await until(id, 'ERROR');
  assert.match((await results(id))[0]?.error ?? '', /three|3 times/);
});

test('an account with many runs under way has its cases run in turn with those of others', async () => {
  const ofMany: string[] = [];
  for (let n = 0; n < 4; n++) {
    const { business, agent } = await setUpCampaign(api, api.tenant);
    const body = { name: `Suite ${n}`, businessId: business.id, agentId: agent.id };
    suiteId = (await api.tenant.ask('POST', '/test-suites', body)).json.data.id;
    ofMany.push(await begin('One', 'Two'));
    api.clock.advance(10);
  }
  const { business, agent } = await setUpCampaign(api, api.other);
  const body = { name: 'Basics', businessId: business.id, agentId: agent.id };
  const { id } = (await api.other.ask('POST', '/test-suites', body)).json.data;
  for (const name of ['One', 'Two'])
    await api.other.ask('POST', `/test-suites/${id}/cases`, { name, definition: { turns: [{ say: 'Hello' }] } });
  const own = (await api.other.ask('POST', `/test-suites/${id}/runs`)).json.data.id;
  const claimed: string[] = [];
  for (let n = 1; n <= 6; n++) {
    const nowMs = api.clock.now + n * 1_000;
    const work = (await run('claimTest', {
      engineId: 'engine_1',
      kind: 'eval',
      nowMs,
      untilMs: nowMs + 60_000,
    })) as TestWork;
    claimed.push(work.runId === own ? 'other' : 'many');
  }
  assert.deepEqual(claimed, ['many', 'other', 'many', 'other', 'many', 'many']);
  for (const runId of ofMany) await api.tenant.ask('POST', `/test-runs/${runId}/cancel`);
  await api.other.ask('POST', `/test-runs/${own}/cancel`);
});

test('runs whose cases this engine cannot take keep nobody else waiting', async () => {
  const first = await begin('One');
  const { db } = api.context;
  const rowOf = (table: 'testRuns' | 'testResults', column: 'id' | 'runId') =>
    db
      .selectFrom(table)
      .selectAll()
      .where(column as never, '=', first as never)
      .executeTakeFirstOrThrow();
  const aRun = (await rowOf('testRuns', 'id')) as TestRunTable;
  const aResult = (await rowOf('testResults', 'runId')) as TestResultTable;
  // Of several accounts: each has five under way at most.
  for (let n = 0; n < 30; n++) {
    const runId = `${first}-${n}`;
    await db
      .insertInto('testRuns')
      .values({ ...aRun, id: runId, touchedAt: aRun.touchedAt - 1_000 })
      .execute();
    const of = { id: `${aResult.id}-${n}`, runId, kind: 'simulation' as const };
    await db
      .insertInto('testResults')
      .values({ ...aResult, ...of })
      .execute();
  }
  engine('engine_1', async () => passed);
  await until(first, 'PASSED');
});

test('a long case stays its engine’s, and an engine that stops gives it back', async () => {
  const id = await begin('One');
  const first = engine('engine_1', () => new Promise(() => {}));
  await until(id, 'RUNNING');
  let isTaken = false;
  const second = engine('engine_2', async () => {
    isTaken = true;
    return passed;
  });
  for (let times = 0; times < 12; times++) {
    const before = holds;
    clock.advance(10_000);
    await eventually(async () => holds > before);
  }
  assert.equal(isTaken, false);
  engines.splice(engines.indexOf(first), 1);
  await first.stop();
  second.look();
  await until(id, 'PASSED');
  assert.equal((await results(id))[0]?.attempts, 1);
});

test('the case of a cancelled run is given up, and its end changes nothing', async () => {
  const id = await begin('One');
  const aborted = Promise.withResolvers<void>();
  engine('engine_1', async (_, signal) => {
    signal.addEventListener('abort', () => aborted.resolve());
    await aborted.promise;
    return passed;
  });
  await until(id, 'RUNNING');
  await api.tenant.ask('POST', `/test-runs/${id}/cancel`);
  await eventually(async () => {
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    return (await results(id))[0]?.status === 'ERROR';
  });
  assert.deepEqual((await read(id)).counts, { total: 1, passed: 0, failed: 0, errors: 1 });
});

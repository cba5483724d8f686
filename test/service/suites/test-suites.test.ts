// A suite that is run against a whole service from the command line: its exit code, its files, nothing of a call left
// behind, and the case of an engine that is killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../../bench/rig/eventually.ts';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { Rest } from '../../../bench/rig/service/rest.ts';
import { startService } from '../../../bench/rig/service/service.ts';
import { FakeOpenAi } from '../../support/models/fake-openai.ts';
import { nightly } from '../../support/nightly.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

function tests(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['supervise.mjs', 'run', 'api/clients/command-line/main.ts', 'tests', ...args],
      { cwd: ROOT },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += data;
      });
    }
    child.on('close', (code) => resolve({ code, output }));
  });
}

test('the command line runs a suite and says by its exit code what came of it', async (t) => {
  const service = await startService({});
  t.after(() => service.stop());
  const rest = await new Rest(service).login();
  const [campaign] = await rest.must('GET', '/campaigns');
  assert.ok(campaign);
  const { businessId, agentId } = campaign;
  const suite = await rest.must('POST', '/test-suites', { name: 'Basics', businessId, agentId });
  const add = (name: string, said: string) =>
    rest.must('POST', `/test-suites/${suite.id}/cases`, {
      name,
      definition: { turns: [{ say: 'What are your opening hours?', checks: [{ said }] }], checks: [] },
    });
  const dir = mkdtempSync(join(tmpdir(), 'tests-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const [junit, json] = [join(dir, 'junit.xml'), join(dir, 'results.json')];
  const access = ['--url', service.apiUrl, '--token', await service.login()];

  assert.equal((await tests('run', 'Basics', ...access)).code, 2, 'there is nothing to run');
  await add('Says the hours', 'open');
  const passed = await tests('run', 'Basics', ...access, '--junit', junit, '--results', json);
  assert.equal(passed.code, 0, passed.output);
  assert.match(passed.output, /ok {3}Says the hours \(\d+ ms\)\nPASSED: 1 of 1 passed/);
  assert.match(readFileSync(junit, 'utf8'), /<testcase name="Says the hours"/);
  assert.equal(JSON.parse(readFileSync(json, 'utf8')).results.length, 1);

  await add('Is wrong', 'closed for ever');
  const failed = await tests('run', suite.id, ...access);
  assert.equal(failed.code, 1, failed.output);
  assert.match(failed.output, /FAIL Is wrong[\s\S]*expected: says "closed for ever"/);
  assert.equal((await tests('run', 'Nothing', ...access)).code, 2);
  assert.equal((await tests('run', 'Basics', '--url', service.apiUrl, '--token', 'wrong')).code, 2);
  assert.deepEqual(await rest.must('GET', '/calls'), []);
});

test('a call of a test whose engine is killed is made again by the next one, from its beginning', {
  skip: nightly,
}, async (t) => {
  const service = await startService({ LLM: 'receptionist', MAX_CALLS: '10' });
  t.after(() => service.stop());
  const rest = await new Rest(service).login();
  const [campaign] = await rest.must('GET', '/campaigns');
  assert.ok(campaign);
  const { businessId, agentId } = campaign;
  const suite = await rest.must('POST', '/test-suites', { name: 'By voice', businessId, agentId });
  await rest.must('POST', `/test-suites/${suite.id}/cases`, {
    ...{ kind: 'simulation', name: 'Hours' },
    definition: {
      caller: { voice: 'flite-slt', script: [{ say: 'What are your opening hours?' }] },
      checks: [{ said: 'monday to friday' }],
    },
  });
  const run = await rest.must('POST', `/test-suites/${suite.id}/runs`, { seed: 7 });
  const recordings = join(service.dataDir, 'test-recordings');
  // The call has been answered: it is being recorded.
  await eventually(() => existsSync(recordings) && readdirSync(recordings).some((name) => name.endsWith('.wav')));
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
  const hasEnded = async () => (await rest.must('GET', `/test-runs/${run.id}`)).endedAt !== null;
  await rest.eventually('the run ends', hasEnded, 180_000);
  const [result] = await rest.must('GET', `/test-runs/${run.id}/results`);
  assert.deepEqual([result?.status, result?.attempts], ['PASSED', 2], JSON.stringify(result));
  assert.deepEqual(await rest.must('GET', '/calls'), []);
  assert.deepEqual(readdirSync(recordings), [], 'nothing is left of the first try');
});

test('a case whose engine is killed is run again by the next one', async (t) => {
  let holds = true;
  const model = await FakeOpenAi.start([
    () => (holds ? { type: 'hang' } : { type: 'text', pieces: ['We open at nine.'] }),
  ]);
  t.after(() => model.stop());
  const service = await startService({ LLM: 'openai', OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test-key' });
  t.after(() => service.stop());
  const rest = await new Rest(service).login();
  const [campaign] = await rest.must('GET', '/campaigns');
  assert.ok(campaign);
  const { businessId, agentId } = campaign;
  const suite = await rest.must('POST', '/test-suites', { name: 'Basics', businessId, agentId });
  await rest.must('POST', `/test-suites/${suite.id}/cases`, {
    name: 'Hours',
    definition: { turns: [{ say: 'When do you open?', checks: [{ said: 'nine' }] }], checks: [] },
  });
  const run = await rest.must('POST', `/test-suites/${suite.id}/runs`, {});
  await eventually(() => model.requests.length > 0);
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
  holds = false;
  await eventually(async () => (await rest.must('GET', `/test-runs/${run.id}`)).endedAt !== null);
  const [result] = await rest.must('GET', `/test-runs/${run.id}/results`);
  assert.deepEqual([result?.status, result?.attempts], ['PASSED', 2], JSON.stringify(result));
});

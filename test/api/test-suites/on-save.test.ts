// Suites that run on save: once for a burst of changes, for what they test and nothing else, beside their version.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startDueRuns } from '../../../api/test-suites/due.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
let ids: { agentId: string; businessId: string };
let suiteId: string;

beforeEach(async () => {
  const { business, agent } = await setUpCampaign(api, api.tenant);
  ids = { businessId: business.id, agentId: agent.id };
  suiteId = (await api.tenant.ask('POST', '/test-suites', { name: 'Basics', ...ids, runOnSave: true })).json.data.id;
  const definition = { turns: [{ say: 'Hello?' }] };
  await api.tenant.ask('POST', `/test-suites/${suiteId}/cases`, { name: 'Eval', definition });
  await api.tenant.ask('POST', `/test-suites/${suiteId}/cases`, {
    ...{ name: 'Simulation', kind: 'simulation' },
    definition: { caller: { goal: 'An appointment' } },
  });
});

const runs = async () => (await api.tenant.ask('GET', '/test-runs')).json.data;
async function later(seconds: number): Promise<number> {
  api.clock.now += seconds * 1_000;
  return startDueRuns(api.context);
}
const tell = (description: string) => api.tenant.ask('PATCH', `/agents/${ids.agentId}`, { description });

test('a burst of changes makes one run of the evals, with the version that it tried', async () => {
  await tell('One');
  assert.equal(await later(2), 0);
  await tell('Two');
  assert.equal(await later(2), 0, 'another change has come');
  await api.tenant.ask('PATCH', `/businesses/${ids.businessId}`, { systemPrompt: 'Be brief.' });
  assert.equal(await later(4), 1);
  assert.equal(await later(60), 0);
  const [run, ...others] = await runs();
  assert.deepEqual(others, []);
  assert.deepEqual([run?.cause, run?.counts.total, run?.agentVersion, run?.businessVersion], ['save', 1, 3, 2]);
  const path = `/agents/${ids.agentId}/versions?tests=true` as '/agents/{id}/versions';
  const versions = (await api.tenant.ask('GET', path)).json.data;
  assert.deepEqual(
    versions.map(({ number, testRuns = [] }) => [number, testRuns.map(({ id, suiteName }) => [id, suiteName])]),
    [
      [3, [[run?.id, 'Basics']]],
      [2, []],
      [1, []],
    ],
  );
});

test('what changes nothing, and what the suite does not try, makes no run', async () => {
  await api.tenant.ask('PATCH', `/agents/${ids.agentId}`, {});
  const other = await setUpCampaign(api, api.tenant);
  await api.tenant.ask('PATCH', `/agents/${other.agent.id}`, { description: 'x' });
  await api.tenant.ask('PATCH', `/businesses/${other.business.id}`, { systemPrompt: 'x' });
  assert.equal(await later(10), 0);
  await api.tenant.ask('PATCH', `/test-suites/${suiteId}`, { runOnSave: false });
  await tell('One');
  assert.equal(await later(10), 0);
});

test('a tool of the agent counts, another one does not', async () => {
  const tool = (name: string) =>
    api.tenant.ask('POST', '/tools', { name, description: 'Finds an order.', url: 'https://shop.example/orders' });
  const [used, unused] = [(await tool('find_order')).json.data.id, (await tool('find_bill')).json.data.id];
  await api.tenant.ask('PATCH', `/agents/${ids.agentId}`, { toolIds: [used] });
  assert.equal(await later(10), 1);
  await api.tenant.ask('PATCH', `/tools/${unused}`, { description: 'Finds a bill.' });
  assert.equal(await later(10), 0);
  await api.tenant.ask('PATCH', `/tools/${used}`, { description: 'Finds any order.' });
  assert.equal(await later(10), 1);
});

test('a newer change takes the place of a run on save, and waits for one that was asked for', async () => {
  await tell('One');
  await later(4);
  await tell('Two');
  assert.equal(await later(4), 1);
  assert.deepEqual(
    (await runs()).map(({ status, agentVersion }) => [status, agentVersion]),
    [
      ['QUEUED', 3],
      ['CANCELLED', 2],
    ],
  );
  await api.tenant.ask('POST', `/test-runs/${(await runs())[0]?.id ?? ''}/cancel`);
  const asked = (await api.tenant.ask('POST', `/test-suites/${suiteId}/runs`)).json.data;
  await tell('Three');
  assert.equal(await later(10), 0);
  await api.tenant.ask('POST', `/test-runs/${asked.id}/cancel`);
  assert.equal(await later(4), 1);
});

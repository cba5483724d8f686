// Test suites, their cases and runs: kept, changed, checked, and one tenant's alone.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
const definition = { turns: [{ say: 'When do you open?', checks: [{ said: 'nine' }] }] };

let of: { agentId: string; businessId: string };
let campaignId: string;
beforeEach(async () => {
  const { business, campaign, agent } = await setUpCampaign(api, api.tenant);
  of = { businessId: business.id, agentId: agent.id };
  campaignId = campaign.id;
});

const suite = async (more: object = {}) =>
  (await api.tenant.ask('POST', '/test-suites', { name: 'Basics', ...of, ...more } as never)).json.data;
const addCase = (suiteId: string, body: object) =>
  api.tenant.ask('POST', `/test-suites/${suiteId}/cases`, { name: 'Hours', ...body } as never);
const fields = ({ json }: { json: object }) =>
  ((json as { errors?: Array<{ field: string }> }).errors ?? []).map(({ field }) => field);

test('a suite is made, changed, listed by its agent, and deleted with its cases and runs', async () => {
  const made = await suite({ campaignId });
  assert.deepEqual([made.cases, made.lastRun, made.runOnSave, made.campaignId], [0, null, false, campaignId]);
  const { json } = await api.tenant.ask('PATCH', `/test-suites/${made.id}`, { runOnSave: true, campaignId: null });
  assert.deepEqual([json.data.runOnSave, json.data.campaignId], [true, null]);
  const one = (await addCase(made.id, { definition })).json.data;
  const run = (await api.tenant.ask('POST', `/test-suites/${made.id}/runs`)).json.data;
  const listed = (await api.tenant.ask('GET', `/test-suites?agentId=${of.agentId}` as '/test-suites')).json.data;
  assert.deepEqual(
    listed.map(({ id, cases, lastRun }) => [id, cases, lastRun?.id]),
    [[made.id, 1, run.id]],
  );
  assert.equal((await api.tenant.ask('GET', '/test-suites?agentId=agt_other' as '/test-suites')).json.data.length, 0);
  assert.equal((await api.tenant.ask('DELETE', `/test-suites/${made.id}`)).status, 200);
  assert.equal((await api.tenant.ask('GET', `/test-cases/${one.id}`)).status, 404);
  assert.equal((await api.tenant.ask('GET', `/test-runs/${run.id}`)).status, 404);
});

test('what a suite names must be there, and be of one business', async () => {
  const other = await setUpCampaign(api, api.other);
  const wrong = { name: 'x', agentId: other.agent.id, businessId: other.business.id, campaignId: 'cmp_none' };
  const answer = await api.tenant.ask('POST', '/test-suites', wrong);
  assert.equal(answer.status, 422);
  assert.deepEqual(fields(answer), ['agentId', 'businessId', 'campaignId']);
});

test('a suite takes no campaign that is deleted', async () => {
  const made = await suite();
  assert.equal((await api.tenant.ask('DELETE', `/campaigns/${campaignId}`)).status, 200);
  assert.deepEqual(fields(await api.tenant.ask('PATCH', `/test-suites/${made.id}`, { campaignId })), ['campaignId']);
  assert.deepEqual(fields(await api.tenant.ask('POST', '/test-suites', { name: 'x', ...of, campaignId })), [
    'campaignId',
  ]);
});

test('a definition that is none is refused with its field', async () => {
  const { id } = await suite();
  const refused = async (body: object, ...at: string[]) => {
    const answer = await addCase(id, body);
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(fields(answer), at);
  };
  await refused({ definition: { checks: [] } }, 'definition.turns');
  await refused({ definition: { ...definition, caller: { goal: 'x' } } }, 'definition.caller');
  await refused({ definition: { ...definition, checks: [{ noCutOff: true }] } }, 'definition.checks[0].noCutOff');
  await refused({ kind: 'simulation', definition: { caller: {} } }, 'definition.caller');
  const late = [{ say: 'x', checks: [{ judge: { question: 'Polite?' } }] }];
  await refused({ definition: { turns: late } }, 'definition.turns[0].checks[0].judge');
  await refused({ definition: { turns: [] } }, 'definition.turns');
  await refused({ definition: { ...definition, checks: [{}] } }, 'definition.checks[0]');
  await refused({ definition: { ...definition, checks: [{ sad: 'x' }] } }, 'definition.checks[0].sad');
  await refused({ definition: { ...definition, checks: [{ notSaid: '?!' }] } }, 'definition.checks[0].notSaid');
  const both = [{ said: 'x', notSaid: 'y' }];
  await refused({ definition: { ...definition, checks: both } }, 'definition.checks[0]');
});

test('cases keep their order, and are changed whole', async () => {
  const { id } = await suite();
  const names = ['One', 'Two', 'Three'];
  for (const name of names) assert.equal((await addCase(id, { name, definition })).status, 201);
  const { data } = (await api.tenant.ask('GET', `/test-suites/${id}/cases`)).json;
  assert.deepEqual(
    data.map(({ name, position }) => [name, position]),
    names.map((name, index) => [name, index]),
  );
  assert.deepEqual(data[0]?.definition, { ...definition, checks: [] });
  const changed = await api.tenant.ask('PATCH', `/test-cases/${data[1]?.id ?? ''}`, {
    definition: { turns: [{ say: 'Hello?' }] },
  });
  assert.deepEqual(changed.json.data.definition.turns, [{ say: 'Hello?' }]);
  assert.equal(changed.json.data.name, 'Two');
});

test('a run holds its cases as they were, one run of a suite at a time, and is cancelled', async () => {
  const { id } = await suite();
  assert.equal((await api.tenant.ask('POST', `/test-suites/${id}/runs`)).json.code, 'TEST_SUITE_EMPTY');
  const one = (await addCase(id, { definition })).json.data;
  const run = (await api.tenant.ask('POST', `/test-suites/${id}/runs`, { seed: 7 })).json.data;
  assert.deepEqual([run.status, run.seed, run.agentVersion, run.counts.total], ['QUEUED', 7, 1, 1]);
  const again = await api.tenant.ask('POST', `/test-suites/${id}/runs`);
  assert.deepEqual([again.status, again.json.code], [409, 'TEST_RUN_UNDER_WAY']);
  await api.tenant.ask('PATCH', `/test-cases/${one.id}`, { name: 'Renamed' });
  const ended = (await api.tenant.ask('POST', `/test-runs/${run.id}/cancel`)).json.data;
  assert.deepEqual([ended.status, ended.counts.errors], ['CANCELLED', 1]);
  const [result] = (await api.tenant.ask('GET', `/test-runs/${run.id}/results`)).json.data;
  assert.deepEqual([result?.name, result?.status, result?.error], ['Hours', 'ERROR', 'The run was cancelled.']);
  const wrong = await api.tenant.ask('POST', `/test-suites/${id}/runs`, { caseIds: ['tcs_other'] });
  assert.deepEqual(fields(wrong), ['caseIds[0]']);
});

test('another tenant sees, changes and runs nothing of it', async () => {
  const { id } = await suite();
  const one = (await addCase(id, { definition })).json.data;
  const run = (await api.tenant.ask('POST', `/test-suites/${id}/runs`)).json.data;
  const { other } = api;
  for (const { status } of [
    await other.ask('GET', `/test-suites/${id}`),
    await other.ask('PATCH', `/test-suites/${id}`, { name: 'Mine' }),
    await other.ask('DELETE', `/test-suites/${id}`),
    await other.ask('GET', `/test-suites/${id}/cases`),
    await other.ask('POST', `/test-suites/${id}/cases`, { name: 'x', definition }),
    await other.ask('POST', `/test-suites/${id}/runs`),
    await other.ask('GET', `/test-cases/${one.id}`),
    await other.ask('PATCH', `/test-cases/${one.id}`, { name: 'Mine' }),
    await other.ask('DELETE', `/test-cases/${one.id}`),
    await other.ask('GET', `/test-runs/${run.id}`),
    await other.ask('GET', `/test-runs/${run.id}/results`),
    await other.ask('POST', `/test-runs/${run.id}/cancel`),
  ]) {
    assert.equal(status, 404);
  }
  assert.equal((await other.ask('GET', '/test-runs')).json.data.length, 0);
  assert.equal((await other.ask('GET', '/test-suites')).json.data.length, 0);
});

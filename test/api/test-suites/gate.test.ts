// Suites that are required to publish: drafts wait until they have passed with them, and the suite tries the drafts.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { readTestSetup } from '../../../db/rules/test-setup.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
let ids: { agentId: string; businessId: string };
let suiteId: string;

beforeEach(async () => {
  const { business, agent } = await setUpCampaign(api, api.tenant);
  ids = { businessId: business.id, agentId: agent.id };
  await api.tenant.ask('PATCH', `/businesses/${business.id}`, { drafts: true });
  const suite = { name: 'Basics', ...ids, requiredToPublish: true };
  suiteId = (await api.tenant.ask('POST', '/test-suites', suite)).json.data.id;
  const definition = { turns: [{ say: 'Hello?' }] };
  await api.tenant.ask('POST', `/test-suites/${suiteId}/cases`, { name: 'Eval', definition });
  api.clock.now += 1_000;
  await api.tenant.ask('PATCH', `/agents/${agent.id}`, { description: 'Draft' });
});

const publish = () => api.tenant.ask('POST', `/businesses/${ids.businessId}/publish`);
const runs = async () => (await api.tenant.ask('GET', '/test-runs')).json.data;
/** As an engine ends a run. */
async function ends(status: 'PASSED' | 'FAILED'): Promise<void> {
  const passed = status === 'PASSED' ? 1 : 0;
  api.clock.now += 1_000;
  await api.context.db
    .updateTable('testRuns')
    .set({ status, passed, failed: 1 - passed, endedAt: api.clock.now })
    .where('endedAt', 'is', null)
    .execute();
}
const published = async () =>
  (await api.context.db.selectFrom('agents').select('description').where('id', '=', ids.agentId).execute())[0]
    ?.description;

test('what waits is published once its suite has passed with it, and not before', async () => {
  const first = await publish();
  assert.deepEqual([first.status, first.json.code], [409, 'TESTS_NOT_PASSED']);
  const [run] = await runs();
  assert.match(first.json.error ?? '', new RegExp(`"Basics" is being run \\(${run?.id}\\)`));
  assert.deepEqual([run?.agentVersion, run?.businessVersion], [2, 1], 'the versions that wait');
  assert.equal((await publish()).status, 409);
  assert.equal((await runs()).length, 1, 'the same run is waited for');
  await ends('PASSED');
  assert.equal((await publish()).status, 200);
  assert.equal(await published(), 'Draft');
});

test('a suite that has failed keeps drafts back until they are changed and it has passed', async () => {
  await publish();
  await ends('FAILED');
  const again = await publish();
  assert.match(again.json.error ?? '', /of suite "Basics" 1 of 1 cases have not passed/);
  assert.equal((await runs()).length, 1, 'the same drafts are not tried again');
  assert.notEqual(await published(), 'Draft');
  api.clock.now += 1_000;
  await api.tenant.ask('PATCH', `/agents/${ids.agentId}`, { description: 'Mended' });
  assert.equal((await publish()).status, 409);
  await ends('PASSED');
  assert.equal((await publish()).status, 200);
  assert.equal(await published(), 'Mended');
});

test('a run of other versions, or of a case that has changed since, does not count', async () => {
  await publish();
  await ends('PASSED');
  api.clock.now += 1_000;
  const [made] = (await api.tenant.ask('GET', `/test-suites/${suiteId}/cases`)).json.data;
  await api.tenant.ask('PATCH', `/test-cases/${made?.id}`, { name: 'Other' });
  assert.equal((await publish()).status, 409);
  await ends('PASSED');
  api.clock.now += 1_000;
  await api.tenant.ask('PATCH', `/agents/${ids.agentId}`, { description: 'Later' });
  assert.equal((await publish()).status, 409);
});

test('a canary needs the suite, too; a suite that is not required keeps nothing back', async () => {
  const canary = await api.tenant.ask('POST', `/agents/${ids.agentId}/publish`, { canary: { share: 10, calls: 100 } });
  assert.equal(canary.json.code, 'TESTS_NOT_PASSED');
  await ends('FAILED');
  await api.tenant.ask('PATCH', `/test-suites/${suiteId}`, { requiredToPublish: false });
  assert.equal((await publish()).status, 200);
});

test('tests try what waits', async () => {
  const { accountId } = api.tenant;
  const found = await readTestSetup(api.context.read, { accountId, campaignId: null, ...ids });
  assert.ok('setup' in found);
  assert.equal(found.setup.agent.description, 'Draft');
  assert.notEqual(await published(), 'Draft');
});

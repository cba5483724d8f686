// Drafts: where a business has them, a change of it, of its agents and of its tools counts once it is published.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashToken } from '../../../api/auth/secrets.ts';
import type { Answer, Tenant } from '../../../bench/rig/api/api.ts';
import { bearer } from '../../../bench/rig/api/sign-in.ts';
import { insertAccessToken } from '../../../db/queries/accounts/access-tokens.ts';
import { campaignSetup } from '../../../db/rules/routing.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });

interface Draft {
  subject: string;
  id: string;
  publishedVersion: number;
  draftVersion: number;
  actor: string | null;
  changes: { field: string; from: unknown; to: unknown }[];
}

async function asked(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, status = 200) {
  api.clock.advance(60_000);
  const answer = await api.tenant.ask(method, path, body);
  assert.equal(answer.status, status, answer.text);
  return answer;
}

const dataOf = async (path: string) => (await asked('GET', path)).json.data as Record<string, unknown>;
const numbersOf = ({ publishedVersion, draftVersion }: Record<string, unknown>) => [publishedVersion, draftVersion];

/** A business with drafts, its agent, and their running campaign. */
async function drafting() {
  const { agent, business, campaign } = await setUpCampaign(api, api.tenant);
  await api.context.db.updateTable('campaigns').set({ status: 'RUNNING' }).where('id', '=', campaign.id).execute();
  await asked('PATCH', `/businesses/${business.id}`, { drafts: true });
  const nextCall = async () => {
    const setup = await campaignSetup(api.context.read, {
      accountId: api.tenant.accountId,
      campaignId: campaign.id,
      number: null,
    });
    return setup ?? assert.fail('the campaign answers no call');
  };
  return { agentPath: `/agents/${agent.id}`, businessPath: `/businesses/${business.id}`, nextCall, campaign };
}

test('a draft of a business changes no call until it is published', async () => {
  const { businessPath, nextCall } = await drafting();
  const answer = await asked('PATCH', businessPath, { greetingTemplate: 'Good day!' });
  assert.equal((answer.json.data as { greetingTemplate: string }).greetingTemplate, 'Good day!');
  assert.deepEqual(numbersOf(await dataOf(businessPath)), [1, 2]);
  assert.equal((await dataOf(businessPath)).greetingTemplate, 'Good day!', 'the record is the draft');
  const before = await nextCall();
  assert.deepEqual([before.business.greetingTemplate, before.business.version], [null, 1]);
  await asked('PATCH', businessPath, { fallbackMessage: 'Pardon?' });
  const [draft, ...more] = (await asked('GET', `${businessPath}/draft`)).json.data as Draft[];
  assert.deepEqual([draft?.publishedVersion, draft?.draftVersion, draft?.actor, more], [1, 3, api.tenant.userId, []]);
  assert.deepEqual(
    draft?.changes.map(({ field, from, to }) => [field, from, to]),
    [
      ['greetingTemplate', null, 'Good day!'],
      ['fallbackMessage', null, 'Pardon?'],
    ],
  );
  const published = await asked('POST', `${businessPath}/publish`);
  assert.deepEqual(
    (published.json.data as { from: number; to: number }[]).map(({ from, to }) => [from, to]),
    [[1, 3]],
  );
  const after = await nextCall();
  assert.deepEqual(
    [after.business.greetingTemplate, after.business.fallbackMessage, after.business.version],
    ['Good day!', 'Pardon?', 3],
  );
  assert.deepEqual(numbersOf(await dataOf(businessPath)), [3, null]);
  await asked('POST', `${businessPath}/publish`, undefined, 409);
  const actions = (await asked('GET', `${businessPath}/audit-log`)).json.data as { action: string }[];
  assert.deepEqual(actions.map(({ action }) => action).slice(0, 3), ['published', 'draft-updated', 'draft-updated']);
});

test('the agents of its campaigns and their tools are drafts with it, and all is published at once', async () => {
  const { agentPath, businessPath, nextCall } = await drafting();
  const body = { name: 'orders', description: 'Orders.', url: 'http://127.0.0.1:9/', headers: { 'X-Key': 'one' } };
  const tool = (await asked('POST', '/tools', body, 201)).json.data as { id: string };
  await asked('PATCH', agentPath, { toolIds: [tool.id], name: 'Bea' });
  // The tool belongs to the business by the draft of its agent already.
  await asked('PATCH', `/tools/${tool.id}`, { description: 'All orders.', setHeaders: { 'X-Key': 'two' } });
  await asked('PATCH', businessPath, { name: 'Bakery' });
  await asked('DELETE', `/tools/${tool.id}`, undefined, 409);
  assert.equal((await dataOf(`/tools/${tool.id}`)).description, 'All orders.');
  const before = await nextCall();
  assert.deepEqual([before.agent.name, before.tools, before.business.name], ['Sally', [], 'Bright Dental']);
  const drafts = (await asked('GET', `${businessPath}/draft`)).json.data as Draft[];
  assert.deepEqual(
    drafts.map(({ subject }) => subject),
    ['business', 'agent', 'tool'],
  );
  assert.doesNotMatch(JSON.stringify(drafts), /two/);
  const sealed = (
    await api.context.db.selectFrom('tools').select('headersSealed').where('id', '=', tool.id).execute()
  )[0];
  await asked('POST', `${businessPath}/publish`);
  const after = await nextCall();
  assert.deepEqual([after.agent.name, after.business.name], ['Bea', 'Bakery']);
  assert.equal(after.tools[0]?.description, 'All orders.');
  assert.notEqual(after.tools[0]?.headersSealed, sealed?.headersSealed, 'sealed headers are published, too');
  assert.deepEqual((await asked('GET', `${businessPath}/draft`)).json.data, []);
});

test('a draft that is refused leaves all others unpublished', async () => {
  const { agentPath, businessPath, nextCall } = await drafting();
  const taken = (await asked('POST', '/tools', { name: 'one', description: 'One.', url: 'http://127.0.0.1:9/' }, 201))
    .json;
  const { id } = taken.data as { id: string };
  await asked('PATCH', agentPath, { toolIds: [id], name: 'Bea' });
  await asked('PATCH', `/tools/${id}`, { name: 'two' });
  await asked('POST', '/tools', { name: 'two', description: 'Two.', url: 'http://127.0.0.1:9/' }, 201);
  const refused = await asked('POST', `${businessPath}/publish`, undefined, 409);
  assert.equal((refused.json as { code?: string }).code, 'TOOL_NAME_TAKEN');
  assert.equal((await nextCall()).agent.name, 'Sally');
});

test('discarding goes back to what calls obey; the versions stay, and can be brought back as a draft', async () => {
  const { agentPath, nextCall } = await drafting();
  await asked('PATCH', agentPath, { description: 'Kind.' });
  await asked('PATCH', agentPath, { description: 'Kinder.' });
  await asked('POST', `${agentPath}/discard`);
  const { description, ...agent } = await dataOf(agentPath);
  assert.deepEqual([description, ...numbersOf(agent)], [null, 1, null]);
  await asked('POST', `${agentPath}/versions/2/restore`);
  assert.deepEqual(numbersOf(await dataOf(agentPath)), [1, 4]);
  assert.equal((await nextCall()).agent.description, null);
  type Version = { number: number; isCurrent: boolean; isDraft: boolean; against: number; publishedAt: string | null };
  const versions = (await asked('GET', `${agentPath}/versions`)).json.data as Version[];
  assert.deepEqual(
    versions.map(({ number, isCurrent, isDraft, against, publishedAt }) => [
      number,
      isCurrent,
      isDraft,
      against,
      publishedAt !== null,
    ]),
    [
      // Made from what was published, not from what was discarded.
      [4, false, true, 1, false],
      [3, false, false, 2, false],
      [2, false, false, 1, false],
      [1, true, false, null, true],
    ],
  );
});

test('a change that is taken back leaves no draft', async () => {
  const { agentPath } = await drafting();
  await asked('PATCH', agentPath, { name: 'Bea' });
  await asked('PATCH', agentPath, { name: 'Sally' });
  assert.deepEqual(numbersOf(await dataOf(agentPath)), [1, null]);
  assert.deepEqual((await asked('GET', `${agentPath}/draft`)).json.data, []);
});

test('without drafts a change counts at once; a draft that is there takes further changes all the same', async () => {
  const { agentPath, businessPath, nextCall } = await drafting();
  await asked('PATCH', agentPath, { name: 'Bea' });
  await asked('PATCH', businessPath, { drafts: false, name: 'Bakery' });
  assert.equal((await nextCall()).business.name, 'Bakery');
  await asked('PATCH', agentPath, { description: 'Kind.' });
  assert.equal((await nextCall()).agent.description, null);
  await asked('POST', `${agentPath}/publish`);
  const { agent } = await nextCall();
  assert.deepEqual([agent.name, agent.description], ['Bea', 'Kind.']);
  await asked('PATCH', agentPath, { name: 'Cleo' });
  assert.equal((await nextCall()).agent.name, 'Cleo');
});

test('documents count at once, and the draft is published with them', async () => {
  const { businessPath, nextCall } = await drafting();
  await asked('PATCH', businessPath, { name: 'Bakery' });
  await asked('POST', `${businessPath}/documents`, { name: 'Manual', text: '# Warranty\nTwo years.' }, 201);
  assert.deepEqual(numbersOf(await dataOf(businessPath)), [3, 4]);
  const [draft] = (await asked('GET', `${businessPath}/draft`)).json.data as Draft[];
  assert.deepEqual(
    draft?.changes.map(({ field }) => field),
    ['name'],
  );
  const before = await nextCall();
  assert.equal(before.business.name, 'Bright Dental');
  assert.notEqual(before.headings, null, 'calls are answered from it');
  await asked('POST', `${businessPath}/publish`);
  assert.deepEqual([(await nextCall()).business.name, (await nextCall()).business.version], ['Bakery', 4]);
});

test('an agent is no draft of another account’s business, and nobody publishes for others', async () => {
  const { agentPath } = await drafting();
  await asked('PATCH', agentPath, { name: 'Bea' });
  const other: Tenant = api.other;
  for (const [method, rest] of [
    ['GET', 'draft'],
    ['POST', 'publish'],
    ['POST', 'discard'],
  ] as const) {
    const answer: Answer = await other.ask(method, `${agentPath}/${rest}`);
    assert.equal(answer.status, 404);
  }
  assert.equal((await dataOf(agentPath)).draftVersion, 2);
});

test('a draft that has people written to is published by no token that may not call, nor to a canary', async () => {
  const { businessPath } = await drafting();
  const { accountId, userId } = api.tenant;
  await insertAccessToken(api.context.db, {
    ...{ id: 'pat_drafts', accountId, userId, name: 'Import', tokenHash: hashToken('vcs_drafts'), role: 'USER' },
    ...{ lastUsedAt: null, revokedAt: null, createdAt: api.clock.now, appEnv: 'development' },
    ...{ scopes: '["read","change"]', expiresAt: null },
  });
  const publish = (body?: object): Promise<Answer> =>
    api.ask('POST', `${businessPath}/publish`, body, bearer('vcs_drafts'));
  for (const change of [{ appointmentTexts: {} }, { notify: [{ on: 'call_ended', by: 'sms', to: '+14155552671' }] }]) {
    await asked('PATCH', businessPath, change);
    for (const body of [undefined, { canary: { share: 50 } }])
      assert.equal((await publish(body)).json.code, 'SCOPE_MISSING', JSON.stringify(change));
    await asked('POST', `${businessPath}/publish`);
  }
  // Less than there is reaches nobody anew.
  await asked('PATCH', businessPath, { appointmentTexts: null, notify: [], greetingTemplate: 'Good day!' });
  assert.equal((await publish()).status, 200);
});

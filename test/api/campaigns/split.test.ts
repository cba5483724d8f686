// The split of a campaign as clients send it: its rules, and the figures of its versions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callRow } from '../../../bench/rig/rows/call-row.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();

async function split() {
  const { agent, campaign } = await setUpCampaign(api, api.tenant);
  api.clock.advance(60_000);
  await api.tenant.ask('PATCH', `/agents/${agent.id}`, { description: 'Two.' });
  api.clock.advance(60_000);
  const patch = async (body: object) => {
    const answer = await api.tenant.ask('PATCH', `/campaigns/${campaign.id}`, body);
    const { errors = [] } = answer.json as { errors?: { field: string }[] };
    return { status: answer.status, fields: errors.map(({ field }) => field), data: answer.json.data as never };
  };
  return { agent, campaign, patch };
}

test('shares sum to 100, and versions are kept ones of the agent, each once', async () => {
  const { patch, campaign } = await split();
  const parts = (...all: [number, number][]) => ({ split: all.map(([version, share]) => ({ version, share })) });
  assert.deepEqual((await patch(parts([1, 50], [2, 49]))).fields, ['split']);
  assert.deepEqual((await patch(parts([1, 50], [7, 50]))).fields, ['split[1].version']);
  assert.deepEqual((await patch(parts([1, 50], [1, 50]))).fields, ['split[1].version']);
  assert.deepEqual((await patch(parts([1, 0], [2, 100]))).fields, ['split[0].share']);
  assert.equal((await patch(parts([1, 30], [2, 70]))).status, 200);
  const read = (await api.tenant.ask('GET', `/campaigns/${campaign.id}`)).json.data;
  assert.deepEqual(read.split, parts([1, 30], [2, 70]).split);
  // A client sends back what it read.
  assert.equal((await patch(read)).status, 200);
  assert.deepEqual((await patch({ split: [] })).status, 200);
});

test('another agent has other versions: its split comes anew', async () => {
  const { patch } = await split();
  assert.equal((await patch({ split: [{ version: 1, share: 100 }] })).status, 200);
  const other = (await api.tenant.ask('POST', '/agents', { name: 'Bea', voiceId: 'flite-slt' })).json.data as {
    id: string;
  };
  assert.deepEqual((await patch({ agentId: other.id })).fields, ['split']);
  assert.deepEqual((await patch({ agentId: other.id, split: [{ version: 2, share: 100 }] })).fields, [
    'split[0].version',
  ]);
  assert.equal((await patch({ agentId: other.id, split: [] })).status, 200);
});

test('an old version in a split leads calls again, and its figures are had of the campaign alone', async () => {
  const { agent, campaign, patch } = await split();
  await patch({
    split: [
      { version: 1, share: 50 },
      { version: 2, share: 50 },
    ],
  });
  api.clock.advance(60_000);
  const startedAt = api.context.now();
  const led = (campaignId: string, agentVersion: number) => ({
    ...callRow({ accountId: api.tenant.accountId, agentId: agent.id, createdAt: startedAt, startedAt }),
    ...({ campaignId, agentVersion, status: 'COMPLETED', outcome: 'completed' } as const),
    ...{ answeredAt: startedAt, endedAt: startedAt + 1, durationSeconds: 30 },
  });
  const rows = [led(campaign.id, 1), led(campaign.id, 1), led(campaign.id, 2), led('cmp_other', 1)];
  await api.context.db.insertInto('calls').values(rows).execute();
  const answered = async (query: string) => {
    const { data } = (await api.tenant.ask('GET', `/agents/${agent.id}/versions?calls=true${query}`)).json;
    return (data as { calls: { answered: number } }[]).map(({ calls }) => calls.answered);
  };
  assert.deepEqual(await answered(''), [1, 3]);
  assert.deepEqual(await answered(`&campaignId=${campaign.id}`), [1, 2]);
});

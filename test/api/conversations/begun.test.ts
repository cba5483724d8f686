// Conversations that people of an account begin: by a campaign that is there, and is theirs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();

test('a chat is begun by a campaign that is there, and is the account’s', async () => {
  const { campaign } = await setUpCampaign(api, api.tenant);
  const begin = (who = api.tenant) => who.ask('POST', '/conversations', { campaignId: campaign.id });
  const begun = await begin();
  assert.deepEqual([begun.status, begun.json.data.agentId], [201, campaign.agentId]);
  const refused = [await begin(api.other)];
  assert.equal((await api.tenant.ask('DELETE', `/campaigns/${campaign.id}`)).status, 200);
  // Its agent would answer nothing.
  refused.push(await begin());
  for (const { status, json } of refused)
    assert.deepEqual([status, json.errors?.map(({ field }) => field)], [422, ['campaignId']]);
});

// Where the calls of a softphone go: to the demo or its campaign, and to nobody else's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeSoftphone } from '../../../db/rules/routing.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();
const asked = { forwardedFrom: null, callerNumber: '+14155550100', nowMs: 0 };

test('a softphone reaches its campaign while that answers, under a number of the campaign', async () => {
  const { campaign, number } = await setUpCampaign(api, api.tenant);
  const body = { username: 'desk', callsTo: campaign.id };
  const { id } = (await api.admin.ask('POST', '/admin/sip-accounts', body)).json.data;
  const route = () => routeSoftphone(api.context.read, id, asked);
  const change = (fields: object) => api.admin.ask('PATCH', `/admin/sip-accounts/${id}`, fields);
  assert.deepEqual(await route(), { found: false, reason: 'campaign_not_answering' });
  await api.tenant.ask('POST', `/campaigns/${campaign.id}/start`);
  const found = await route();
  assert.ok(found.found);
  assert.deepEqual(
    [found.accountId, found.number?.id, found.setup.campaign.id],
    [api.tenant.accountId, number.id, campaign.id],
  );
  await change({ callsTo: null });
  assert.deepEqual(await route(), { found: false, reason: 'softphone_may_not_call' });
  await change({ callsTo: campaign.id, enabled: false });
  assert.deepEqual(await route(), { found: false, reason: 'softphone_may_not_call' });
  assert.deepEqual(await routeSoftphone(api.context.read, 'sip_unknown', asked), {
    found: false,
    reason: 'softphone_may_not_call',
  });
});

// The words of a campaign's call, asked for before one is placed.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type Setup, setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
let set: Setup;
beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant, {
    greetingTemplate: 'Hello {{first}}, this is {{agentName}} from {{businessName}}.',
    instructions: 'Remind {{first}} of {{subject}}.',
    voicemail: { action: 'leave_message', message: 'Please call us back about {{subject}}.' },
  });
});

const preview = async (body: object = {}) =>
  (await api.tenant.ask('POST', `/campaigns/${set.campaign.id}/preview`, body)).json.data;

test('a preview fills everything that a call would say, and lists what is missing', async () => {
  const { prompt, ...said } = await preview({ variables: { first: 'Ada' } });
  assert.deepEqual(said, {
    greeting: 'Hello Ada, this is Sally from Bright Dental.',
    voicemailMessage: 'Please call us back about.',
    instructions: 'Remind Ada of.',
    missing: ['subject'],
  });
  assert.match(prompt, /For this call:\nRemind Ada of\.$/);
  assert.deepEqual((await preview({ variables: { first: 'Ada', subject: 'x' } })).missing, []);
});

test('without a greeting of its own a campaign has the business’s, else the default', async () => {
  await api.tenant.ask('PATCH', `/campaigns/${set.campaign.id}`, {
    greetingTemplate: null,
    voicemail: { action: 'hangup' },
  });
  const { greeting, voicemailMessage } = await preview();
  assert.deepEqual([greeting, voicemailMessage], ['Hello, this is Sally from Bright Dental.', null]);
  await api.tenant.ask('PATCH', `/businesses/${set.business.id}`, { greetingTemplate: 'Hi {{callerName}}, welcome.' });
  assert.equal((await preview({ callerName: 'Bob' })).greeting, 'Hi Bob, welcome.');
  assert.equal((await preview({ direction: 'inbound' })).greeting, 'Hi, welcome.');
});

test('a campaign’s texts are changed, read back and bounded', async () => {
  const change = (body: object) => api.tenant.ask('PATCH', `/campaigns/${set.campaign.id}`, body);
  const { data } = (await change({ instructions: 'Be brief.' })).json;
  assert.deepEqual([data.instructions, data.greetingTemplate], ['Be brief.', set.campaign.greetingTemplate]);
  assert.equal((await change({ instructions: 'x'.repeat(10_001) })).status, 422);
  assert.equal((await change({ greetingTemplate: 'x'.repeat(2_001) })).status, 422);
});

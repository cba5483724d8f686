// Contacts found by typing: a part of a name or a number, in any campaign of one's own account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

let campaignId = '';
const contacts = [
  { phoneNumber: '+12025550143', name: 'Jamie Rivera' },
  { phoneNumber: '+12025550144', name: 'Alex 100% Kim_Lee' },
  { phoneNumber: '+12025550155' },
];
const api = useApi({}, async () => {
  campaignId = (await setUpCampaign(api, api.tenant)).campaign.id;
  const added = await api.tenant.ask('POST', `/campaigns/${campaignId}/contacts`, { contacts });
  assert.equal(added.status, 201, added.text);
  const other = await setUpCampaign(api, api.other);
  await api.other.ask('POST', `/campaigns/${other.campaign.id}/contacts`, { contacts });
});

const found = async (search: string) => {
  const { status, json, text } = await api.tenant.ask('GET', `/contacts?search=${encodeURIComponent(search)}`);
  assert.equal(status, 200, text);
  assert.ok(json.data.every((contact) => contact.campaignId === campaignId && contact.campaignName === 'Recalls'));
  return json.data.map(({ phoneNumber }) => phoneNumber);
};

test('a part of the name in any case, and of the number as it is typed', async () => {
  assert.deepEqual(await found('RIVE'), ['+12025550143']);
  assert.deepEqual(await found('+1 (202) 555-014'), ['+12025550144', '+12025550143']);
  assert.deepEqual(await found('5550155'), ['+12025550155']);
  assert.deepEqual(await found('020'), [], 'three digits are a part of too many');
  assert.deepEqual(await found('nobody'), []);
});

test('marks that a pattern would know are themselves', async () => {
  assert.deepEqual(await found('100%'), ['+12025550144']);
  assert.deepEqual(await found('m_l'), ['+12025550144']);
  assert.deepEqual(await found('__'), []);
  assert.deepEqual(await found('\\%'), []);
  assert.deepEqual(await found("' or 1=1 --"), []);
});

test('one letter would ask for everybody, and finds nobody', async () => {
  assert.deepEqual(await found('a'), []);
  assert.deepEqual(await found('  '), []);
  assert.equal((await api.tenant.ask('GET', `/contacts?search=${'x'.repeat(101)}`)).status, 422);
  assert.deepEqual((await api.tenant.ask('GET', '/contacts')).json.data, []);
});

test('a campaign that was deleted takes its contacts along', async () => {
  await api.tenant.ask('DELETE', `/campaigns/${campaignId}`);
  assert.deepEqual(await found('Rivera'), []);
});

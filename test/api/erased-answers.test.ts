// The answers that an Idempotency-Key keeps for a day: they name nobody who was erased in the meantime.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setUpCampaign } from '../support/api/resources.ts';
import { useTenants } from '../support/api/use-api.ts';

const api = useTenants();
const [PERSON, OTHER] = ['+12125550171', '+12125550172'];

test('the words of an erased conversation are gone from the answer of the request that wrote them', async () => {
  const { campaign } = await setUpCampaign(api, api.tenant);
  const begun = await api.tenant.ask('POST', '/conversations', { campaignId: campaign.id });
  const path = `/conversations/${begun.json.data.id}` as const;
  const headers = { 'idempotency-key': randomUUID() };
  const write = () => api.tenant.ask('POST', `${path}/messages`, { text: 'I am Zenobia' }, headers);
  const { id } = (await write()).json.data;
  assert.match(await keptAnswers(), /Zenobia/);
  assert.equal((await api.tenant.ask('DELETE', path)).status, 200);
  assert.doesNotMatch(await keptAnswers(), /Zenobia/);
  const again = await write();
  assert.deepEqual([again.status, again.json.data.id, again.json.data.text], [201, id, '']);
});

async function keptAnswers(): Promise<string> {
  const rows = await api.context.db
    .selectFrom('idempotencyKeys')
    .select('response')
    .where('accountId', '=', api.tenant.accountId)
    .execute();
  return rows.map(({ response }) => response ?? '').join('\n');
}

test('a deleted contact is gone from the answer of the request that added it, others stay', async () => {
  const { campaign } = await setUpCampaign(api, api.tenant);
  const path = `/campaigns/${campaign.id}/contacts` as const;
  const headers = { 'idempotency-key': randomUUID() };
  const body = { contacts: [{ phoneNumber: PERSON, name: 'Zenobia' }, { phoneNumber: OTHER }] };
  const added = (await api.tenant.ask('POST', path, body, headers)).json.data.contacts;
  assert.match(await keptAnswers(), /12125550171/);
  assert.equal((await api.tenant.ask('DELETE', `${path}/${added[0]?.id}`)).status, 200);
  assert.doesNotMatch(await keptAnswers(), /12125550171|Zenobia/);
  assert.match(await keptAnswers(), /12125550172/);
  const again = await api.tenant.ask('POST', path, body, headers);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(
    again.json.data.contacts.map(({ id, phoneNumber }) => [id, phoneNumber]),
    [
      [added[0]?.id, ''],
      [added[1]?.id, OTHER],
    ],
  );
});

// The client against the API: what it sends is what the service takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, createClient } from '../../../../api/clients/typescript/client.ts';
import { clientOperations } from '../../../../api/openapi/client-operations.ts';
import { useApi } from '../../../support/api/use-api.ts';
import { apiFetch } from './api-fetch.ts';

let client: Client;
const api = useApi({}, async () => {
  client = createClient({ url: 'http://api.test', token: api.tenant.token, fetch: apiFetch(api) });
});

const AGENT = { name: 'Robin', voiceId: 'flite-slt' };

test('every operation of the document is there', async () => {
  const document = JSON.parse((await api.inject({ method: 'GET', url: '/openapi.json' })).text);
  for (const { group, name } of clientOperations(document))
    assert.equal(typeof (client as never as Record<string, Record<string, unknown>>)[group]?.[name], 'function', name);
});

test('records are made, read, changed, gone through and deleted', async () => {
  const made = await client.agents.create(AGENT);
  assert.equal((await client.agents.get(made.id)).name, 'Robin');
  assert.equal((await client.agents.update(made.id, { description: 'At the desk' })).description, 'At the desk');
  await client.agents.create({ ...AGENT, name: 'Kim' });
  const names: string[] = [];
  for await (const agent of client.agents.list({ limit: 1 })) names.push(agent.name);
  assert.deepEqual(names, ['Kim', 'Robin']);
  assert.notEqual((await client.agents.delete(made.id)).deletedAt, null);
  await assert.rejects(client.agents.get('agt_other'), { status: 404, code: 'NOT_FOUND' });
});

test('the same key makes one record, and a wrong field is named', async () => {
  const idempotencyKey = '6d6e9b0e-2f4e-4ad0-9a55-2b4d1f7f0c11';
  const [one, two] = await Promise.all([1, 2].map(() => client.agents.create(AGENT, { idempotencyKey })));
  assert.equal(one?.id, two?.id);
  await assert.rejects(client.agents.create({ ...AGENT, name: '' }), (fault: { fields: Array<{ field: string }> }) => {
    assert.deepEqual(
      fault.fields.map(({ field }) => field),
      ['name'],
    );
    return true;
  });
});

test('a file is sent as a form, contacts as CSV, and an export comes as a file', async () => {
  const business = await client.businesses.create({ name: 'Rivera', industry: 'dentist', timezone: 'Europe/Berlin' });
  const file = new File(['# Prices\n\nA cleaning is 60 euros.'], 'prices.md', { type: 'text/markdown' });
  const document = await client.knowledge.upload(business.id, { file, name: 'Prices' });
  assert.deepEqual([document.name, document.kind], ['Prices', 'markdown']);
  const agent = await client.agents.create(AGENT);
  const campaign = await client.campaigns.create({ name: 'Recall', agentId: agent.id, businessId: business.id });
  const { added } = await client.contacts.add(campaign.id, 'phoneNumber,name\n+12025550143,Jamie\n');
  assert.equal(added, 1);
  const exported = await client.calls.export({ direction: 'outbound' });
  assert.match(exported.headers.get('content-type') ?? '', /text\/csv/);
  assert.match(await exported.text(), /^"?id/);
});

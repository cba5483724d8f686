// Agents: fields and defaults, soft delete, who may be deleted, tenancy; voices and their previews.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Answer } from '../../../bench/rig/api/api.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { addNumber, engineIs, seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();

const fields = (answer: Answer) => answer.json.errors?.map((error) => error.field);
const create = (body: object = {}) =>
  api.tenant.ask('POST', '/agents', { name: 'Sally', voiceId: 'flite-slt', ...body });

test('an agent gets its defaults and is read as it was created', async () => {
  const answer = await create({ description: 'front desk' });
  assert.equal(answer.status, 201);
  const { id, createdAt, ...rest } = answer.json.data;
  assert.match(id, /^agt_[0-9a-z]{20,}$/);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, {
    name: 'Sally',
    description: 'front desk',
    voiceId: 'flite-slt',
    language: 'en-US',
    primaryLanguage: 'en',
    additionalLanguages: [],
    languages: [],
    conversation: {},
    toolIds: [],
    isActive: true,
    deletedAt: null,
    publishedVersion: 1,
    draftVersion: null,
  });
  assert.deepEqual((await api.tenant.ask('GET', `/agents/${id}`)).json.data, answer.json.data);
});

test('models that agents may name are the operator’s; one that an agent has already may stay', async () => {
  const models = ['small', 'large'];
  const config = api.context.config as { agentModels: readonly string[] | null };
  const [voice] = (await api.tenant.ask('GET', '/voices')).json.data;
  const add = (conversation: object) =>
    api.tenant.ask('POST', '/agents', { name: 'Ada', voiceId: voice?.id, conversation });
  const { id } = (await add({ model: 'dear', speechModel: 'dear' })).json.data;
  config.agentModels = models;
  try {
    for (const field of ['model', 'speechModel']) {
      const refused = await add({ [field]: 'dear' });
      assert.deepEqual([refused.status, refused.json.errors?.[0]?.field], [422, `conversation.${field}`]);
      assert.equal((await add({ [field]: 'large' })).status, 201);
    }
    const patch = (conversation: object) => api.tenant.ask('PATCH', `/agents/${id}`, { conversation });
    assert.equal((await patch({ model: 'dear', speechModel: 'dear', reminders: 1 })).status, 200);
    assert.equal((await patch({ model: 'dearer' })).status, 422);
  } finally {
    config.agentModels = null;
  }
});

test('the primary language follows the language', async () => {
  const { id } = (await create({ language: 'es-MX' })).json.data;
  const changed = await api.tenant.ask('PATCH', `/agents/${id}`, { language: 'pt-BR' });
  assert.equal(changed.json.data.primaryLanguage, 'pt');
});

test('fields at fault are 422 by name', async () => {
  assert.deepEqual(fields(await api.tenant.ask('POST', '/agents', {}))?.sort(), ['name', 'voiceId']);
  assert.deepEqual(fields(await create({ voiceId: 'nobody' })), ['voiceId']);
  assert.deepEqual(fields(await create({ name: '  ' })), ['name']);
  assert.deepEqual(fields(await create({ language: 'english!' })), ['language']);
  const misspelt = await create({ voiceID: 'x' });
  assert.deepEqual(fields(misspelt), ['voiceID']);
  assert.match(misspelt.json.errors?.[0]?.message ?? '', /voiceId/);
  const { id } = (await create()).json.data;
  assert.deepEqual(fields(await api.tenant.ask('PATCH', `/agents/${id}`, { voiceId: 'nobody' })), ['voiceId']);
  assert.deepEqual(fields(await api.tenant.ask('PATCH', `/agents/${id}`, { isActive: 'no' })), ['isActive']);
});

test('a client may send back what it read', async () => {
  const { data } = (await create()).json;
  const answer = await api.tenant.ask('PATCH', `/agents/${data.id}`, { ...data, _count: { calls: 1 }, name: 'Sam' });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json.data, { ...data, name: 'Sam', publishedVersion: 2 });
});

test('lists: newest first, by isActive, with counts, without deleted ones, paged', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.unshift((await create({ name: `Agent ${i}`, isActive: i % 2 === 0 })).json.data.id);
    api.clock.advance(1);
  }
  const list = async (query: string) => (await api.tenant.ask('GET', `/agents?${query}`)).json;
  assert.deepEqual(
    (await list('')).data.map((agent) => agent.id),
    ids,
  );
  assert.equal((await list('isActive=false')).pagination.total, 2);
  assert.equal((await list('isActive=true')).pagination.total, 3);
  const second = await list('page=2&limit=2');
  assert.deepEqual(
    second.data.map((agent) => agent.id),
    ids.slice(2, 4),
  );
  assert.deepEqual(second.pagination, { page: 2, limit: 2, total: 5, totalPages: 3, hasNext: true, hasPrev: true });
  await api.tenant.ask('DELETE', `/agents/${ids[0]}`);
  assert.equal((await list('')).pagination.total, 4);
  assert.equal((await api.tenant.ask('GET', '/agents?isActive=yes')).status, 422);
});

test('counts are those of its calls and of the numbers of its campaigns', async () => {
  const { agent, campaign } = await setUpCampaign(api, api.tenant);
  await addNumber(api, api.tenant, { campaignId: campaign.id });
  await addNumber(api, api.tenant);
  for (let i = 0; i < 3; i++) await seedCall(api, api.tenant, { agentId: agent.id });
  const [listed] = (await api.tenant.ask('GET', '/agents')).json.data;
  assert.deepEqual(listed?._count, { calls: 3, phoneNumbers: 2 });
});

test('an agent of an active campaign is not deleted; else it is, softly, and stays readable by id', async () => {
  const { agent, campaign } = await setUpCampaign(api, api.tenant);
  await api.tenant.ask('POST', `/campaigns/${campaign.id}/start`);
  assert.equal((await api.tenant.ask('DELETE', `/agents/${agent.id}`)).status, 409);
  await api.tenant.ask('POST', `/campaigns/${campaign.id}/pause`);
  const deleted = await api.tenant.ask('DELETE', `/agents/${agent.id}`);
  assert.equal(deleted.status, 200);
  assert.notEqual(deleted.json.data.deletedAt, null);
  assert.deepEqual((await api.tenant.ask('GET', `/agents/${agent.id}`)).json.data, deleted.json.data);
  assert.equal((await api.tenant.ask('GET', '/agents')).json.pagination.total, 0);
  assert.equal((await api.tenant.ask('PATCH', `/agents/${agent.id}`, { name: 'x' })).status, 409);
  assert.equal((await api.tenant.ask('DELETE', `/agents/${agent.id}`)).status, 409);
  const resumed = await api.tenant.ask('POST', `/campaigns/${campaign.id}/resume`);
  assert.equal(resumed.status, 409);
});

test('deleting an agent and starting its campaign at once: never both', async () => {
  for (let i = 0; i < 10; i++) {
    const { agent, campaign } = await setUpCampaign(api, api.tenant);
    const [gone, started] = await Promise.all([
      api.tenant.ask('DELETE', `/agents/${agent.id}`),
      api.tenant.ask('POST', `/campaigns/${campaign.id}/start`),
    ]);
    assert.deepEqual([gone.status, started.status].sort(), [200, 409]);
  }
});

test('another tenant’s agent is answered like a missing one', async () => {
  const { id } = (await create()).json.data;
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { name: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    const foreign = await api.other.ask(method, `/agents/${id}`, body);
    assert.equal(foreign.status, 404);
    assert.equal(foreign.text, (await api.other.ask(method, '/agents/agt_none', body)).text);
  }
  assert.equal((await api.tenant.ask('GET', `/agents/${id}`)).json.data.name, 'Sally');
});

test('voices are paged where a page is asked for, and all on one page otherwise', async () => {
  const all = (await api.tenant.ask('GET', '/voices')).json;
  assert.equal(all.pagination.total, all.data.length);
  assert.deepEqual([all.pagination.totalPages, all.pagination.hasNext], [1, false]);
  const second = (await api.tenant.ask('GET', '/voices?page=2&limit=1')).json;
  assert.deepEqual(second.data, all.data.slice(1, 2));
  assert.deepEqual([second.pagination.page, second.pagination.limit, second.pagination.total], [2, 1, all.data.length]);
  const past = await api.tenant.ask('GET', '/voices?page=99');
  assert.deepEqual([past.status, past.json.data, past.json.pagination.limit], [200, [], 20]);
  for (const query of ['limit=101', 'limit=0', 'page=0', 'page=x'])
    assert.equal((await api.tenant.ask('GET', `/voices?${query}`)).status, 422, query);
});

test('voices: the default first, then by name, each one good for an agent', async () => {
  const { data } = (await api.tenant.ask('GET', '/voices')).json;
  assert.ok(data.length >= 2);
  assert.deepEqual(
    data.map((voice) => voice.isDefault),
    data.map((_, i) => i === 0),
  );
  const names = data.slice(1).map((voice) => voice.name);
  assert.deepEqual(names, [...names].sort());
  for (const voice of data) {
    assert.deepEqual(
      Object.keys(voice).sort(),
      ['engine', 'gender', 'id', 'isDefault', 'language', 'name', 'sampleRate'].sort(),
    );
    assert.equal((await create({ voiceId: voice.id })).status, 201);
  }
});

/** Plays the engine's answer to a request for a preview. */
async function engineRenders(): Promise<void> {
  await eventually(async () => {
    const request = await api.context.db
      .selectFrom('engineRequests')
      .selectAll()
      .where('kind', '=', 'voice-preview')
      .where('doneAt', 'is', null)
      .executeTakeFirst();
    if (request !== undefined) {
      const header = Buffer.alloc(44);
      header.write('RIFF', 0, 'latin1');
      writeFileSync(JSON.parse(request.payload).path, Buffer.concat([header, Buffer.from('samples')]));
      await api.context.db.updateTable('engineRequests').set({ doneAt: 1 }).where('id', '=', request.id).execute();
    }
    return request;
  });
}

test('a preview is rendered by the engine once and then served without it', async () => {
  const down = await api.tenant.ask('GET', '/voices/flite-slt/preview');
  assert.equal(down.status, 503);
  assert.ok(Number(down.headers['retry-after']) > 0);
  await engineIs(api);
  const [first, second] = await Promise.all([
    api.tenant.ask('GET', '/voices/flite-slt/preview'),
    api.tenant.ask('GET', '/voices/flite-slt/preview'),
    engineRenders(),
  ]);
  assert.equal(first.status, 200, first.text);
  assert.equal(first.headers['content-type'], 'audio/wav');
  assert.equal(second.text, first.text);
  await engineIs(api, { state: 'stopped' });
  assert.equal((await api.other.ask('GET', '/voices/flite-slt/preview')).status, 200);
  const { total } = await api.context.read
    .selectFrom('engineRequests')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  assert.equal(total, 1);
  for (const id of ['nobody', '..%2f..%2fvoice.db', '%00']) {
    assert.equal((await api.tenant.ask('GET', `/voices/${id}/preview`)).status, 404, id);
  }
});

test('a language that the voice does not speak is a warning beside the answer', async () => {
  const spoken = await create({ language: 'en-GB' });
  assert.equal('warnings' in spoken.json, false, 'another region of the language');
  const { id } = spoken.json.data;
  const unlike = await api.tenant.ask('PATCH', `/agents/${id}`, { language: 'de-DE' });
  assert.equal(unlike.status, 200);
  assert.match(unlike.json.warnings?.[0] ?? '', /speaks en-US, the agent de-DE: choose a voice of that language/);
  assert.match((await create({ language: 'fr' })).json.warnings?.[0] ?? '', /the agent fr/);
});

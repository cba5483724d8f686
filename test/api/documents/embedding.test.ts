// Passages that are found by their meaning, by the vectors of a server; and a server that is down, full or wrong.
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { DocumentEmbedding } from '../../../api/documents/embedding.ts';
import type { DocumentRecord } from '../../../api/documents/schema.ts';
import { startApi } from '../../../bench/rig/api/api.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { FakeEmbeddings } from '../../support/models/fake-embeddings.ts';

const server = await FakeEmbeddings.start();
const api = await startApi({
  environment: { EMBEDDINGS_BASE_URL: server.baseUrl, EMBEDDINGS_MODEL: 'small', EMBEDDINGS_DIMENSIONS: '32' },
});
after(async () => {
  await api.close();
  await server.stop();
});
const { embeddings } = api.context.config;
assert.ok(embeddings);
const work = new DocumentEmbedding(api.context, embeddings);
const MANUAL = '# Weekly programme\n\nIt is heated against legionella.\n\n# Shop\n\nThe shop has opening hours.';

beforeEach(async () => {
  server.script = ['vectors'];
  server.requests.length = 0;
  await api.context.db.deleteFrom('passages').execute();
  await api.context.db.deleteFrom('documents').execute();
});

async function document(text = MANUAL) {
  const path = `/businesses/${(await setUpCampaign(api, api.tenant)).business.id}/documents`;
  const { id } = (await api.tenant.ask('POST', path, { name: 'Manual', kind: 'markdown', text })).json
    .data as DocumentRecord;
  const state = async () => (await api.tenant.ask('GET', `${path}/${id}`)).json.data as DocumentRecord;
  const find = async (question: string) =>
    ((await api.tenant.ask('POST', `${path}/search`, { question })).json.data as Array<{ heading: string }>).map(
      ({ heading }) => heading,
    );
  return { path, id, state, find };
}
const vectors = async (): Promise<number> =>
  (await api.context.db.selectFrom('documentVectors').select('block').execute()).length;

test('what no word says is found by its meaning once its vectors are made', async () => {
  const { find, state } = await document();
  assert.equal((await state()).embedding, 'waiting');
  assert.deepEqual(await find('are germs killed'), []);
  await work.run();
  assert.deepEqual([(await state()).embedding, (await state()).embeddingError], ['done', null]);
  assert.equal((await find('are germs killed'))[0], 'Weekly programme');
  assert.equal((await find('when is it closed'))[0], 'Shop');
  assert.equal(await work.run(), 0, 'nothing is made twice');
});

test('words and meaning are joined: a passage that both find comes first', async () => {
  const { find } = await document(`${MANUAL}\n\n# Germs\n\nGerms are everywhere.`);
  await work.run();
  assert.equal((await find('are germs killed'))[0], 'Germs');
});

test('a passage with the code that is asked for comes before those that mean the same', async () => {
  const parts = ['1', '2', '3', '4', '5'].map((n) => `# Cartridge ${n}\n\nPart WP-441${n}-B keeps bacteria out.`);
  const { find } = await document([...parts, '# Germs\n\nIt kills germs and legionella.'].join('\n\n'));
  await work.run();
  assert.equal((await find('are germs killed by w p forty four fourteen b'))[0], 'Cartridge 4');
  assert.equal((await find('are germs killed by WP-4412-B'))[0], 'Cartridge 2');
});

test('a server that is down lets words find, says why, and is asked again later', async () => {
  const { find, state } = await document();
  server.script = [{ status: 500 }];
  await work.run();
  assert.deepEqual([(await state()).embedding, (await state()).embeddingError], ['waiting', 'the server answered 500']);
  assert.deepEqual(await find('opening hours'), ['Shop']);
  server.script = ['vectors'];
  assert.equal(await work.run(), 0, 'not before its rest');
  api.clock.advance(2_000);
  await work.run();
  assert.equal((await state()).embedding, 'done');
});

test('a server that is full is left alone as long as it says', async () => {
  await document();
  await document();
  server.script = [{ status: 429, headers: { 'retry-after': '60' } }, 'vectors'];
  await work.run();
  assert.equal(server.requests.length, 1, 'the next document waits, too');
  api.clock.advance(59_000);
  const { length } = server.requests;
  await work.run();
  assert.equal(server.requests.length, length + 1, 'only the document that was not refused');
  api.clock.advance(2_000);
  await work.run();
  assert.equal(await vectors(), 2);
});

test('vectors of another size are none', async () => {
  const { state } = await document();
  server.script = [{ status: 200, body: JSON.stringify({ data: [{ embedding: [1] }, { embedding: [1] }] }) }];
  await work.run();
  assert.match(String((await state()).embeddingError), /vectors of 1 numbers/);
  assert.equal(await vectors(), 0);
});

test('what was made before a failure is not asked for again', async () => {
  const long = Array.from({ length: 100 }, (_, at) => `# Part ${at}\n\nLegionella number ${at}.`).join('\n\n');
  const { state } = await document(long);
  // Requests of 16, 32 and 16 make the first block.
  server.script = ['vectors', 'vectors', 'vectors', { status: 503 }];
  await new DocumentEmbedding(api.context, embeddings).run();
  assert.equal(await vectors(), 1);
  server.requests.length = 0;
  server.script = ['vectors'];
  api.clock.advance(600_000);
  await new DocumentEmbedding(api.context, embeddings).run();
  assert.equal((await state()).embedding, 'done');
  const asked = server.requests.reduce((sum, { input }) => sum + input.length, 0);
  assert.equal(asked, 36, 'the first 64 are there');
});

test('a server that is too slow for many texts at once is asked for half as many, and the document is done', async () => {
  const long = Array.from({ length: 20 }, (_, at) => `# Part ${at}\n\nLegionella number ${at}.`).join('\n\n');
  const { state } = await document(long);
  server.script = ['hang', 'vectors'];
  await new DocumentEmbedding(api.context, embeddings, 300).run();
  assert.deepEqual([(await state()).embedding, (await state()).embeddingError], ['done', null]);
  const [first = 0, second = 0] = server.requests.map(({ input }) => input.length);
  assert.ok(second <= first / 2, `${first}, then ${second}`);
});

test('a deleted document has no vectors', async () => {
  const { path, id } = await document();
  await work.run();
  assert.equal(await vectors(), 1);
  await api.tenant.ask('DELETE', `${path}/${id}`);
  assert.equal(await vectors(), 0);
});

test('another model makes them anew', async () => {
  const { state } = await document();
  await work.run();
  await new DocumentEmbedding(api.context, { ...embeddings, model: 'large' }).run();
  assert.equal((await state()).embedding, 'waiting', 'for the model that is set');
  await work.run();
  assert.equal((await state()).embedding, 'done');
  assert.equal(await vectors(), 1);
});

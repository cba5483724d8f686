// Documents of a business: added, found, and gone with every word.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sql } from 'kysely';
import { IndexMerge } from '../../../../api/documents/merge.ts';
import type { DocumentRecord } from '../../../../api/documents/schema.ts';
import { refreshDocuments } from '../../../../api/documents/sources.ts';
import { soundOf, trigramsOf } from '../../../../db/language/sounds.ts';
import { segmentsOf } from '../../../../db/queries/knowledge/merge.ts';
import { truncateLog } from '../../../../db/upkeep.ts';
import { setUpCampaign } from '../../../support/api/resources.ts';
import { uploadDocument } from '../../../support/api/upload-document.ts';
import { useApi } from '../../../support/api/use-api.ts';

const api = useApi();
const fileOnly = process.env.DATABASE_URL ? 'PostgreSQL keeps what it deleted until it is vacuumed' : false;

const TERMS = `# Warranty

The warranty of each vacuum cleaner is two years from the day of purchase.

## Batteries

The battery of the model QX-200 has a warranty of one year. Zebrawood cases are excluded.

# Delivery

We deliver within three working days. Islands take a week.`;

const base = async () => {
  const { business } = await setUpCampaign(api, api.tenant);
  return `/businesses/${business.id}/documents`;
};
const add = (path: string, changes: object = {}) =>
  api.tenant.ask('POST', path, { name: 'Terms', kind: 'markdown', text: TERMS, ...changes });
const find = async (path: string, question: string) =>
  (await api.tenant.ask('POST', `${path}/search`, { question })).json.data as Array<{
    heading: string;
    passage: string;
  }>;

test('a document is cut into passages, listed, and read', async () => {
  const path = await base();
  const made = await add(path);
  assert.equal(made.status, 201, made.text);
  const { id, name, kind, characters, passages } = made.json.data as DocumentRecord;
  assert.match(id, /^kdc_/);
  assert.deepEqual([name, kind, characters, passages], ['Terms', 'markdown', TERMS.length, 3]);
  assert.deepEqual((await api.tenant.ask('GET', path)).json.data, [made.json.data]);
  assert.deepEqual((await api.tenant.ask('GET', `${path}/${id}`)).json.data, made.json.data);
});

test('a question finds its passage by what it is about, however it is asked', async () => {
  const path = await base();
  await add(path);
  for (const [question, heading] of [
    ['Hello, can you please tell me how long the warranty of a battery is?', 'Warranty > Batteries'],
    ['what about qx 200', 'Warranty > Batteries'],
    ['how many days until you are delivering', 'Delivery'],
    ['do vacuum cleaners have a warranty', 'Warranty'],
  ] as const) {
    assert.equal((await find(path, question))[0]?.heading, heading, question);
  }
  assert.deepEqual(await find(path, 'can you tell me what it is'), [], 'a question without a telling word');
  assert.deepEqual(await find(path, 'rhinoceros'), []);
});

test('words of a query language are words', async () => {
  const path = await base();
  await add(path);
  for (const question of [
    '" OR 1',
    'warranty NEAR(',
    'heading : *',
    "'); drop table passages; --",
    'a AND NOT b',
    '& | ! <->',
  ])
    assert.equal((await api.tenant.ask('POST', `${path}/search`, { question })).status, 200, question);
  assert.equal((await find(path, 'battery" OR "islands')).length, 2);
});

test('another business and another tenant find nothing of it', async () => {
  const path = await base();
  const { id } = (await add(path)).json.data as { id: string };
  const elsewhere = await base();
  assert.deepEqual(await find(elsewhere, 'battery warranty'), []);
  for (const [method, address, body] of [
    ['GET', path],
    ['GET', `${path}/${id}`],
    ['DELETE', `${path}/${id}`],
    ['POST', path, { name: 'Mine', text: 'x' }],
    ['POST', `${path}/search`, { question: 'battery' }],
  ] as const)
    assert.equal((await api.other.ask(method, address, body)).status, 404, `${method} ${address}`);
  assert.equal((await api.tenant.ask('GET', `${elsewhere}/${id}`)).status, 404, 'by the way of another business');
});

test('a plan has a limit of documents, and says so', async () => {
  const path = await base();
  const { accountId } = api.tenant;
  await api.context.db.updateTable('accounts').set({ plan: 'STARTER' }).where('id', '=', accountId).execute();
  for (let i = 0; i < 50; i++) assert.equal((await add(path, { text: `Number ${i}.` })).status, 201);
  const refused = await add(path);
  assert.deepEqual([refused.status, refused.json.code], [409, 'QUOTA_EXCEEDED']);
});

test('a deleted document is not found, nor is any word of it on the disk', { skip: fileOnly }, async () => {
  const path = await base();
  const { id } = (await add(path, { text: `${TERMS}\n\nMahogany lids are for collectors.` })).json.data as {
    id: string;
  };
  await add(path, { name: 'Other', text: 'Islands take a week.' });
  assert.equal((await api.tenant.ask('DELETE', `${path}/${id}`)).status, 200);
  assert.equal((await api.tenant.ask('GET', `${path}/${id}`)).status, 404);
  assert.deepEqual(await find(path, 'mahogany'), []);
  assert.equal((await find(path, 'islands')).length, 1);
  assert.ok(await truncateLog(api.context.db));
  const { dataDir } = api.context.config;
  for (const name of readdirSync(dataDir).filter((each) => each.startsWith('voice.db'))) {
    const bytes = readFileSync(`${dataDir}/${name}`).toString('latin1').toLowerCase();
    // The word, its stem, how it sounds, and trigrams of that.
    for (const trace of ['mahogany', 'mahogani', 'maogani', 'hgog', 'mahog']) assert.ok(!bytes.includes(trace), name);
  }
  for (const table of ['name_grams', 'passage_words']) {
    const terms = sql.table(`terms_of_${table}`);
    const { db } = api.context;
    await sql`create virtual table temp.${terms} using fts5vocab ('main', ${sql.lit(table)}, 'row')`.execute(db);
    const { rows } = await sql<{ term: string }>`select term from ${terms}`.execute(db);
    assert.notEqual(rows.length, 0, 'of the other document');
    const grams = trigramsOf(soundOf('mahogany'));
    const left = rows.filter(({ term }) => term.includes('mahog') || grams.some((gram) => term.slice(10) === gram));
    assert.deepEqual(left, [], table);
  }
});

test('the longest text is taken in any script, and a longer one is named', async () => {
  const path = await base();
  const longest = await add(path, { text: '保証は二年です。\n\n'.repeat(90_000).slice(0, 900_000) });
  assert.equal(longest.status, 201, longest.text.slice(0, 200));
  const longer = await add(path, { text: 'x'.repeat(900_001) });
  assert.deepEqual([longer.status, longer.json.errors?.map(({ field }) => field)], [422, ['text']]);
});

test('a retry with the same key adds no second document, and a key is for one request', async () => {
  const path = await base();
  const key = { 'idempotency-key': '0193cd1e-5e0e-7aaa-8aaa-0193cd1e5e0e' };
  const body = { name: 'Terms', kind: 'markdown', text: TERMS };
  const first = await api.tenant.ask('POST', path, body, key);
  const again = await api.tenant.ask('POST', path, body, key);
  assert.deepEqual([again.status, again.json.data], [201, first.json.data]);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal((await api.tenant.ask('POST', path, { ...body, name: 'Other' }, key)).status, 422);
  const upload = { file: 'terms.md', content: TERMS, key: '0193cd1e-5e0e-7aaa-8aaa-0193cd1e5e0f' };
  const sent = await uploadDocument(api, api.tenant, path, upload);
  const resent = await uploadDocument(api, api.tenant, path, upload);
  assert.deepEqual([resent.status, resent.json.data], [201, sent.json.data]);
  assert.equal((await uploadDocument(api, api.tenant, path, { ...upload, content: 'Else.' })).status, 422);
  assert.equal(((await api.tenant.ask('GET', path)).json.data as unknown[]).length, 2);
});

test('a long document is added in pieces, and is there only when it is whole', async () => {
  const path = await base();
  const text = Array.from({ length: 700 }, (_, at) => `# Item ${at}\n\nShelf number ${at} holds Teakwood.`).join(
    '\n\n',
  );
  const { id, passages } = (await add(path, { text })).json.data as DocumentRecord;
  assert.equal(passages, 700);
  assert.equal((await find(path, 'shelf 699'))[0]?.heading, 'Item 699');
  const { db } = api.context;
  await db.updateTable('documents').set({ indexVersion: -1 }).where('id', '=', id).execute();
  assert.equal((await api.tenant.ask('GET', `${path}/${id}`)).status, 404, 'as while it is being added');
  api.clock.advance(11 * 60_000);
  await refreshDocuments(api.context);
  const left = await db.selectFrom('passages').select('seq').where('documentId', '=', id).execute();
  assert.deepEqual(left, [], 'its process ended');
});

test('the index is merged when nothing was added since the last look', { skip: fileOnly }, async () => {
  const path = await base();
  for (let i = 0; i < 3; i++) await add(path, { text: `Number ${i} is of rosewood.` });
  const merge = new IndexMerge(api.context);
  const { read } = api.context;
  await merge.run();
  assert.ok((await segmentsOf(read, 'passage_words')) > 1);
  await merge.run();
  assert.equal(await segmentsOf(read, 'passage_words'), 1);
  assert.equal(await segmentsOf(read, 'name_grams'), 1);
  assert.equal((await find(path, 'rosewood')).length, 3);
});

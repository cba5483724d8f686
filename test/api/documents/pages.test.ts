// Web pages as documents: what a reader would see of them, under their headings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentRecord } from '../../../api/documents/schema.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

async function addPage(text: string) {
  const { business } = await setUpCampaign(api, api.tenant);
  const path = `/businesses/${business.id}/documents`;
  const made = await api.tenant.ask('POST', path, { name: 'Page', kind: 'html', text });
  return { path, made };
}

/** All passages of the page, in its order. */
async function passagesOf(text: string): Promise<Array<[heading: string, body: string]>> {
  const { made } = await addPage(text);
  assert.equal(made.status, 201, made.text);
  const { id } = made.json.data as DocumentRecord;
  const rows = await api.context.db
    .selectFrom('passages')
    .select(['heading', 'body'])
    .where('documentId', '=', id)
    .orderBy('seq')
    .execute();
  return rows.map(({ heading, body }) => [heading, body]);
}

test('headings, paragraphs, lists and tables are read as a reader sees them', async () => {
  const passages =
    await passagesOf(`<!doctype html><html><head><title>Shop</title><style>p { color: red }</style></head>
    <body><nav><a href="/">Home</a> <a href="/cart">Cart</a></nav>
    <main><h1>Warranty &amp; <em>returns</em></h1><p>Two years from the day
      of <b>pur</b>chase.<br>In all shops.</p>
    <h2>What is excluded?</h2><ul><li>Batteries</li><li><p>Filters, <i>used</i></p></li></ul>
    <h3>Prices</h3><table><thead><tr><th>Model</th><th>Price</th></tr></thead>
    <tr><td>QX-200</td><td> 129 <span>euros</span></td></tr><tr><td></td><td>159 euros</td></tr></table>
    <script>document.write('secret')</script><noscript>Turn on scripts</noscript><p hidden>hidden</p></main>
    <h1>Delivery</h1>On Fridays.</body></html>`);
  assert.deepEqual(passages, [
    ['Warranty & returns', 'Two years from the day of purchase.\nIn all shops.'],
    ['Warranty & returns > What is excluded?', 'Batteries\nFilters, used'],
    ['Warranty & returns > What is excluded? > Prices', 'Model | Price\nQX-200 | 129 euros\n159 euros'],
    ['Delivery', 'On Fridays.'],
  ]);
});

test('a line of a page that looks like a heading of Markdown is none', async () => {
  assert.deepEqual(await passagesOf('<p># Not a heading</p><p>Words.</p>'), [['', 'Not a heading\nWords.']]);
});

test('a page without words is refused', async () => {
  const { path, made } = await addPage('<html><body><script>let words = 1;</script></body></html>');
  assert.deepEqual([made.status, made.json.code], [400, 'DOCUMENT_UNREADABLE']);
  assert.match(made.json.error ?? '', /it has no text/);
  assert.deepEqual((await api.tenant.ask('GET', path)).json.data, []);
});

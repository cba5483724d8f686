// Documents that are read from an address, and again when it is time.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { DocumentRecord } from '../../api/documents/schema.ts';
import { refreshDocuments } from '../../api/documents/sources.ts';
import { eventually } from '../../bench/rig/eventually.ts';
import { setUpCampaign } from '../support/api/resources.ts';
import { Site } from '../support/api/site.ts';
import { useApi } from '../support/api/use-api.ts';
import { docx, pdf, word } from '../support/document-files.ts';

const HOUR_MS = 3_600_000;
const site = new Site();
const api = useApi({ config: { webhookAllowPrivate: true } }, () => site.start());
after(() => site.stop());

const base = async () => {
  const { business } = await setUpCampaign(api, api.tenant);
  return `/businesses/${business.id}/documents`;
};
const add = async (path: string, url: string, more: object = {}) =>
  api.tenant.ask('POST', path, { name: 'Source', url, ...more });
const found = async (path: string, question: string) =>
  ((await api.tenant.ask('POST', `${path}/search`, { question })).json.data as Array<{ passage: string }>)[0]?.passage;
const read = async (path: string, id: string) =>
  (await api.tenant.ask('GET', `${path}/${id}`)).json.data as DocumentRecord;
const rowsOf = async (documentId: string) =>
  (await api.context.db.selectFrom('passages').select('seq').where('documentId', '=', documentId).execute()).map(
    ({ seq }) => seq,
  );

test('what an address answers is read by its type', async () => {
  const path = await base();
  const office = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  for (const [at, type, body, kind] of [
    ['/page', 'text/html; charset=iso-8859-1', Buffer.from('<h1>R\xfcckgabe</h1><p>Two weeks.</p>', 'latin1'), 'html'],
    ['/terms.md', 'text/plain', '# Returns\n\nTwo weeks.', 'markdown'],
    ['/terms', 'text/markdown', '# Returns\n\nTwo weeks.', 'markdown'],
    ['/terms.txt', 'text/plain', 'Two weeks.', 'text'],
    ['/a', 'application/pdf', pdf([[{ text: 'Two weeks.' }]]), 'pdf'],
    ['/a.pdf', 'application/octet-stream', pdf([[{ text: 'Two weeks.' }]]), 'pdf'],
    ['/b', office, docx(word('Two weeks.')), 'docx'],
  ] as const) {
    const url = site.put(at, type, body);
    const made = await add(path, url);
    assert.equal(made.status, 201, made.text);
    const { kind: as, sourceUrl, refreshHours, readAt, error } = made.json.data as DocumentRecord;
    assert.deepEqual([as, sourceUrl, refreshHours, error], [kind, url, null, null]);
    assert.equal(Date.parse(readAt ?? ''), api.context.now());
  }
  assert.equal(await found(path, 'Rückgabe'), 'Two weeks.');
});

test('an address that gives nothing to read is refused with the reason, and nothing is kept', async () => {
  const path = await base();
  site.pages.set('/loop', { status: 302, headers: { location: '/loop' } });
  site.pages.set('/inside', { status: 302, headers: { location: 'ftp://10.0.0.1/x' } });
  site.put('/large', 'text/plain', Buffer.alloc(5 * 1024 * 1024 + 1, 'a'));
  site.put('/image', 'image/png', 'x');
  site.put('/no.pdf', 'application/pdf', '<html>');
  for (const [at, reason] of [
    ['/none', /its address answered 404/],
    ['/loop', /redirects too often/],
    ['/inside', /must begin with/],
    ['/large', /larger than 5 MiB/],
    ['/image', /image\/png, no page/],
    ['/no.pdf', /not a PDF/],
  ] as const) {
    const refused = await add(path, site.url(at));
    assert.deepEqual([refused.status, refused.json.code], [400, 'DOCUMENT_UNREADABLE'], refused.text);
    assert.match(refused.json.error ?? '', reason);
  }
  assert.deepEqual((await api.tenant.ask('GET', path)).json.data, []);
});

test('a document has a text or an address', async () => {
  const path = await base();
  const url = site.put('/t', 'text/plain', 'Two weeks.');
  for (const [body, field] of [
    [{}, 'text'],
    [{ url, text: 'x' }, 'url'],
    [{ url, kind: 'html' }, 'kind'],
    [{ text: 'x', refreshHours: 5 }, 'refreshHours'],
    [{ url, refreshHours: 721 }, 'refreshHours'],
    [{ url: 'ftp://127.0.0.1/' }, 'url'],
    [{ url: 'http://me:secret@127.0.0.1/' }, 'url'],
  ] as const) {
    const refused = await api.tenant.ask('POST', path, { name: 'x', ...body });
    assert.deepEqual([refused.status, refused.json.errors?.[0]?.field], [422, field], refused.text);
  }
});

test('a refresh replaces what changed, keeps what it cannot read, and says why', async () => {
  const path = await base();
  const url = site.put('/changing', 'text/html', '<h1>Returns</h1><p>Two weeks.</p>');
  const { id } = (await add(path, url)).json.data as DocumentRecord;
  const refresh = async () => (await api.tenant.ask('POST', `${path}/${id}/refresh`)).json.data as DocumentRecord;
  const before = await rowsOf(id);

  api.clock.advance(HOUR_MS);
  const same = await refresh();
  assert.deepEqual([Date.parse(same.readAt ?? ''), same.error], [api.context.now(), null]);
  assert.deepEqual(await rowsOf(id), before, 'the passages of an unchanged page are not written again');

  site.put('/changing', 'text/html', '<h1>Returns</h1><p>Three weeks, in all shops.</p>');
  const changed = await refresh();
  assert.deepEqual([changed.error, changed.characters], [null, '# Returns\n\nThree weeks, in all shops.'.length]);
  assert.equal(await found(path, 'returns'), 'Three weeks, in all shops.');

  site.pages.set('/changing', { status: 500 });
  api.clock.advance(HOUR_MS);
  const failed = await refresh();
  assert.deepEqual([failed.error, failed.readAt], ['Its address answered 500', changed.readAt]);
  assert.equal(await found(path, 'returns'), 'Three weeks, in all shops.');

  const sent = (await api.tenant.ask('POST', path, { name: 'x', text: 'x' })).json.data as DocumentRecord;
  const refused = await api.tenant.ask('POST', `${path}/${sent.id}/refresh`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'DOCUMENT_HAS_NO_SOURCE']);
  assert.equal((await api.other.ask('POST', `${path}/${id}/refresh`)).status, 404);
});

test('the job reads a document again after its hours, and after one hour where that failed', async () => {
  const path = await base();
  const url = site.put('/hourly', 'text/plain', 'Open until five.');
  const { id } = (await add(path, url, { refreshHours: 24 })).json.data as DocumentRecord;
  const asked = () => site.asked.filter((at) => at === '/hourly').length;
  const after = async (hours: number) => {
    api.clock.advance(hours * HOUR_MS);
    await refreshDocuments(api.context);
    return asked();
  };
  site.put('/hourly', 'text/plain', 'Open until six.');
  assert.equal(await after(23), 1);
  assert.equal(await after(1), 2);
  assert.equal(await found(path, 'open'), 'Open until six.');

  site.pages.set('/hourly', { status: 503 });
  assert.equal(await after(24), 3);
  assert.match((await read(path, id)).error ?? '', /503/);
  site.put('/hourly', 'text/plain', 'Open until seven.');
  assert.equal(await after(1), 4);
  assert.deepEqual([(await read(path, id)).error, await found(path, 'open')], [null, 'Open until seven.']);

  assert.equal((await api.tenant.ask('DELETE', `${path}/${id}`)).status, 200);
  assert.equal(await after(24), 4, 'a deleted document is not read again');
});

test('an account with many documents leaves turns to the others', async () => {
  const path = await base();
  const url = site.put('/many', 'text/plain', 'Open until five.');
  for (let i = 0; i < 6; i++) await add(path, url, { refreshHours: 1 });
  const { business } = await setUpCampaign(api, api.other);
  const theirs = site.put('/theirs', 'text/plain', 'Open until five.');
  await api.other.ask('POST', `/businesses/${business.id}/documents`, { name: 'x', url: theirs, refreshHours: 1 });
  site.asked.length = 0;
  api.clock.advance(HOUR_MS);
  const turns: number[] = [];
  for (let run = 0; run < 3; run++) turns.push(await refreshDocuments(api.context));
  assert.deepEqual(turns, [5, 2, 0]);
  assert.deepEqual([site.asked.filter((at) => at === '/many').length, site.asked.includes('/theirs')], [6, true]);
});

test('slow addresses of one account leave places to others, and its own texts', async () => {
  const path = await base();
  let answer = (): void => {};
  const until = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const headers = { 'content-type': 'text/plain' };
  site.pages.set('/slow', { headers, body: 'Open until five.', until });
  const slow = [add(path, site.url('/slow')), add(path, site.url('/slow'))];
  const areAsked = () => site.asked.filter((at) => at === '/slow').length === 2;
  await eventually(areAsked);

  const third = await add(path, site.put('/quick', 'text/plain', 'Open until six.'));
  assert.deepEqual([third.status, third.json.code], [429, 'ACCOUNT_BUSY']);
  assert.equal((await api.tenant.ask('POST', path, { name: 'x', text: 'Open until seven.' })).status, 201);
  const { business } = await setUpCampaign(api, api.other);
  const other = { name: 'x', url: site.url('/quick') };
  assert.equal((await api.other.ask('POST', `/businesses/${business.id}/documents`, other)).status, 201);

  answer();
  assert.deepEqual(
    (await Promise.all(slow)).map(({ status }) => status),
    [201, 201],
  );
});

test('a refresh that is more than the plan allows keeps what was read', async () => {
  const path = await base();
  const { accountId } = api.tenant;
  await api.context.db.updateTable('accounts').set({ plan: 'STARTER' }).where('id', '=', accountId).execute();
  const url = site.put('/growing', 'text/plain', 'Open until five.');
  const { id } = (await add(path, url)).json.data as DocumentRecord;
  site.put('/growing', 'text/plain', 'Open until six. '.repeat(130_000));
  const failed = (await api.tenant.ask('POST', `${path}/${id}/refresh`)).json.data as DocumentRecord;
  assert.match(failed.error ?? '', /plan allows 2000000 characters/);
  assert.equal(await found(path, 'open'), 'Open until five.');
});

// Documents as files: read by what they are, and refused with the reason where they are hostile.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { setUpCampaign } from '../support/api/resources.ts';
import { uploadDocument } from '../support/api/upload-document.ts';
import { useApi } from '../support/api/use-api.ts';
import { docx, pdf, pdfOfStreams, word } from '../support/document-files.ts';

const api = useApi();

const base = async () => {
  const { business } = await setUpCampaign(api, api.tenant);
  return `/businesses/${business.id}/documents`;
};
const upload = (path: string, file: string, content: Buffer | string, name?: string) =>
  uploadDocument(api, api.tenant, path, { file, content, ...(name === undefined ? {} : { name }) });
const find = async (path: string, question: string) =>
  (await api.tenant.ask('POST', `${path}/search`, { question })).json.data as Array<{
    heading: string;
    passage: string;
  }>;

async function refusal(file: string, content: Buffer | string): Promise<string> {
  const path = await base();
  const answer = await upload(path, file, content);
  assert.deepEqual([answer.status, answer.json.code], [400, 'DOCUMENT_UNREADABLE'], answer.text);
  assert.deepEqual((await api.tenant.ask('GET', path)).json.data, [], 'nothing of it is kept');
  return answer.json.error ?? '';
}

test('a PDF is read under its headings, which are its larger letters', async () => {
  const path = await base();
  const file = pdf([
    [
      { text: 'Warranty', size: 24 },
      { text: 'The warranty of each vacuum cleaner is two years from the day of pur-' },
      { text: 'chase.' },
      { text: 'Batteries', size: 18 },
      { text: 'The battery has a warranty of one year (from the purchase).' },
    ],
    [{ text: 'Delivery', size: 24 }, { text: 'We deliver within three working days.' }],
  ]);
  const made = await upload(path, 'Terms.pdf', file);
  assert.equal(made.status, 201, made.text);
  const { name, kind, passages, sourceUrl, error } = made.json.data;
  assert.deepEqual([name, kind, passages, sourceUrl, error], ['Terms.pdf', 'pdf', 3, null, null]);
  assert.deepEqual((await find(path, 'battery'))[0], {
    documentId: made.json.data.id,
    name,
    heading: 'Warranty > Batteries',
    passage: 'The battery has a warranty of one year (from the purchase).',
  } as unknown);
  assert.match((await find(path, 'vacuum cleaner'))[0]?.passage ?? '', /day of purchase\./);
});

test('the pages of a PDF are its headings where it has none', async () => {
  const path = await base();
  const file = pdf(
    ['Opening hours are nine to five.', 'Parking is free.', 'Dogs are welcome.'].map((text) => [{ text }]),
  );
  const made = await upload(path, 'house.pdf', file, 'House rules');
  assert.equal(made.status, 201, made.text);
  assert.equal(made.json.data.name, 'House rules');
  assert.equal((await find(path, 'dogs'))[0]?.heading, 'Page 3');
});

test('running heads, numbers of pages and a table of contents are no part of the text', async () => {
  const path = await base();
  const pages = ['Opening hours are nine to five.', 'Parking is free.', 'Dogs are welcome.', 'Cats are not.'];
  const file = pdf(
    pages.map((text, index) => [
      { text: 'Willow Hair Studio', size: 24 },
      { text: `${text.slice(0, 4)} . . . . . . . . . . . ${index + 3}` },
      { text },
      { text: `Page ${index + 1} of ${pages.length}`, size: 8 },
    ]),
  );
  assert.equal((await upload(path, 'house.pdf', file)).status, 201);
  const [found] = await find(path, 'dogs');
  assert.deepEqual([found?.heading, found?.passage], ['Page 3', 'Dogs are welcome.']);
});

test('headings that differ by their number only are headings', async () => {
  const path = await base();
  const steps = ['Open the lid.', 'Take the filter out.', 'Rinse it in cold water.', 'Let it dry.'];
  const file = pdf(steps.map((text, index) => [{ text: `Step ${index + 1}`, size: 24 }, { text }]));
  assert.equal((await upload(path, 'filter.pdf', file)).status, 201);
  assert.equal((await find(path, 'rinse'))[0]?.heading, 'Step 3');
});

test('a Word document is read under its headings, a row of a table as a line', async () => {
  const path = await base();
  const cell = (text: string) => `<w:tc>${word(text)}</w:tc>`;
  const body = [
    word('Warranty', 'berschrift1'),
    word('Two years from the day of purchase.'),
    word('Batteries', 'berschrift2'),
    '<w:p><w:r><w:t xml:space="preserve">The battery has a warranty of </w:t></w:r><w:del><w:r><w:delText>two years' +
      '</w:delText></w:r></w:del><w:ins><w:r><w:t>one year &amp; a day.</w:t></w:r></w:ins></w:p>',
    `<w:tbl><w:tr>${cell('QX-200')}${cell('129 euros')}</w:tr><w:tr>${cell('QX-300')}${cell('159 euros')}</w:tr></w:tbl>`,
  ];
  const made = await upload(path, 'terms.docx', docx(body.join('')));
  assert.equal(made.status, 201, made.text);
  assert.equal(made.json.data.kind, 'docx');
  const [found] = await find(path, 'battery');
  assert.deepEqual(
    [found?.heading, found?.passage],
    ['Warranty > Batteries', 'The battery has a warranty of one year & a day.\nQX-200 | 129 euros\nQX-300 | 159 euros'],
  );
});

test('a page, a Markdown file and a text are uploaded too, in the letters of their time', async () => {
  const path = await base();
  for (const [file, content, kind] of [
    ['a.html', '<h1>Umtausch</h1><p>Vierzehn Tage.</p>', 'html'],
    ['a.md', '# Umtausch\n\nVierzehn Tage.', 'markdown'],
    ['a.txt', Buffer.from('Gew\xe4hrleistung: zwei Jahre.', 'latin1'), 'text'],
  ] as const) {
    const made = await upload(path, file, content as string);
    assert.equal(made.status, 201, made.text);
    assert.equal(made.json.data.kind, kind);
  }
  assert.equal((await find(path, 'Gewährleistung'))[0]?.passage, 'Gewährleistung: zwei Jahre.');
});

test('a file that is not what its name says is refused', async () => {
  assert.match(await refusal('terms.pdf', '<script>alert(1)</script>'), /not a PDF, whatever its name says/);
  assert.match(await refusal('terms.docx', pdf([[{ text: 'x' }]])), /not a Word document, whatever its name says/);
  assert.match(await refusal('terms.txt', docx(word('x'))), /not a text, whatever its name says/);
  assert.match(await refusal('terms.html', Buffer.from([60, 0, 1, 2])), /not a text, whatever its name says/);
  const path = await base();
  const odd = await upload(path, 'terms.exe', 'MZ');
  assert.deepEqual([odd.status, odd.json.errors?.[0]?.field], [422, 'file']);
});

test('a broken file is refused', async () => {
  const whole = pdf([[{ text: 'The warranty is two years.' }]]);
  assert.match(await refusal('a.pdf', '%PDF-1.7\nnothing of a PDF'), /the file is broken/);
  assert.match(await refusal('a.pdf', whole.subarray(0, 60)), /the file is broken/);
  assert.match(await refusal('a.docx', docx(word('x')).subarray(0, 120)), /the file is broken/);
  assert.match(await refusal('a.pdf', pdf([[]])), /it has no text/);
});

test('an encrypted PDF is refused, and an encrypted Word document', async () => {
  const key = 'A'.repeat(64);
  const trailer = ` /Encrypt 6 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`;
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${key}> /U <${key}> >>`;
  const file = pdf([[{ text: 'secret' }]], { trailer, objects: [encrypt] });
  assert.match(await refusal('a.pdf', file), /it is encrypted: remove its password/);
  const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]);
  assert.match(await refusal('a.docx', ole), /it is encrypted, or older than Word 2007/);
});

test('a PDF of 10,000 pages is refused', async () => {
  const file = pdfOfStreams([Buffer.from('BT ET')], { pages: 10_000 });
  assert.match(await refusal('a.pdf', file), /it has 10000 pages, more than 2000/);
});

test('an archive that is a thousand times larger unpacked is refused', async () => {
  const spaces = ' '.repeat(1024).repeat(64 * 1024);
  assert.match(await refusal('a.docx', docx(word(spaces))), /it is too large when it is unpacked/);
  // Other parts are not unpacked at all.
  const path = await base();
  const made = await upload(path, 'a.docx', docx(word('Two years.'), { 'word/media/a.png': Buffer.alloc(40_000_000) }));
  assert.equal(made.status, 201, made.text);
});

test('an archive that lies about its size is not inflated further', async () => {
  const honest = docx(word(`Two years. ${'The battery has a warranty of one year. '.repeat(100_000)}`));
  const lying = Buffer.from(honest);
  // The sizes of word/document.xml in the central directory (APPNOTE.TXT 4.3.12): offset 24 of its header.
  const header = lying.indexOf('504b0102', lying.indexOf('504b0102', 0, 'hex') + 4, 'hex');
  assert.equal(lying.subarray(header + 46, header + 63).toString(), 'word/document.xml');
  lying.writeUInt32LE(300, header + 24);
  assert.match(await refusal('a.docx', lying), /the file is broken/);
});

test('a PDF whose page is a bomb is refused', async () => {
  // 2 GiB of blanks, deflated twice: the same block of 16 MiB again and again.
  const block = deflateRawSync(Buffer.alloc(16 * 1024 ** 2, 32), { finishFlush: constants.Z_FULL_FLUSH });
  const inner = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(128).fill(block), deflateRawSync('')]);
  const outer = deflateSync(inner);
  assert.ok(outer.length < 100_000);
  const file = pdfOfStreams([Buffer.from('BT ET')]);
  const at = file.indexOf('4 0 obj');
  const end = file.indexOf('endobj', at);
  const hostile = Buffer.concat([
    file.subarray(0, at),
    Buffer.from(`4 0 obj\n<< /Length ${outer.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`),
    outer,
    Buffer.from('\nendstream\n'),
    file.subarray(end),
  ]);
  assert.match(await refusal('a.pdf', hostile), /it takes too much memory/);
});

test('a page that is nested without an end is refused, not the process', async () => {
  assert.match(await refusal('a.html', `${'<div>'.repeat(15_000)}x`), /it is too complicated/);
});

test('a script of a document is not run', async () => {
  const path = await base();
  const js = '<< /S /JavaScript /JS (app.alert\\(1\\); globalThis.process.exit\\(1\\)) >>';
  const file = pdf([[{ text: 'Two years.' }]], { objects: [js] });
  const hostile = Buffer.from(
    file.toString('latin1').replace('/Pages 2 0 R', '/OpenAction 6 0 R /Pages 2 0 R'),
    'latin1',
  );
  const made = await upload(path, 'a.pdf', hostile);
  assert.equal(made.status, 201, made.text);
  assert.equal((await find(path, 'years'))[0]?.passage, 'Two years.');
});

test('a file has a limit, and nothing of it stays on the disk', async () => {
  const path = await base();
  const large = await upload(path, 'a.txt', Buffer.alloc(20 * 1024 * 1024 + 1, 'a'));
  assert.deepEqual([large.status, large.json.code], [413, 'BODY_TOO_LARGE']);
  const none = await api.inject({
    method: 'POST',
    url: `/api/v1${path}/upload`,
    headers: { authorization: `Bearer ${api.tenant.token}`, 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x--\r\n',
  });
  assert.equal(none.status, 422, none.text);
  assert.deepEqual(
    readdirSync(api.context.config.dataDir).filter((name) => name.startsWith('.upload')),
    [],
  );
});

// Word documents as other programs write them: parts of other names, and tables whose rows stand in content controls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { textOfDocx } from '../../../../api/documents/reading/docx.ts';
import { word } from '../../../support/document-files.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORDS = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

function archive(parts: Record<string, string>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}

function relations(...named: Array<[string, string]>): string {
  const each = named.map(
    ([kind, target], n) => `<Relationship Id="r${n}" Type="${OFFICE}/${kind}" Target="${target}"/>`,
  );
  return `<?xml version="1.0"?><Relationships xmlns="http://x">${each.join('')}</Relationships>`;
}

const documentOf = (body: string): string => `<w:document xmlns:w="${WORDS}"><w:body>${body}</w:body></w:document>`;
const styled = '<w:p><w:pPr><w:pStyle w:val="a1"/></w:pPr><w:r><w:t>Returns</w:t></w:r></w:p>';
const STYLES = `<w:styles xmlns:w="${WORDS}"><w:style w:styleId="a1"><w:name w:val="heading 1"/></w:style></w:styles>`;

const cell = (text: string): string => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
const line = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`;
const control = (content: string): string =>
  `<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const textOf = (bytes: Uint8Array): string => String(textOfDocx(bytes));

for (const target of ['word/document2.xml', '/word/document2.xml', 'doc/main.xml', '/document.xml'])
  test(`the main part is found by its relationship: ${target}`, () => {
    const part = target.replace(/^\//, '');
    const bytes = archive({
      '_rels/.rels': relations(['styles', 'no.xml'], ['officeDocument', target]),
      [part]: documentOf(word('Closed.')),
    });
    assert.match(textOf(bytes), /Closed\./);
  });

test('headings are told by the styles that the main part names', () => {
  const bytes = archive({
    '_rels/.rels': relations(['officeDocument', 'word/document2.xml']),
    'word/document2.xml': documentOf(styled + word('Within two weeks.')),
    'word/_rels/document2.xml.rels': relations(['styles', 'styles2.xml']),
    'word/styles2.xml': STYLES,
  });
  const plain = archive({
    'word/document.xml': documentOf(styled + word('Within two weeks.')),
    'word/styles.xml': STYLES,
  });
  assert.equal(textOf(bytes), textOf(plain));
});

test('rows and cells inside content controls, insertions and choices are read', () => {
  const insertion = `<w:ins w:id="1">${cell('8 EUR')}</w:ins>`;
  const body = `<w:tbl>${line(cell('Cake'), cell('30 EUR'))}${control(line(cell('Bread'), control(cell('4 EUR'))))}
    ${line(cell('Pie'), insertion)}<w:customXml>${line(cell('Rolls'), cell('1 EUR'))}</w:customXml></w:tbl>`;
  const text = textOf(archive({ 'word/document.xml': documentOf(body + control(control(word('Ask for more.')))) }));
  for (const said of ['Cake | 30 EUR', 'Bread | 4 EUR', 'Pie | 8 EUR', 'Rolls | 1 EUR', 'Ask for more.'])
    assert.ok(text.includes(said), `${said} in ${text}`);
});

test('rows that were deleted with changes tracked are not read', () => {
  const deleted = `<w:tr><w:trPr><w:del w:id="1"/></w:trPr>${cell('Old price')}</w:tr>`;
  const text = textOf(
    archive({ 'word/document.xml': documentOf(`<w:tbl>${deleted}${line(cell('New price'))}</w:tbl>`) }),
  );
  assert.match(text, /New price/);
  assert.doesNotMatch(text, /Old price/);
});

for (const prefix of ['ns0:', ''])
  test(`the words have the prefix "${prefix}" instead of w:`, () => {
    const name = prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`;
    const body = documentOf(`${styled}<w:tbl>${line(cell('Cake'), cell('30 EUR'))}</w:tbl>`)
      .replaceAll(/(<\/?)w:/g, `$1${prefix}`)
      .replaceAll(' w:', ` ${prefix === '' ? 'w:' : prefix}`)
      .replace('xmlns:w=', prefix === '' ? `xmlns:w="${WORDS}" ${name}=` : `${name}=`);
    const text = textOf(archive({ 'word/document.xml': body, 'word/styles.xml': STYLES }));
    assert.match(text, /Cake \| 30 EUR/);
  });

test('an archive without a document says so, whatever its relationships name', () => {
  for (const parts of [{}, { '_rels/.rels': relations(['officeDocument', 'word/gone.xml']) }, { '_rels/.rels': '<<<' }])
    assert.throws(() => textOfDocx(archive({ ...parts, 'a.txt': 'a' })), /not a Word document/);
});

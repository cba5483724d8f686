// Tables of contacts as text: their rows, what separates cells, and where a quote is broken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactsOfCsv } from '../../../../api/contacts/csv.ts';
import { tableText } from '../../../../db/domain/contacts/contact-table.ts';
import { tableRows } from '../../../../db/domain/contacts/table-rows.ts';

const ALL = Number.POSITIVE_INFINITY;

test('cells stand between separators, quotes keep them together, and rows without text are left out', () => {
  const text = '\ufeffa,b\r\n"1, 2","say ""yes"""\r\n,\r\n  \n"two\nlines" ,x"y"\rlast';
  assert.deepEqual(tableRows(text, ',', ALL), {
    separator: ',',
    rows: [['a', 'b'], ['1, 2', 'say "yes"'], ['two\nlines', 'x"y"'], ['last']],
    places: [0, 1, 4, 5],
    brokenRow: null,
  });
  assert.deepEqual(tableRows('', null, ALL).rows, []);
  assert.deepEqual(tableRows('a', null, ALL).rows, [['a']]);
});

test('the separator is the one by which rows are equally long', () => {
  for (const [text, separator] of [
    ['Name;Phone\nAnn, Bob and Zoë;1\nA;2', ';'],
    ['Name\tNote\nAnn\tone, two, three\nA\tb', '\t'],
    ['Name|Phone\nAnn|1', '|'],
    ['"Rivera; Jamie","+1202"\n"Doe; Ann","+1203"', ','],
    ['Phone\n1', ','],
  ] as const) {
    assert.equal(tableRows(text, null, ALL).separator, separator, text);
  }
});

test('a quote that is not closed or not doubled is told by its row, and nothing is read behind it', () => {
  assert.deepEqual(tableRows('a,b\n1,"open\n2,3', ',', ALL), {
    separator: ',',
    rows: [['a', 'b']],
    places: [0],
    brokenRow: 1,
  });
  assert.equal(tableRows('a,b\n\n1,"x"y"\n', ',', ALL).brokenRow, 2);
});

test('of a long table no more rows are read than are wanted', () => {
  assert.equal(tableRows('1\n'.repeat(500_000), null, 3).rows.length, 3);
});

test('a table of more columns than anybody has is refused before their meaning is guessed', () => {
  const wide = Buffer.from(`phone${',a'.repeat(500)}\n+12025550100`);
  assert.throws(() => contactsOfCsv(wide, null), {
    fields: [{ field: 'contacts', message: 'has 501 columns in its first row, of at most 500' }],
  });
});

test('each line is UTF-8 or else Windows-1252, whatever its neighbours are', () => {
  const windows = Uint8Array.from({ length: 128 }, (_, n) => n + 128).filter(
    (byte) => ![0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte),
  );
  const lines = [Buffer.from('Zoë €😀\n'), Buffer.from(windows), Buffer.from('\nend')];
  const expected = `Zoë €😀\n${new TextDecoder('windows-1252').decode(windows)}\nend`;
  assert.equal(tableText(Buffer.concat(lines)), expected);
  // Longer than need be, half of a pair, beyond the last character, cut off: as the decoder judges.
  for (const bytes of [
    [0xc0, 0xaf],
    [0xe0, 0x80, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x91, 0x80, 0x80],
    [0xe2, 0x82],
  ]) {
    const text = () => tableText(Uint8Array.from(bytes));
    if (bytes.some((byte) => [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte))) assert.throws(text, /in line 1/);
    else assert.equal(text(), new TextDecoder('windows-1252').decode(Uint8Array.from(bytes)));
  }
});

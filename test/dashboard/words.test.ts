// The tables of words that the pages have in further languages.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const app = fileURLToPath(new URL('../../api/dashboard/app', import.meta.url));

/** All texts that pages ask for, as they stand in the sources. */
const asked = new Set(
  globSync('**/*.{ts,tsx}', { cwd: app }).flatMap((file) =>
    [...readFileSync(join(app, file), 'utf8').matchAll(/\b(?:t|words)\(\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '']) => text.slice(1, -1).replace(/\\(.)/g, '$1'),
    ),
  ),
);

/** Places that a translation must keep: values in braces, and as many links. */
const placesIn = (text: string) => ({
  values: [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort(),
  links: text.match(/\[[^\]]+\]/g)?.length ?? 0,
});

const files = globSync('words/??/table.ts', { cwd: app });

test('there are six tables besides English', () => assert.equal(files.length, 6));

for (const file of files)
  test(`${file} has each text that is asked for, and no other`, async () => {
    const { default: table }: { default: Record<string, string> } = await import(join(app, file));
    assert.deepEqual(Object.keys(table).sort(), [...asked].sort());
    for (const [text, said] of Object.entries(table)) {
      assert.notEqual(said.trim(), '', text);
      assert.deepEqual(placesIn(said), placesIn(text), text);
    }
  });

test('no text stands in two parts of a table', async () => {
  for (const file of files) {
    const parts = globSync(join(dirname(file), '*.ts'), { cwd: app }).filter((part) => part !== file);
    const texts: string[] = [];
    for (const part of parts) texts.push(...Object.keys((await import(join(app, part))).default));
    assert.deepEqual(
      texts.filter((text, index) => texts.indexOf(text) < index),
      [],
      file,
    );
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Dictionary } from '../../models/stt/soundswallower/dictionary.ts';

const packageFolder = dirname(createRequire(import.meta.url).resolve('soundswallower'));

test('the dictionary knows each word of English as its file lists it', () => {
  const text = readFileSync(join(packageFolder, 'model', 'en-us', 'dict.txt'), 'latin1');
  const listed = new Map<string, string[]>();
  for (const line of text.split('\n').filter((each) => /^\S+ /.test(each) && !each.startsWith(';;'))) {
    const [, word = '', way = ''] = /^(\S+?)(?:\(\d+\))? (.*)$/.exec(line) ?? [];
    listed.set(word, [...(listed.get(word) ?? []), way.trim()]);
  }
  const dictionary = new Dictionary(text);
  const wrong = [...listed].filter(([word, ways]) => dictionary.pronunciations(word).join('|') !== ways.join('|'));
  assert.deepEqual([wrong.slice(0, 3), listed.size > 100_000], [[], true]);
  // Of words beside those that are listed.
  const more = [...listed.keys()].map((word) => `${word}'`).filter((word) => !listed.has(word));
  assert.deepEqual(
    more.filter((word) => dictionary.pronunciations(word).length > 0),
    [],
  );
});

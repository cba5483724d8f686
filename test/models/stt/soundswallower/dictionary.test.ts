import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { Dictionary } from '../../../../models/stt/soundswallower/dictionary.ts';

const packageFolder = dirname(createRequire(import.meta.url).resolve('soundswallower'));

describe('dictionary of pronunciations', () => {
  it('knows each word of the English dictionary as it lists it', () => {
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

  it('has nothing for a word that is not listed, nor for the beginning of one', () => {
    const dictionary = new Dictionary(
      ';; read\nread R EH D\nread(2) R IY D\nreading R IY D IH NG\n\nbroken\nyes Y EH S',
    );
    assert.deepEqual(dictionary.pronunciations('read'), ['R EH D', 'R IY D']);
    assert.deepEqual(dictionary.pronunciations('yes'), ['Y EH S']);
    for (const word of ['rea', 'readin', 'read(2)', ';;', 'broken', '']) {
      assert.deepEqual(dictionary.pronunciations(word), [], word);
    }
  });
});

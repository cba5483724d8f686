import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { Dictionary } from '../../../../models/stt/soundswallower/dictionary.ts';

const packageFolder = dirname(createRequire(import.meta.url).resolve('soundswallower'));

describe('dictionary of pronunciations', () => {
  it('knows each word of the package’s dictionaries as they list it', () => {
    for (const model of ['en-us', 'fr-fr']) {
      const text = readFileSync(join(packageFolder, 'model', model, 'dict.txt'), 'latin1');
      const listed = new Map<string, string[]>();
      for (const line of text.split('\n').filter((each) => /^\S+ /.test(each) && !each.startsWith(';;'))) {
        const [, word = '', way = ''] = /^(\S+?)(?:\(\d+\))? (.*)$/.exec(line) ?? [];
        listed.set(word, [...(listed.get(word) ?? []), way.trim()]);
      }
      const dictionary = new Dictionary(text);
      const wrong = [...listed].filter(([word, ways]) => dictionary.pronunciations(word).join('|') !== ways.join('|'));
      assert.deepEqual([wrong.slice(0, 3), listed.size > 50_000], [[], true]);
    }
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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Dictionary } from '../../../../models/stt/soundswallower/dictionary.ts';

describe('dictionary of pronunciations', () => {
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

// Words that end and begin texts: alone they count, in a sentence they do not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keywordOf } from '../../../../db/domain/texts/keywords.ts';

test('a word of a carrier or of a language counts alone, however it is written', () => {
  for (const word of ['STOP', ' stop. ', 'Stopp!', 'Arrêt', 'unsubscribe', 'Opt-out', 'STOP ALL', '"Stop"'])
    assert.equal(keywordOf(word), 'stop', word);
  for (const word of ['START', 'Unstop', 'démarrer', 'começar']) assert.equal(keywordOf(word), 'start', word);
  for (const word of ['help', 'Hilfe?', 'INFO']) assert.equal(keywordOf(word), 'help', word);
});

test('in a sentence, or beside a figure, it is for the agent', () => {
  for (const text of ['', 'Stop by tomorrow', 'please stop', 'END 5', 'cancel my appointment', 'stop'.repeat(20)])
    assert.equal(keywordOf(text), null, text);
});

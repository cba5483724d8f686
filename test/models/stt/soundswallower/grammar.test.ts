// A business's additions to the grammar of the built-in recogniser, and the bounds of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGrammar } from '../../../../models/stt/soundswallower/grammar.ts';
import type { SttVocabulary } from '../../../../models/stt/stt.ts';

const USUAL: SttVocabulary = {
  language: 'en-US',
  businessName: 'Bright Dental',
  services: ['Cleaning', 'Root canal treatment'],
  questions: ['Do you have parking?'],
  phrases: [],
};
const EXPECTS = 'service';
const grammarOf = (vocabulary: SttVocabulary) => buildGrammar(vocabulary, EXPECTS, () => true);
const none = grammarOf({ language: 'en-US', businessName: '', services: [], questions: [], phrases: [] });

/** Different words of six letters, as many as wanted. */
const madeUp = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) =>
    [...String(n + from).padStart(6, '0')].map((digit) => 'bakedofuli'[Number(digit)]).join(''),
  );

test('services and questions of a usual business are in it, with their short forms', () => {
  const { jsgf } = grammarOf(USUAL);
  for (const phrase of ['bright dental', 'cleaning', 'root canal treatment', 'canal treatment', 'do you have parking'])
    assert.ok(jsgf.includes(phrase), phrase);
});

test('a business of made-up words adds 400 of them at most, its services first', () => {
  const words = madeUp(1_500);
  const vocabulary = {
    language: 'en-US',
    businessName: 'Bright Dental',
    services: Array.from({ length: 40 }, (_, n) => words.slice(n * 5, n * 5 + 5).join(' ')),
    questions: Array.from({ length: 40 }, (_, n) => words.slice(300 + n * 16, 316 + n * 16).join(' ')),
    phrases: [],
  };
  const { words: all, jsgf } = grammarOf(vocabulary);
  assert.ok(all.length - none.words.length <= 400, `${all.length - none.words.length} words`);
  for (const service of vocabulary.services) assert.ok(jsgf.includes(service));
});

test('a phrase with a word of more than 20 letters is left out', () => {
  const { jsgf } = grammarOf({ ...USUAL, services: ['x'.repeat(21), 'Cleaning'] });
  assert.ok(!jsgf.includes('xxx') && jsgf.includes('cleaning'));
});

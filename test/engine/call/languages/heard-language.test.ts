// When what the recogniser hears changes the language of a call, and when it does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HeardUtterance, hearLanguage, NOTHING_HEARD } from '../../../../engine/call/languages/heard-language.ts';

const OFFERED = ['en-US', 'de-DE', 'fr-FR'];

/** The languages that the call has after each utterance. */
function languagesOf(utterances: Array<[language: string, words: number, confidence?: number]>): string[] {
  let [state, spoken] = [NOTHING_HEARD, 'en-US'];
  return utterances.map(([language, words, confidence = 0.6]) => {
    const heard: HeardUtterance = { language, words, confidence };
    const [next, wanted] = hearLanguage(state, heard, spoken, OFFERED);
    state = next;
    spoken = wanted ?? spoken;
    return spoken;
  });
}

test('two utterances in a row, each of two words at least', () => {
  assert.deepEqual(
    languagesOf([
      ['de', 2],
      ['de', 2],
    ]),
    ['en-US', 'de-DE'],
  );
  assert.deepEqual(
    languagesOf([
      ['de', 1],
      ['de', 1],
      ['de', 1],
    ]),
    ['en-US', 'en-US', 'en-US'],
  );
  assert.deepEqual(
    languagesOf([
      ['de', 2],
      ['de', 1],
      ['de', 2],
    ]).at(-1),
    'de-DE',
    'a short one between says nothing',
  );
});

test('once, where a sentence is long and clear', () => {
  assert.deepEqual(languagesOf([['de', 5, 0.9]]), ['de-DE']);
  assert.deepEqual(languagesOf([['de', 5, 0.8]]), ['en-US']);
  assert.deepEqual(languagesOf([['de', 4, 0.99]]), ['en-US']);
});

test('the spoken language, or another one, in between begins the count anew', () => {
  assert.deepEqual(
    languagesOf([
      ['de', 3],
      ['en', 3],
      ['de', 3],
    ]).at(-1),
    'en-US',
  );
  assert.deepEqual(
    languagesOf([
      ['de', 3],
      ['fr', 3],
      ['de', 3],
    ]).at(-1),
    'en-US',
  );
});

test('a language that the agent does not speak changes nothing', () => {
  assert.deepEqual(
    languagesOf([
      ['tr', 9, 1],
      ['tr', 9, 1],
    ]),
    ['en-US', 'en-US'],
  );
});

test('it does not flap: after a change it takes two utterances to change again, however clear', () => {
  const heard = languagesOf([
    ['de', 8, 0.95],
    ['en', 8, 0.95],
    ['de', 8, 0.95],
    ['en', 8, 0.95],
    ['en', 8, 0.95],
  ]);
  assert.deepEqual(heard, ['de-DE', 'de-DE', 'de-DE', 'de-DE', 'en-US']);
});

// The grammar of generated takes, and the intervals of their shares.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateTake, halfOfSeed, OVER } from '../../bench/conversation/grammar.ts';
import { CALLER_PHRASES } from '../../bench/conversation/phrases.ts';
import { wilson } from '../../db/domain/statistics.ts';
import { endingOf } from '../../engine/turn/endpointing.ts';
import { isBackchannel } from '../../engine/turn/spoken.ts';
import { turnWordsFor } from '../../engine/turn/words/languages.ts';

const SEEDS = Array.from({ length: 500 }, (_, seed) => seed);

test('a seed gives one take, always the same', () => {
  for (const seed of SEEDS.slice(0, 20)) assert.deepEqual(generateTake(seed), generateTake(seed));
});

test('500 takes hold every event in every language, and both halves are about equal', () => {
  const seen = new Set(SEEDS.map((seed) => generateTake(seed)).map(({ over, language }) => `${over} ${language}`));
  assert.equal(seen.size, OVER.length * CALLER_PHRASES.length);
  const heldOut = SEEDS.filter((seed) => halfOfSeed(seed) === 'held-out').length;
  assert.ok(heldOut > 220 && heldOut < 280, `${heldOut}`);
});

test('what encourages does so by the tables of its language, and no first half is the end of a sentence', () => {
  for (const { language, encouragements, halves, interruptions } of CALLER_PHRASES) {
    const words = turnWordsFor(language);
    for (const text of encouragements) assert.ok(isBackchannel(text, words), `${language}: ${text}`);
    for (const text of interruptions) assert.ok(!isBackchannel(text, words), `${language}: ${text}`);
    for (const [text] of halves)
      assert.equal(
        endingOf({ text, unclear: false, expects: 'anything', digitCount: null }, words),
        'hesitating',
        `${language}: ${text}`,
      );
  }
});

test('an interval of Wilson holds for none, some and all', () => {
  const rounded = ({ low, high }: { low: number; high: number }) =>
    [low, high].map((value) => Number(value.toFixed(3)));
  assert.deepEqual(rounded(wilson(0, 50)), [0, 0.071]);
  assert.deepEqual(rounded(wilson(5, 50)), [0.043, 0.214]);
  assert.deepEqual(rounded(wilson(50, 50)), [0.929, 1]);
  assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
});

// The limits of belief: which short words of people and which sentences are understood without doubt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBelieved, isSentenceAtLimit, isSentenceBelieved } from '../../../../models/stt/soundswallower/belief.ts';

test('a "no" that sounds like "yep" is not understood as a yes', () => {
  assert.equal(isBelieved('yep', 0, 0.95), false);
  assert.equal(isBelieved('yep', 0, 0.98), true);
});

test('a likely "yes" of which little confidence is missing is understood, a "no" only when it is surer', () => {
  assert.equal(isBelieved('yes', 0.05, 0.93), true);
  assert.equal(isBelieved('no', 0.05, 0.93), false, '"go" sounds so');
  assert.equal(isBelieved('no', 0.05, 0.96), true);
  assert.equal(isBelieved('yes', 0.15, 0.99), false);
});

test('an answer that the confidence believes is doubted where its phones are unlikely, other words more readily', () => {
  assert.deepEqual([isBelieved('yes', 0, 0.4), isBelieved('no', -0.05, 0.5)], [false, true]);
  assert.deepEqual([isBelieved('goodbye', 0, 0.65), isBelieved('goodbye', 0, 0.55)], [true, false]);
});

test('a sentence whose confidence is at its limit is believed by its phones, any other by its confidence alone', () => {
  assert.deepEqual([-0.1, -0.02, 0, 0.05, 0.07].map(isSentenceAtLimit), [false, true, true, true, false]);
  assert.equal(isSentenceBelieved(0.26), true, '"how much is a haircut", by a soft voice');
  assert.equal(isSentenceBelieved(0.15), false, '"yes my debit card" taken for "yes what are the hours"');
});

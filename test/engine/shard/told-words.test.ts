// The words that are being said on a call: who is told them, and when nothing new is to be told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToldWords } from '../../../engine/shard/told-words.ts';

const agent = (text: string) => ({ text, startedAtMs: 260.4 });
const caller = (text: string) => ({ text, startedAtMs: 3_000 });

test('live views are told both sides, each change once, and that all is said', () => {
  const told = new ToldWords();
  assert.deepEqual(told.forViews(agent('Thank you'), null), [{ speaker: 'agent', text: 'Thank you', timestamp: 260 }]);
  assert.equal(told.forViews(agent('Thank you'), null), null);
  assert.deepEqual(
    told.forViews(agent('Thank you for'), caller('hello'))?.map(({ speaker, text }) => [speaker, text]),
    [
      ['agent', 'Thank you for'],
      ['caller', 'hello'],
    ],
  );
  assert.deepEqual(told.forViews(null, null), []);
  assert.equal(told.forViews(null, null), null);
});

test('voice without words is not told', () => {
  assert.equal(new ToldWords().forViews(agent(''), caller('')), null);
});

test('a browser is told its agent only, beside the views', () => {
  const told = new ToldWords();
  assert.ok(told.forViews(agent('Thank you'), null));
  assert.deepEqual(told.forBrowser(agent('Thank you')), { speaker: 'agent', text: 'Thank you', timestamp: 260 });
  assert.equal(told.forBrowser(agent('Thank you')), null);
  assert.equal(told.forBrowser(null), null);
});

test('a watch ends by itself', () => {
  const told = new ToldWords();
  assert.equal(told.isWatched(0), false);
  told.watch(25_000);
  assert.deepEqual([told.isWatched(24_999), told.isWatched(25_000)], [true, false]);
});

// The words bench: a word is right by its meaning, and the agent has yielded where it stays silent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentAfter } from '../../bench/words/say-words.ts';
import { halfOf, wordFrom } from '../../bench/words/spoken-words.ts';
import { verdictOf } from '../../bench/words/table.ts';

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

const said = (word: string, text: string | null, isUnclear = false, isOwnAnswer = false) =>
  verdictOf({ word: wordFrom('one_nohash_0.ulaw', word, new Int16Array(0)), text, isUnclear, isOwnAnswer });

test('a "yes" told as "yep" is right, as "no" exchanged, as "hello" another word', () => {
  assert.equal(said('yes', 'yep'), 'right');
  assert.equal(said('yes', 'yep', true), 'right but unclear');
  assert.equal(said('yes', 'nope'), 'exchanged');
  assert.equal(said('no', 'yeah please'), 'exchanged');
  assert.equal(said('yes', 'hello'), 'another');
  assert.equal(said('yes', null), 'nothing');
  assert.equal(said('stop', null, false, true), 'own answer');
});

test('a word that no caller says to a business is never right', () => {
  assert.equal(said('bed', "that's it"), 'another');
  assert.equal(said('bed', 'bed'), 'another');
  assert.equal(said('bed', 'go ahead', true), 'unclear');
});

test('the agent has yielded where its sentence does not go on, though it may answer', () => {
  const at = (frame: number): number => frame * 20;
  const onsetMs = at(100);
  const until = at(320);
  const heard = (...spans: Array<readonly [number, number]>): number | null =>
    silentAfter(
      spans.flatMap(([from, to]) => range(from, to).map(at)),
      onsetMs,
      until,
    );
  assert.equal(heard([0, 120]), at(19));
  assert.equal(heard([0, 120], [150, 190]), at(19), 'it answers');
  assert.equal(heard([0, 120], [124, 130]), at(29), 'a gap between two words');
  assert.equal(heard([0, 120], [126, 146]), at(19), 'it answers at once');
  assert.equal(heard([0, 120], [126, 190]), at(89), 'a pause in its sentence');
  assert.equal(heard([0, 120], [140, 320]), null, 'it went on');
});

test('all recordings of one speaker are in the same half', () => {
  assert.equal(halfOf('words/stop/0c40e715_nohash_0.ulaw'), halfOf('words/yes/yes_0c40e715_nohash_3.ulaw.wav'));
  const halves = new Set(range(0, 40).map((speaker) => halfOf(`words/stop/${speaker}_nohash_0.ulaw`)));
  assert.equal(halves.size, 2);
});

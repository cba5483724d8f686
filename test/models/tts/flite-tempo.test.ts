// The tempo of the built-in voice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempoOf } from '../../../models/tts/flite/tempo.ts';

const PLAIN = 'One moment please.';

test('numbers, times, dates and spelled letters are said slower', () => {
  for (const piece of [
    'Your extension is four zero seven.',
    'We close at eleven a.m.',
    'on March third',
    'the fourteenth',
    'Your code is A, B.',
  ])
    assert.ok(tempoOf(piece) < tempoOf(PLAIN), piece);
});

test('other sentences have one tempo, which is below that of the voice', () => {
  for (const piece of ['Which one is yours?', 'Hello, Ann.']) assert.equal(tempoOf(piece), tempoOf(PLAIN), piece);
  assert.ok(tempoOf(PLAIN) < 1);
});

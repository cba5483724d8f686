// The tempo of the built-in voice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempoOf } from '../../../models/tts/flite/tempo.ts';

test('numbers, times, dates and spelled letters are said slower', () => {
  for (const piece of [
    'Your extension is four zero seven.',
    'We close at eleven a.m.',
    'on March third',
    'the fourteenth',
    'Your code is A, B.',
  ])
    assert.ok(tempoOf(piece) < 1, piece);
});

test('other sentences keep their tempo', () => {
  for (const piece of ['One moment please.', 'Which one is yours?', 'Hello, Ann.'])
    assert.equal(tempoOf(piece), 1, piece);
});

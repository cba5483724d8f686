// The pace of the built-in voice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paceOf } from '../../../models/tts/flite/tempo.ts';

const PLAIN = 'One moment please.';

test('numbers, times, dates and spelled letters are said slower', () => {
  for (const piece of [
    'Your extension is four zero seven.',
    'We close at eleven a.m.',
    'on March third',
    'the fourteenth',
    'Your code is A, B.',
  ])
    assert.ok(paceOf(piece).tempo < paceOf(PLAIN).tempo, piece);
});

test('other sentences have one tempo, which is below that of the voice', () => {
  for (const piece of ['Which one is yours?', 'Hello, Ann.']) assert.deepEqual(paceOf(piece), paceOf(PLAIN), piece);
  assert.ok(paceOf(PLAIN).tempo < 1);
});

test('between the groups of a number and the letters of a code are longer rests', () => {
  for (const piece of ['It is six one three, five five five.', 'It is C, L, M, seven.', 'Your code is A, B.'])
    assert.ok(paceOf(piece).leastRestMs > 0, piece);
  for (const piece of ['Fifteen Front Street North, unit C.', 'At nine, on Friday.', 'Hello, Ann.'])
    assert.equal(paceOf(piece).leastRestMs, 0, piece);
});

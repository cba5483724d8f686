// The answers of a transcript, by the turns that were measured, and the keys of the player.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf, toneOfGap } from '../../api/dashboard/app/calls/answers.ts';
import type { TurnTiming } from '../../api/dashboard/app/calls/moments.ts';
import { pressed } from '../../api/dashboard/app/calls/player-keys.ts';

const turn = (speechEndAtMs: number, firstPacketAtMs: number): TurnTiming => ({
  speechEndAtMs,
  firstPacketAtMs,
  recognisedAtMs: null,
  askedAtMs: null,
  turnEndAtMs: null,
  firstTokenAtMs: null,
  firstClauseAtMs: null,
  firstAudioAtMs: null,
  guessed: false,
  gapMs: firstPacketAtMs - speechEndAtMs,
  measuredOn: 'line',
  unrecordedMs: 0,
});

test('each turn belongs to the agent’s line that began with it; a greeting and a lost turn to none', () => {
  const transcript = (
    [
      ['agent', 0],
      ['caller', 6_784],
      ['agent', 8_300],
      ['caller', 21_696],
      ['agent', 23_200],
      ['agent', 25_000],
    ] as const
  ).map(([speaker, timestamp]) => ({ speaker, timestamp, text: '' }));
  const turns = [turn(7_987, 8_319), turn(15_000, 15_400), turn(22_692, 23_219)];
  assert.deepEqual(
    [...answersOf(transcript, turns)],
    [
      [2, turns[0]],
      [4, turns[2]],
    ],
  );
  assert.deepEqual([...answersOf([], turns)], []);
});

test('a wait of a second is quick, one of more than two is late', () => {
  assert.deepEqual([1_000, 1_001, 2_000, 2_001].map(toneOfGap), ['quick', 'slow', 'slow', 'late']);
});

test('space, arrows and letters ask the player for what they say, letters only where lines are read', () => {
  const key = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });
  const at = { atMs: 8_000, isInside: true, lines: [0, 7_000, 8_000, 9_000] };
  assert.equal(pressed(key(' '), at), 'toggle');
  assert.deepEqual(pressed(key('ArrowLeft'), { ...at, atMs: 2_000 }), { seekMs: 0 });
  assert.deepEqual(pressed(key('ArrowRight'), at), { seekMs: 13_000 });
  assert.deepEqual(pressed(key('j'), at), { playMs: 9_000 });
  assert.deepEqual(pressed(key('k'), { ...at, atMs: 9_200 }), { playMs: 7_000 });
  assert.equal(pressed(key('j'), { ...at, isInside: false }), null);
  assert.equal(pressed(key('j'), { ...at, atMs: 10_000 }), null);
  assert.equal(pressed(key('k', { ctrlKey: true }), at), null, 'the palette’s');
});

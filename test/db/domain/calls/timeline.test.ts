// A response gap in its parts: the picture of a call and the dashboard draw the same ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapParts, type TurnTiming } from '../../../../db/domain/calls/timeline.ts';

const turn: TurnTiming = {
  speechEndAtMs: 1_000,
  recognisedAtMs: 1_100,
  askedAtMs: 1_100,
  turnEndAtMs: 1_600,
  firstTokenAtMs: 1_300,
  firstClauseAtMs: null,
  firstAudioAtMs: 1_350,
  firstPacketAtMs: 1_620,
  guessed: true,
  gapMs: 620,
  measuredOn: 'line',
  unrecordedMs: 0,
};
const lengths = (of: TurnTiming) => gapParts(of).map(({ stage, fromMs, toMs }) => [stage, toMs - fromMs]);

test('the parts of a gap follow one another and make it up, in the order in which their stages ended', () => {
  assert.deepEqual(lengths(turn), [
    ['recogniser', 100],
    ['model', 200],
    ['synthesis', 50],
    ['turn-end', 250],
    ['wire', 20],
  ]);
});

test('a stage that ended after the first packet, or before the last sound, has no part in it', () => {
  assert.deepEqual(lengths({ ...turn, recognisedAtMs: 900, turnEndAtMs: 1_700 }), [
    ['model', 300],
    ['synthesis', 50],
    ['wire', 270],
  ]);
});

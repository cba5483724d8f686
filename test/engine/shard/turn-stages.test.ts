import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapParts, stageDurations } from '../../../db/domain/calls/timeline.ts';
import { TurnStages } from '../../../engine/shard/turn-stages.ts';

function setUp() {
  const now = { ms: 0 };
  const stages = new TurnStages(() => now.ms);
  const at = (ms: number): TurnStages => {
    now.ms = ms;
    return stages;
  };
  return { at };
}

test('a reply that was prepared in the pause: each stage at its time, and the gap in parts', () => {
  const { at } = setUp();
  at(1_150).recognised();
  at(1_160).asked(2, false);
  at(1_400).reached(2, 'firstTokenAtMs');
  at(1_450).reached(2, 'firstClauseAtMs');
  at(1_460).reached(2, 'firstClauseAtMs');
  at(1_550).reached(2, 'firstAudioAtMs');
  at(1_600).committed(2);
  at(1_100).speechEnded(30);
  const turn = at(1_612.4).started(2, 1_000, 1_607);
  assert.deepEqual(turn, {
    speechEndAtMs: 1_000,
    recognisedAtMs: 1_150,
    askedAtMs: 1_160,
    turnEndAtMs: 1_600,
    firstTokenAtMs: 1_400,
    firstClauseAtMs: 1_450,
    firstAudioAtMs: 1_550,
    firstPacketAtMs: 1_612,
    guessed: true,
    gapMs: 612,
    measuredOn: 'line',
    unrecordedMs: 35,
  });
  assert.ok(turn);
  assert.deepEqual(stageDurations(turn), [
    ['recogniser', 150],
    ['turn-end', 600],
    ['model', 240],
    ['clause', 50],
    ['synthesis', 100],
    ['wire', 12],
  ]);
  const parts = gapParts(turn);
  assert.deepEqual(
    parts.map(({ stage, fromMs, toMs }) => `${stage} ${fromMs}-${toMs}`),
    [
      'recogniser 1000-1150',
      'model 1150-1400',
      'clause 1400-1450',
      'synthesis 1450-1550',
      'turn-end 1550-1600',
      'wire 1600-1612',
    ],
  );
});

test('a fixed text passes no model, and a reply that was dropped leaves nothing', () => {
  const { at } = setUp();
  at(100).asked(3, false);
  at(110).forget(3);
  assert.equal(at(200).started(3, 50, 200), null);
  at(700).asked(4, true);
  const turn = at(720).started(4, 100, 720);
  assert.ok(turn && !turn.guessed && turn.firstTokenAtMs === null && turn.turnEndAtMs === 700);
  assert.deepEqual(stageDurations(turn), [['turn-end', 600]]);
});

test('an interruption: from the onset that lowered the voice to the silent packet', () => {
  const { at } = setUp();
  at(5_000).onset(5_000, 40);
  at(5_000).ducked(5_010);
  at(5_300).onset(5_300, 40);
  at(5_350).paused(5_400);
  const bargeIn = at(5_380).yielded(5_390, 5_380);
  assert.equal(bargeIn.unrecordedMs, 50);
  assert.equal(bargeIn.onsetAtMs, 4_960);
  assert.equal(bargeIn.yieldingAtMs, 5_010);
  assert.equal(bargeIn.silentAtMs, 5_390);
  assert.equal(bargeIn.yieldMs, 430);
  at(8_000).onset(8_000, 10);
  at(8_000).ducked(8_010);
  at(8_100).resumed();
  at(9_000).onset(9_000, 20);
  assert.equal(at(9_100).yielded(9_110, 9_100).onsetAtMs, 8_980, 'a false alarm is forgotten');
});

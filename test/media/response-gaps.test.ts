import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { gapsOf, yieldsOf } from '../../media/response-gaps.ts';
import { tone } from './signals.ts';

const RATE = 8_000;

/** A channel with tones of 300 Hz in these spans, ms. */
function channel(lengthMs: number, spans: Array<[number, number]>, amplitude = 0.2): Int16Array {
  const samples = new Int16Array((lengthMs * RATE) / 1000);
  for (const [from, to] of spans) samples.set(tone(300, RATE, to - from, amplitude), (from * RATE) / 1000);
  return samples;
}

test('a gap is the time from the caller’s last sound to the agent’s first', () => {
  const caller = channel(10_000, [
    [2_000, 3_000],
    [6_000, 6_400],
    [6_500, 7_000],
  ]);
  const agent = channel(10_000, [
    [100, 1_500],
    [3_640, 4_000],
    [4_500, 5_000],
    [7_320, 9_000],
  ]);
  assert.deepEqual(gapsOf(caller, agent, RATE), [
    { speechEndMs: 3_000, soundMs: 3_640, gapMs: 640 },
    { speechEndMs: 7_000, soundMs: 7_320, gapMs: 320 },
  ]);
});

test('the agent’s own pauses, clicks and an answer over the caller are no gaps', () => {
  const agent = channel(6_000, [
    [500, 1_000],
    [1_600, 2_000],
    [3_000, 4_000],
  ]);
  const caller = channel(6_000, [
    [1_300, 1_320],
    [2_500, 3_500],
  ]);
  assert.deepEqual(gapsOf(caller, agent, RATE), []);
});

test('a noisy line: its noise is not taken for the caller', () => {
  const random = seededRandom(7);
  const caller = channel(8_000, [[2_000, 3_000]]);
  for (let at = 0; at < caller.length; at++) caller[at] = (caller[at] ?? 0) + Math.round((random() - 0.5) * 400);
  const [gap] = gapsOf(caller, channel(8_000, [[3_600, 5_000]]), RATE);
  assert.ok(gap && Math.abs(gap.gapMs - 600) <= 8, JSON.stringify(gap));
});

test('a yield is the time from the caller’s onset over the agent to its silence', () => {
  const caller = channel(6_000, [[2_000, 4_000]]);
  const agent = channel(6_000, [[1_000, 2_120]]);
  assert.deepEqual(yieldsOf(caller, agent, RATE), [{ onsetMs: 2_000, silentMs: 2_120, yieldMs: 120 }]);
});

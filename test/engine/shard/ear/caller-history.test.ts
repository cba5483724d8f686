import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallerHistory } from '../../../../engine/shard/ear/caller-history.ts';
import { joinSamples } from '../../../../media/frame.ts';
import { tone } from '../../../media/signals.ts';
import { mix, noise, silence } from '../../../support/models/sounds.ts';

function historyOf(samples: Int16Array): CallerHistory {
  const history = new CallerHistory(8_000);
  history.start(0);
  for (let at = 0; at + 160 <= samples.length; at += 160) history.write(samples.subarray(at, at + 160), false);
  return history;
}

test('speech ends where its sound dies away, not where the last window of the detection ends', () => {
  const history = historyOf(joinSamples([silence(100), tone(200, 8_000, 400), silence(200)]));
  for (const window of [500, 520, 550]) assert.ok(Math.abs(history.speechEnd(window * 8) / 8 - 500) <= 4, `${window}`);
  // A pause that long is no hangover.
  assert.equal(history.speechEnd(640 * 8), 640 * 8);
});

test('in noise the end of the last window stands', () => {
  const history = historyOf(mix(joinSamples([tone(200, 8_000, 400, 0.2), silence(200)]), noise(600, 2_000)));
  assert.ok(history.speechEnd(440 * 8) / 8 >= 436);
});

test('only what is kept has a level', () => {
  const history = historyOf(tone(200, 8_000, 3_000, 0.1));
  assert.equal(history.power(0, 256), null);
  assert.equal(history.power(3_000 * 8 - 100, 3_000 * 8 + 100), null);
  assert.ok(Math.abs((history.power(2_000 * 8, 2_100 * 8) ?? 0) - 0.005) < 0.0005);
});

test('where whole turns are kept, late audio and utterances reach back 2 s all the same', () => {
  const history = new CallerHistory(8_000, 8_000);
  history.start(0);
  const samples = tone(200, 8_000, 10_000);
  for (let at = 0; at + 160 <= samples.length; at += 160) history.write(samples.subarray(at, at + 160), false);
  assert.equal(history.oldest, 8_000 * 8);
  assert.equal(history.oldestKept, 2_000 * 8);
  assert.deepEqual(history.read(2_000 * 8, 10_000 * 8), samples.subarray(2_000 * 8));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { joinSamples, rms } from '../../media/frame.ts';
import { Resampler } from '../../media/resample.ts';
import { shareAt, tone } from './signals.ts';

const RATES: Array<[number, number]> = [
  [8000, 16000],
  [16000, 8000],
  [22050, 8000],
  [24000, 8000],
  [22050, 16000],
  [24000, 16000],
  [16000, 24000],
];

for (const [from, to] of RATES) {
  test(`${from} to ${to} Hz: tones of the pass band keep frequency and level`, () => {
    for (const frequency of [200, 440, 1000, 2500, 3300]) {
      const out = new Resampler(from, to).convert(tone(frequency, from, 500));
      const steady = out.subarray(to / 20, out.length - to / 20);
      assert.ok(shareAt(steady, frequency, to) > 0.995, `${frequency} Hz stays ${frequency} Hz`);
      const gainDb = 20 * Math.log10(rms(steady) / (0.5 * 32767 * Math.SQRT1_2));
      assert.ok(Math.abs(gainDb) < 0.25, `${frequency} Hz changed by ${gainDb} dB`);
    }
  });

  test(`${from} to ${to} Hz: any division into blocks gives the same samples, in the exact number`, () => {
    const random = seededRandom(from + to);
    const input = Int16Array.from({ length: from }, () => (random() - 0.5) * 40000);
    const whole = new Resampler(from, to).convert(input);
    const split = new Resampler(from, to);
    const parts: Int16Array[] = [];
    for (let at = 0; at < input.length; ) {
      const count = 1 + Math.floor(random() * 700);
      parts.push(split.convert(input.subarray(at, at + count)).slice());
      at += count;
    }
    assert.deepEqual(joinSamples(parts), whole);
    const expected = ((input.length - new Resampler(from, to).delayInputSamples) * to) / from;
    assert.ok(Math.abs(whole.length - input.length * (to / from)) < 80 || Math.abs(whole.length - expected) <= 1);
  });
}

test("frequencies above the lower rate's band are removed, not aliased into it", () => {
  for (const frequency of [4600, 5500, 7000]) {
    const out = new Resampler(16000, 8000).convert(tone(frequency, 16000, 400));
    const levelDb = 20 * Math.log10(Math.max(1e-9, rms(out.subarray(400, -400)) / (0.5 * 32767 * Math.SQRT1_2)));
    assert.ok(levelDb < -55, `${frequency} Hz leaks at ${levelDb} dB`);
  }
});

test('an equal rate passes bit for bit, and full scale never wraps', () => {
  const loud = Int16Array.from({ length: 1600 }, (_, i) => (i % 16 < 8 ? 32767 : -32768));
  assert.deepEqual(new Resampler(8000, 8000).convert(loud), loud);
  const out = new Resampler(8000, 16000).convert(loud);
  // A wrapped sample would sit next to one of opposite sign and full scale.
  for (let i = 1; i < out.length; i++) assert.ok(Math.abs((out[i] as number) - (out[i - 1] as number)) < 60000);
});

test('an invalid rate is refused', () => {
  assert.throws(() => new Resampler(0, 8000), RangeError);
  assert.throws(() => new Resampler(8000, 7999.5), RangeError);
});

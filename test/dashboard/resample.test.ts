// A microphone's rate to the call's, and back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Resampler } from '../../api/dashboard/app/audio/resample.ts';

const tone = (hz: number, rateHz: number, seconds: number): Float32Array =>
  Float32Array.from({ length: rateHz * seconds }, (_, i) => Math.sin((2 * Math.PI * hz * i) / rateHz));

/** In blocks of 128, as a browser's audio thread gives them. */
function inBlocks(resampler: Resampler, input: Float32Array): number[] {
  const output: number[] = [];
  for (let at = 0; at < input.length; at += 128) output.push(...resampler.process(input.subarray(at, at + 128)));
  return output;
}

const crossings = (samples: number[]): number =>
  samples.filter((sample, i) => i > 0 && sample >= 0 && (samples[i - 1] ?? 0) < 0).length;
const loudest = (samples: number[]): number => Math.max(...samples.map(Math.abs));

for (const [fromHz, toHz] of [
  [48_000, 16_000],
  [44_100, 16_000],
  [16_000, 48_000],
  [16_000, 44_100],
] as const) {
  test(`a tone of 440 Hz stays one from ${fromHz} to ${toHz} Hz`, () => {
    const output = inBlocks(new Resampler(fromHz, toHz), tone(440, fromHz, 1));
    assert.ok(Math.abs(output.length - toHz) <= 2, String(output.length));
    assert.ok(Math.abs(crossings(output) - 440) <= 1);
    assert.ok(loudest(output) > 0.97 && loudest(output) <= 1);
  });
}

test('the same rate passes through', () => {
  const input = tone(440, 16_000, 0.1);
  assert.equal(new Resampler(16_000, 16_000).process(input), input);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Denoiser } from '../../media/denoise.ts';
import { rms } from '../../media/frame.ts';
import { noise, say, silence } from '../support/models/sounds.ts';

/** The stream in frames of 20 ms, as a call brings it. */
function denoised(samples: Int16Array, rateHz = 8_000): Int16Array {
  const denoiser = new Denoiser(rateHz);
  const out = Int16Array.from(samples);
  const frame = rateHz / 50;
  for (let at = 0; at + frame <= out.length; at += frame) denoiser.process(out.subarray(at, at + frame));
  denoiser.close();
  return out;
}

test('steady noise falls by more than 3 dB within a second', () => {
  const before = noise(3_000, 2_000);
  const after = denoised(before);
  assert.ok(rms(after.subarray(8_000)) < rms(before) / Math.SQRT2, `${rms(after.subarray(8_000))} of ${rms(before)}`);
});

test('clean speech keeps its level, its length and its place in time', async () => {
  for (const rateHz of [8_000, 16_000]) {
    const before = await say('We are open from nine until six.', { sampleRateHz: rateHz });
    const after = denoised(before, rateHz);
    assert.ok(Math.abs(20 * Math.log10(rms(after) / rms(before))) < 2, 'within 2 dB');
    const shift = bestShift(before, after, rateHz / 20);
    assert.ok(shift >= 0 && shift <= (rateHz * 30) / 1_000, `${(shift * 1_000) / rateHz} ms late`);
  }
});

test('silence stays silence, and streams do not disturb each other', () => {
  const [a, b] = [new Denoiser(8_000), new Denoiser(8_000)];
  const loud = noise(20, 8_000);
  for (let n = 0; n < 50; n++) {
    a.process(loud.slice());
    const quiet = silence(20);
    b.process(quiet);
    assert.ok(rms(quiet) < 1);
  }
  a.close();
  b.close();
});

test('a thousand calls one after the other need no more memory than one', () => {
  for (let n = 0; n < 1_000; n++) new Denoiser(8_000).close();
});

/** How many samples later `after` resembles `before` most. */
function bestShift(before: Int16Array, after: Int16Array, most: number): number {
  let best = { shift: 0, product: Number.NEGATIVE_INFINITY };
  for (let shift = 0; shift < most; shift++) {
    let product = 0;
    for (let n = 0; n + shift < before.length; n += 3) product += (before[n] ?? 0) * (after[n + shift] ?? 0);
    if (product > best.product) best = { shift, product };
  }
  return best.shift;
}

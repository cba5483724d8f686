// Doubling the rate: tones of the telephone band stay what they are, without an image above it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateDoubler } from '../../media/rate-doubler.ts';

const RATE = 8_000;

/** Its stream, of the two that lie between each other; the other one stays what it was. */
function oneOf(doubler: RateDoubler, block: Int16Array, offset: 0 | 1): Int16Array {
  const both = new Int16Array(4 * block.length).fill(7);
  doubler.interleave(block, both, offset);
  assert.ok(both.every((sample, at) => at % 2 === offset || sample === 7));
  return both.filter((_, at) => at % 2 === offset);
}

function doubled(hz: number, blocks = [160, 160, 80, 240, 160, 160, 160, 160]): Int16Array {
  const doubler = new RateDoubler();
  let at = 0;
  const out = blocks.map((length) => {
    const block = Int16Array.from({ length }, () => Math.round(10_000 * Math.sin((2 * Math.PI * hz * at++) / RATE)));
    return oneOf(doubler, block, 0);
  });
  return Int16Array.from(out.flatMap((block) => [...block]));
}

/** Amplitude of one frequency, by correlation over whole periods. */
function amplitude(samples: Int16Array, hz: number): number {
  let [re, im] = [0, 0];
  for (const [i, sample] of samples.entries()) {
    re += sample * Math.cos((2 * Math.PI * hz * i) / (2 * RATE));
    im += sample * Math.sin((2 * Math.PI * hz * i) / (2 * RATE));
  }
  return (2 * Math.hypot(re, im)) / samples.length;
}

test('a tone of the telephone band keeps its level and has no image, across blocks of any length', () => {
  for (const hz of [300, 1_000, 2_000, 3_000]) {
    const samples = doubled(hz).subarray(160, 160 + 1_600);
    assert.ok(Math.abs(amplitude(samples, hz) - 10_000) < 300, `${hz}: ${amplitude(samples, hz)}`);
    const image = amplitude(samples, RATE - hz);
    assert.ok(image < 120, `the image of ${hz}: ${image}`);
  }
});

test('a constant stays one, and nothing overflows', () => {
  for (const level of [0, 1_234, 32_767, -32_768]) {
    const out = oneOf(new RateDoubler(), new Int16Array(160).fill(level), 1).subarray(40);
    assert.ok(
      out.every((sample) => Math.abs(sample - level) <= 1),
      `${level}`,
    );
  }
});

// The melody at the end of speech, on synthetic voices: a glottal buzz whose pitch and strength move as told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finality } from '../../../../engine/shard/ear/prosody.ts';

/** 1.2 s of syllables of 150 ms; over the last 500 ms the pitch moves by `semitones` and the level by `db`. */
function voice(sampleRateHz: number, { from = 140, semitones = 0, db = 0, noise = 0 }): Int16Array {
  const samples = new Int16Array(sampleRateHz * 1.2);
  let phase = 0;
  let seed = 1;
  for (let at = 0; at < samples.length; at++) {
    const end = Math.max(0, (at / sampleRateHz - 0.7) / 0.5);
    const hertz = from * 2 ** ((semitones * end) / 12);
    phase += hertz / sampleRateHz;
    const gap = (at / sampleRateHz) % 0.2 > 0.15 ? 0 : 1;
    const buzz = [1, 2, 3, 4, 5].reduce(
      (sum, harmonic) => sum + Math.sin(2 * Math.PI * harmonic * phase) / harmonic,
      0,
    );
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const hiss = (seed / 2 ** 31 - 1) * noise;
    samples[at] = Math.round(5_000 * gap * 10 ** ((db * end) / 20) * buzz + hiss);
  }
  return samples;
}

for (const sampleRateHz of [8_000, 16_000]) {
  test(`at ${sampleRateHz} Hz a falling melody is final, a level one is not, and a rise tells nothing`, () => {
    for (const from of [100, 140, 220]) {
      const falls = finality(voice(sampleRateHz, { from, semitones: -5, noise: 200 }), sampleRateHz);
      const hangs = finality(voice(sampleRateHz, { from, noise: 200 }), sampleRateHz);
      const rises = finality(voice(sampleRateHz, { from, semitones: 5, noise: 200 }), sampleRateHz);
      assert.ok(falls !== null && falls > 0.35, `${from} Hz falls: ${falls}`);
      assert.ok(hangs !== null && hangs < -0.35, `${from} Hz hangs: ${hangs}`);
      assert.ok(rises !== null && Math.abs(rises) <= 0.35, `${from} Hz rises: ${rises}`);
    }
  });
}

test('falling energy adds to it', () => {
  const even = finality(voice(8_000, { semitones: -1.5 }), 8_000) ?? Number.NaN;
  const fading = finality(voice(8_000, { semitones: -1.5, db: -14 }), 8_000) ?? Number.NaN;
  assert.ok(fading > even, `${even} and ${fading}`);
});

test('noise, silence and a single short sound have no melody', () => {
  assert.equal(finality(new Int16Array(9_600), 8_000), null);
  assert.equal(finality(new Int16Array(0), 8_000), null);
  let seed = 7;
  const hiss = new Int16Array(9_600).map(() => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed / 2 ** 31 - 1) * 6_000;
  });
  assert.equal(finality(hiss, 8_000), null);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FRAMES, logMel, MELS } from '../../../models/turn-end/log-mel.ts';

interface Reference {
  frames: number[];
  /** `frames`: the 80 mels of each frame named above. */
  cases: Array<{ samples: number; mean: number; frames: number[][] }>;
}

/** Of the reference's five decimals and of the features' single precision. */
const TOLERANCE = 2e-5;

/** The same sound as `log-mel.py` makes. */
function sound(length: number): Int16Array {
  let state = 12_345;
  let phase = 0;
  return Int16Array.from({ length }, (_, n) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    const noise = (Math.floor(state / 65_536) % 2_048) - 1_024;
    phase = (phase + 100 + Math.floor(n / 40)) % 16_000;
    const loud = Math.floor(n / 4_000) % 2 === 0 ? 8 : 1;
    return Math.floor((noise * loud) / 4) + (phase < 8_000 ? 1_500 : -1_500) * loud;
  });
}

const path = new URL('../../fixtures/turn-end/log-mel.json', import.meta.url);
const reference = JSON.parse(readFileSync(path, 'utf8')) as Reference;

for (const { samples, mean, frames } of reference.cases) {
  test(`the features of ${samples} samples are those of the definition, computed independently`, () => {
    const mels = logMel(sound(samples));
    assert.equal(mels.length, MELS * FRAMES);
    let worst = 0;
    frames.forEach((wanted, index) => {
      const frame = reference.frames[index] ?? 0;
      for (const [mel, value] of wanted.entries())
        worst = Math.max(worst, Math.abs((mels[mel * FRAMES + frame] ?? Number.NaN) - value));
    });
    assert.ok(worst <= TOLERANCE, `differs by ${worst}`);
    const sum = mels.reduce((total, value) => total + value, 0);
    assert.ok(Math.abs(sum / mels.length - mean) <= TOLERANCE);
  });
}

import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { encodeMp3 } from '../../media/mp3.ts';
import { encodeWav, WavError } from '../../media/wav.ts';
import { tone } from './signals.ts';

const folder = temporaryFolder('mp3');

/** Frames of an MPEG-2 / 2.5 layer III file: their count, rate and channels, read from the frame headers alone. */
function frames(file: Buffer): { count: number; sampleRateHz: number; channels: number } {
  const kbps = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
  let count = 0;
  let sampleRateHz = 0;
  let channels = 0;
  for (let at = 0; at + 4 <= file.length; count++) {
    const header = file.readUInt32BE(at);
    assert.equal(header >>> 21, 0x7ff, `no frame at ${at}`);
    const isMpeg25 = ((header >>> 19) & 3) === 0;
    sampleRateHz = ([22_050, 24_000, 16_000][(header >>> 10) & 3] ?? 0) / (isMpeg25 ? 2 : 1);
    channels = ((header >>> 6) & 3) === 3 ? 1 : 2;
    const rate = kbps[(header >>> 12) & 15] ?? 0;
    at += Math.floor((72_000 * rate) / sampleRateHz) + ((header >>> 9) & 1);
  }
  return { count, sampleRateHz, channels };
}

for (const [sampleRateHz, channels] of [
  [8000, 2],
  [16_000, 2],
  [8000, 1],
] as const) {
  test(`a recording of ${channels} channels at ${sampleRateHz} Hz becomes an MP3 of the same length, much smaller`, async () => {
    const wav = join(folder, `${sampleRateHz}-${channels}.wav`);
    const mp3 = `${wav}.mp3`;
    writeFileSync(wav, encodeWav({ sampleRateHz, channels }, tone(440, sampleRateHz, 1_000 * channels)));
    assert.equal(await encodeMp3(wav, mp3), true);
    const read = frames(readFileSync(mp3));
    assert.deepEqual([read.sampleRateHz, read.channels], [sampleRateHz, channels]);
    // The encoder adds a delay of two to three frames.
    const expected = sampleRateHz / 576;
    assert.ok(read.count >= expected && read.count <= expected + 4, `${read.count} of ${expected}`);
    assert.ok(statSync(mp3).size < statSync(wav).size / 5);
  });
}

test('an unsupported recording is refused; encoding stops when no longer wanted', async () => {
  const wav = join(folder, 'other.wav');
  writeFileSync(wav, encodeWav({ sampleRateHz: 11_025, channels: 1 }, new Int16Array(100)));
  await assert.rejects(encodeMp3(wav, `${wav}.mp3`), (error) => error instanceof WavError);
  writeFileSync(wav, encodeWav({ sampleRateHz: 8000, channels: 2 }, new Int16Array(100_000)));
  let asked = 0;
  assert.equal(await encodeMp3(wav, `${wav}.mp3`, () => ++asked === 2), false);
  assert.equal(asked, 2);
});

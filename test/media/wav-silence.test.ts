// Silencing parts of a recording: both channels, to the sample, and nothing else of the file changes.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { decodeWav, encodeWav } from '../../media/wav.ts';
import { silenceWav } from '../../media/wav-silence.ts';

const folder = mkdtempSync(join(tmpdir(), 'voice-silence-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const RATE = 8_000;
/** Ten seconds in which every sample is another one, and none is 0. */
const SAMPLES = Int16Array.from({ length: 10 * RATE * 2 }, (_, i) => 1 + (i % 30_000));

async function silenced(parts: Parameters<typeof silenceWav>[1]): Promise<Int16Array[]> {
  const path = join(folder, 'call.wav');
  const whole = encodeWav({ sampleRateHz: RATE, channels: 2 }, SAMPLES);
  writeFileSync(path, whole);
  await silenceWav(path, parts);
  const file = readFileSync(path);
  assert.equal(file.length, whole.length);
  assert.deepEqual(file.subarray(0, 44), whole.subarray(0, 44));
  return decodeWav(file).channelsSamples;
}

/** Where a channel is silent, in samples. */
function quiet(channel: Int16Array): Array<[from: number, to: number]> {
  const parts: Array<[number, number]> = [];
  for (let i = 0; i < channel.length; i++) {
    if (channel[i] !== 0) continue;
    const last = parts.at(-1);
    if (last?.[1] === i) last[1]++;
    else parts.push([i, i + 1]);
  }
  return parts;
}

test('the parts are silent on both channels, and the rest is as it was', async () => {
  const [left = new Int16Array(), right = new Int16Array()] = await silenced([
    { fromMs: 1_000, toMs: 1_500, channel: null },
    { fromMs: 9_000.06, toMs: null, channel: null },
  ]);
  for (const channel of [left, right])
    assert.deepEqual(quiet(channel), [
      [8_000, 12_000],
      [72_000, 80_000],
    ]);
  assert.deepEqual([left[12_000], right[12_000]], [SAMPLES[24_000], SAMPLES[24_001]]);
});

test('one channel alone is silent, and the other has every sample', async () => {
  const [left = new Int16Array(), right = new Int16Array()] = await silenced([
    { fromMs: 1_000, toMs: 9_000, channel: 0 },
    { fromMs: 9_500, toMs: null, channel: 1 },
  ]);
  assert.deepEqual([quiet(left), quiet(right)], [[[8_000, 72_000]], [[76_000, 80_000]]]);
  for (let i = 0; i < 76_000; i++) assert.equal(right[i], SAMPLES[2 * i + 1]);
});

test('a part before the beginning or after the end is cut to the file', async () => {
  const [left = new Int16Array()] = await silenced([
    { fromMs: -500, toMs: 100, channel: null },
    { fromMs: 9_900, toMs: 60_000, channel: null },
    { fromMs: 70_000, toMs: 80_000, channel: null },
    { fromMs: 500, toMs: 400, channel: null },
  ]);
  assert.deepEqual(quiet(left), [
    [0, 800],
    [79_200, 80_000],
  ]);
});

test('what is no recording is refused, and left alone', async () => {
  const path = join(folder, 'text.wav');
  writeFileSync(path, 'this is no sound');
  await assert.rejects(silenceWav(path, [{ fromMs: 0, toMs: null, channel: null }]), { code: 'WAV_NOT_RIFF' });
  assert.equal(readFileSync(path, 'utf8'), 'this is no sound');
});

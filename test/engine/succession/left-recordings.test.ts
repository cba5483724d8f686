// Recordings without a call that can want them.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeEmptyRecordings } from '../../../engine/succession/left-recordings.ts';
import { encodeWav, WAV_HEADER_BYTES } from '../../../media/wav.ts';

const SECOND = encodeWav({ sampleRateHz: 8_000, channels: 2 }, new Int16Array(16_000));

test('recordings of calls that were never written are removed where they hold no audio', async (t) => {
  const recordingsDir = mkdtempSync(join(tmpdir(), 'left-recordings-'));
  t.after(() => rmSync(recordingsDir, { recursive: true }));
  writeFileSync(join(recordingsDir, 'call_empty.wav'), '');
  writeFileSync(join(recordingsDir, 'call_header.wav'), SECOND.subarray(0, WAV_HEADER_BYTES));
  writeFileSync(join(recordingsDir, 'call_audio.wav'), SECOND);
  writeFileSync(join(recordingsDir, 'call_running.wav'), '');
  await removeEmptyRecordings(recordingsDir, ['call_empty.wav', 'call_header.wav', 'call_audio.wav', 'gone.wav']);
  assert.deepEqual(readdirSync(recordingsDir).sort(), ['call_audio.wav', 'call_running.wav']);
});

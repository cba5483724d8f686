// People's voices hold no keys: each recording of people is heard by the detector of tones. They are no part of the
// repository (docs/callers.md); without them there is nothing to hear.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeG711 } from '../../media/g711.ts';
import { DtmfTones } from '../../media/rtp/dtmf-tones.ts';

const SPEECH = process.env.SPEECH_FOLDER ?? '../shared/speech';
const skip =
  !existsSync(`${SPEECH}/manifest.jsonl`) && `there are no recordings of people in ${SPEECH} (SPEECH_FOLDER)`;

test('no key is heard in recordings of people', { skip }, (t) => {
  const hits: string[] = [];
  let seconds = 0;
  const lines = readFileSync(`${SPEECH}/manifest.jsonl`, 'utf8').trim().split('\n');
  for (const line of lines) {
    const { file } = JSON.parse(line) as { file: string };
    const codes = readFileSync(`${SPEECH}/${file}`);
    const samples = new Int16Array(codes.length);
    decodeG711('pcmu', codes, 0, codes.length, samples);
    seconds += samples.length / 8_000;
    const tones = new DtmfTones(8_000);
    for (let at = 0; at + 160 <= samples.length; at += 160) {
      const key = tones.hear(samples.subarray(at, at + 160));
      if (key !== null) hits.push(`${key} in ${file} at ${at / 8_000} s`);
    }
  }
  t.diagnostic(`${hits.length} keys in ${Math.round(seconds)} s`);
  assert.deepEqual(hits, []);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bytesToSamples } from '../../media/frame.ts';
import { G722Decoder, G722Encoder } from '../../media/g722.ts';
import { shareAt, signalToErrorDb, tone } from './signals.ts';

const vectors: Record<'samples' | 'codes' | 'decoded', string> = JSON.parse(
  readFileSync(new URL('../fixtures/g722.json', import.meta.url), 'utf8'),
);
const bytes = (name: keyof typeof vectors) => Uint8Array.from(Buffer.from(vectors[name], 'base64'));
const samples = bytesToSamples(bytes('samples'));
const codes = bytes('codes');
const decoded = bytesToSamples(bytes('decoded'));

function encoded(signal: Int16Array, block = 320): Uint8Array {
  const encoder = new G722Encoder();
  const out = new Uint8Array(signal.length / 2);
  for (let at = 0; at < signal.length; at += block) encoder.encode(signal.subarray(at, at + block), out, at / 2);
  return out;
}

function decodedFrom(payload: Uint8Array): Int16Array {
  const out = new Int16Array(payload.length * 2);
  assert.equal(new G722Decoder().decode(payload, 0, payload.length, out), out.length);
  return out;
}

test('our codes are those of another implementation, bit by bit', () => {
  assert.deepEqual(encoded(samples), codes);
});

test('we hear in them what another implementation hears', () => {
  assert.deepEqual(decodedFrom(codes), decoded);
});

test('the cut into packets does not matter', () => {
  assert.deepEqual(encoded(samples, 160), codes);
  const decoder = new G722Decoder();
  const out = new Int16Array(decoded.length);
  for (let at = 0; at < codes.length; at += 80) decoder.decode(codes, at, 80, out.subarray(at * 2));
  assert.deepEqual(out, decoded);
});

test('both bands pass, to 7 kHz', () => {
  for (const frequencyHz of [300, 1_000, 3_000, 5_000, 6_500]) {
    const heard = decodedFrom(encoded(tone(frequencyHz, 16_000, 400))).subarray(1_600);
    assert.ok(shareAt(heard, frequencyHz, 16_000) > 0.95, `${frequencyHz} Hz`);
  }
});

test('full scale is cut off and never wraps', () => {
  const square = Int16Array.from({ length: 3_200 }, (_, n) => (Math.floor(n / 40) % 2 === 0 ? 32_767 : -32_768));
  const heard = decodedFrom(encoded(square));
  // The filters delay by 22 samples; each level is looked at in its middle.
  for (let n = 400; n < 3_120; n += 40)
    assert.equal(Math.sign(heard[n + 42] as number), Math.sign(square[n + 20] as number));
});

test('after a lost packet the decoder is in step again within 200 ms', () => {
  const speech = Int16Array.from(tone(400, 16_000, 600), (sample, n) => sample * Math.abs(Math.sin(n / 900)));
  const payload = encoded(speech);
  const whole = decodedFrom(payload);
  const decoder = new G722Decoder();
  const out = new Int16Array(whole.length);
  decoder.decode(payload, 0, 1_600, out);
  decoder.decode(payload, 1_760, payload.length - 1_760, out.subarray(3_520));
  assert.ok(signalToErrorDb(whole.subarray(6_720), out.subarray(6_720)) > 20);
});

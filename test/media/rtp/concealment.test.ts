import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms } from '../../../media/frame.ts';
import { Concealer } from '../../../media/rtp/concealment.ts';
import { shareAt, tone } from '../signals.ts';

function lose(signal: Int16Array, fromFrame: number, frames: number): Int16Array {
  const concealer = new Concealer(8000);
  const out = signal.slice();
  for (let frame = 0; frame * 160 < out.length; frame++) {
    const from = frame * 160;
    if (frame >= fromFrame && frame < fromFrame + frames) concealer.conceal(out, from, from + 160);
    else concealer.real(out, from, from + 160);
  }
  return out;
}

test('a voice continues at its pitch for 10 ms, fades, and is silent after 60 ms', () => {
  for (const pitch of [90, 125, 180]) {
    const voice = tone(pitch, 8000, 1000, 0.3);
    const heard = lose(voice, 20, 5);
    const hole = heard.subarray(3200, 4000);
    assert.ok(rms(hole.subarray(0, 80)) > 0.8 * rms(voice.subarray(3120, 3200)));
    assert.ok(
      shareAt(hole.subarray(0, 320), pitch, 8000) > 0.6,
      `${pitch} Hz: ${shareAt(hole.subarray(0, 320), pitch, 8000)}`,
    );
    assert.ok(rms(hole.subarray(0, 160)) > rms(hole.subarray(160, 320)));
    assert.ok(hole.subarray(480).every((sample) => sample === 0));
  }
});

test('neither edge of a concealed frame clicks', () => {
  const voice = tone(150, 8000, 400, 0.4);
  const heard = lose(voice, 10, 1);
  let steepest = 0;
  for (let i = 1; i < voice.length; i++) {
    steepest = Math.max(steepest, Math.abs((voice[i] as number) - (voice[i - 1] as number)));
  }
  for (let i = 1590; i < 1830; i++) {
    const step = Math.abs((heard[i] as number) - (heard[i - 1] as number));
    assert.ok(step < steepest * 3, `a step of ${step} at ${i}`);
  }
});

test('received frames pass untouched; intended silence is not filled from the past', () => {
  const voice = tone(150, 8000, 200);
  assert.deepEqual(lose(voice, 99, 0), voice);
  const concealer = new Concealer(8000);
  const frame = voice.slice(0, 160);
  concealer.real(frame, 0, 160);
  concealer.silence(frame, 0, 160);
  concealer.conceal(frame, 0, 160);
  assert.ok(frame.every((sample) => sample === 0));
});

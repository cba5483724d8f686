// Hold music: quiet, no voice and no key, and silent while the agent speaks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms } from '../../media/frame.ts';
import { HoldMusic } from '../../media/hold-music.ts';
import { HOLD_MUSIC_RATE_HZ, holdMusicOf } from '../../media/hold-music-file.ts';
import { encodeWav } from '../../media/wav.ts';

function play(rate: number, seconds: number, music = new HoldMusic(rate)): Int16Array[] {
  return Array.from({ length: seconds * 50 }, () => {
    const frame = new Int16Array(rate / 50);
    music.fill(frame);
    return frame;
  });
}

test('it is heard, is quiet, fades in, and goes on without an end', () => {
  for (const rate of [8_000, 16_000]) {
    const frames = play(rate, 60);
    const loudest = Math.max(...frames.map((frame) => Math.max(...[...frame].map(Math.abs))));
    assert.ok(loudest > 500 && loudest < 1_300, `${loudest}`);
    assert.ok(rms(frames[0] ?? new Int16Array(1)) < 50, 'it begins softly');
    for (let from = 0; from < frames.length; from += 100) {
      const heard = frames.slice(from, from + 150).filter((frame) => rms(frame) > 60).length;
      assert.ok(heard > 20, `${heard} of 150 frames from ${from}`);
    }
    const jumps = frames.map((frame) =>
      Math.max(...[...frame].slice(1).map((each, n) => Math.abs(each - (frame[n] ?? 0)))),
    );
    assert.ok(Math.max(...jumps) < 700, `no clicks: ${Math.max(...jumps)}`);
  }
});

test('while the agent speaks, and for a moment after it, there is none', () => {
  const music = new HoldMusic(8_000);
  play(8_000, 2, music);
  music.rest();
  const after = play(8_000, 3, music).map((frame) => rms(frame));
  assert.equal(Math.max(...after.slice(0, 55)), 0);
  assert.ok(Math.max(...after.slice(60)) > 60, 'and then it goes on');
});

const wav = (sampleRateHz: number, channels: number, seconds: number, peak: number): Buffer =>
  encodeWav(
    { sampleRateHz, channels },
    Int16Array.from({ length: sampleRateHz * channels * seconds }, (_, i) =>
      Math.round(peak * Math.sin((2 * Math.PI * 440 * Math.floor(i / channels)) / sampleRateHz)),
    ),
  );

test('an operator’s own is made mono, of one rate and level, and goes round', () => {
  for (const [rate, channels, peak] of [
    [44_100, 2, 32_000],
    [8_000, 1, 600],
    [16_000, 1, 5_000],
  ] as const) {
    const own = holdMusicOf(wav(rate, channels, 2, peak));
    assert.equal(own.length % 320, 0);
    assert.ok(Math.abs(own.length / HOLD_MUSIC_RATE_HZ - 2) < 0.05);
    assert.ok(Math.abs(rms(own) - 1_000) < 60, `${rms(own)}`);
    for (const lineRate of [8_000, 16_000]) {
      const frames = play(lineRate, 6, new HoldMusic(lineRate, own));
      const heard = frames.slice(40).map(rms);
      assert.ok(Math.min(...heard) > 800 && Math.max(...heard) < 1_200, `${Math.min(...heard)}, ${Math.max(...heard)}`);
    }
  }
});

test('what is no music for a line is refused in words', () => {
  assert.throws(() => holdMusicOf(Buffer.from('ID3 an MP3')), /not a RIFF\/WAVE file/);
  assert.throws(() => holdMusicOf(wav(8_000, 1, 1, 3_000)), /lasts 1\.0 s: send 2 to 120 s/);
  assert.throws(() => holdMusicOf(wav(8_000, 1, 121, 3_000)), /lasts 121\.0 s/);
  assert.throws(() => holdMusicOf(wav(8_000, 1, 3, 0)), /silent/);
});

// Hold music: quiet, no voice and no key, and silent while the agent speaks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms } from '../../media/frame.ts';
import { HoldMusic } from '../../media/hold-music.ts';

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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tone } from '../../../bench/rig/tones.ts';
import { HeardAudio } from '../../../engine/shard/heard-audio.ts';

const FRAME = 160;

/** A line at 8 kHz on which an utterance is open, and has a voice. */
function line() {
  const sent: number[] = [];
  const heard = new HeardAudio(8_000, { sttBlockMs: 200 }, (_utterance, samples) => sent.push(samples.length));
  heard.start(0);
  const write = (ms: number, level: number, isMissing = false): void => {
    const audio = tone([300], ms, level, 8_000);
    for (let at = 0; at < audio.length; at += FRAME) heard.write(audio.slice(at, at + FRAME), isMissing);
  };
  heard.beginUtterance(1, 0);
  write(500, 8_000);
  write(80, 0);
  return { heard, write, sentMs: () => sent.reduce((sum, length) => sum + length, 0) / 8 };
}

test('when words are asked for, the recogniser has all audio so far', () => {
  const { heard, sentMs } = line();
  assert.equal(sentMs(), 400);
  heard.flushUtterance(1);
  assert.equal(sentMs(), 580);
});

test('silence after words were asked for changes nothing, the soft end of a word does', () => {
  for (const [level, isWhole] of [
    [0, true],
    [200, true],
    [1_000, false],
  ] as const) {
    const { heard, write } = line();
    heard.flushUtterance(1);
    write(60, level);
    assert.equal(heard.wasAskedTo(500), isWhole, `level ${level}`);
  }
});

test('words that were asked for before the voice ended, or without a missing packet, are not all', () => {
  const { heard, write } = line();
  heard.flushUtterance(1);
  assert.equal(heard.wasAskedTo(520), true);
  assert.equal(heard.wasAskedTo(540), false);
  assert.equal(heard.wasAskedTo(null), false);
  write(20, 0, true);
  write(40, 0);
  heard.flushUtterance(1);
  assert.equal(heard.wasAskedTo(540), false);
});

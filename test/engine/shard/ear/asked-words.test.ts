import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tone } from '../../../../bench/rig/conversation/tones.ts';
import { HeardAudio } from '../../../../engine/shard/ear/heard-audio.ts';

const FRAME = 160;

test('when words are asked for, the recogniser has all audio so far, but for what may still come late', () => {
  const sent: number[] = [];
  const heard = new HeardAudio(8_000, { sttBlockMs: 200 }, (_utterance, samples) => sent.push(samples.length));
  const sentMs = (): number => sent.reduce((sum, length) => sum + length, 0) / 8;
  const write = (ms: number, isMissing = false): void => {
    const audio = tone([300], ms, 8_000, 8_000);
    for (let at = 0; at < audio.length; at += FRAME) heard.write(audio.slice(at, at + FRAME), isMissing);
  };
  heard.start(0);
  heard.beginUtterance(1, 0);
  write(500);
  assert.equal(sentMs(), 400);
  heard.flushUtterance(1);
  assert.equal(sentMs(), 500);
  write(20, true);
  write(40);
  heard.flushUtterance(1);
  assert.equal(sentMs(), 500);
  heard.endUtterance(1);
  assert.equal(sentMs(), 560);
});

test('an utterance that repeats an earlier one has all its audio, in pieces, and what came since', () => {
  const sent = new Map<number, number[]>();
  const heard = new HeardAudio(8_000, { sttBlockMs: 200, repeatsTurns: true }, (utterance, samples) =>
    sent.set(utterance, [...(sent.get(utterance) ?? []), samples.length / 8]),
  );
  const write = (ms: number): void => {
    const audio = tone([300], ms, 8_000, 8_000);
    for (let at = 0; at < audio.length; at += FRAME) heard.write(audio.slice(at, at + FRAME), false);
  };
  heard.start(0);
  heard.beginUtterance(1, 0);
  write(5_000);
  heard.endUtterance(1);
  write(1_000);
  heard.beginUtterance(2, 6_000, 1);
  write(1_000);
  heard.endUtterance(2);
  const ofSecond = sent.get(2) ?? [];
  assert.equal(
    ofSecond.reduce((sum, ms) => sum + ms, 0),
    7_000,
  );
  assert.ok(ofSecond.every((ms) => ms <= 2_000));
});

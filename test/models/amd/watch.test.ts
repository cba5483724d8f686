import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tone } from '../../../bench/rig/conversation/tones.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { joinSamples } from '../../../media/frame.ts';
import type { AmdEffect } from '../../../models/amd/amd.ts';
import { BeepDetector } from '../../../models/amd/beep.ts';
import { AnsweringMachineWatch } from '../../../models/amd/watch.ts';
import { mix, noise, silence } from '../../support/models/sounds.ts';

const FRAME = 160;

/** Noise under a syllable's envelope: loud, but not tonal. */
const voice = (ms: number, amplitude = 8_000, seed = 5) =>
  noise(ms, amplitude, seed).map((sample, n) => Math.round(sample * (0.6 + 0.4 * Math.sin(n / 300))));

/** Runs `audio` with a VAD that hears `speech` and reports its end `hangoverMs` late. */
function watch(audio: Int16Array, speech: Array<[fromMs: number, toMs: number]>, hangoverMs: number): AmdEffect[] {
  const watched = new AnsweringMachineWatch();
  const effects = watched.answered(0);
  for (let at = 0; at + FRAME <= audio.length; at += FRAME) {
    const nowMs = (at + FRAME) / 8;
    effects.push(...watched.audio(audio.subarray(at, at + FRAME), nowMs));
    for (const [fromMs, toMs] of speech) {
      if (nowMs === fromMs + 80) effects.push(...watched.speechStarted(fromMs, nowMs));
      if (nowMs === toMs + hangoverMs + 100) effects.push(...watched.speechStopped(toMs + hangoverMs, nowMs));
    }
    if (watched.deadlineMs !== null && nowMs >= watched.deadlineMs) effects.push(...watched.tick(nowMs));
  }
  return effects;
}

const verdicts = (effects: AmdEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'verdict' ? [[effect.verdict, effect.atMs]] : []));

test('a person waits 230 ms (in frames, 240) from the last sound, however long the VAD holds on', () => {
  const audio = joinSamples([silence(600), voice(400), silence(1_000)]);
  for (const hangoverMs of [0, 60, 200, 400]) {
    assert.deepEqual(verdicts(watch(audio, [[600, 1_000]], hangoverMs)), [['human', 1_240]], `${hangoverMs} ms`);
  }
});

test('the same holds in noise 12 dB below the voice', () => {
  const audio = mix(joinSamples([silence(600), voice(400), silence(1_000)]), noise(500, 1_500, 8));
  const [[verdict, atMs] = []] = verdicts(watch(audio, [[600, 1_000]], 200));
  assert.equal(verdict, 'human');
  assert.ok(Number(atMs) >= 1_180 && Number(atMs) <= 1_280, `at ${atMs}`);
});

test('a short gap within a word does not end the greeting', () => {
  const audio = joinSamples([silence(600), voice(300), silence(140), voice(300), silence(1_000)]);
  assert.deepEqual(verdicts(watch(audio, [[600, 1_340]], 100)), [['human', 1_580]]);
});

test('a musical note that the VAD takes for voice is not a person', () => {
  const audio = joinSamples([silence(600), tone([392], 500, 4_000), silence(2_500)]);
  assert.deepEqual(verdicts(watch(audio, [[600, 1_100]], 60)), [['uncertain', 2_500]]);
});

test('a click that the VAD takes for voice is not a person', () => {
  const audio = joinSamples([silence(600), voice(60), silence(2_500)]);
  assert.deepEqual(verdicts(watch(audio, [[600, 660]], 30)), [['uncertain', 2_500]]);
});

test("a flute's notes, high and low, are not beeps; one beep after a word is", () => {
  const random = seededRandom(11);
  const scaleHz = [262, 330, 392, 440, 523, 659, 880];
  const notes = Array.from({ length: 30 }, () => tone([scaleHz[Math.floor(random() * 7)] ?? 440], 300, 6_000));
  assert.deepEqual(new BeepDetector().write(joinSamples([...notes, silence(500)])), []);
  const beeps = new BeepDetector().write(joinSamples([voice(500), tone([1_000], 400, 6_000), silence(300)]));
  assert.equal(beeps.length, 1);
});

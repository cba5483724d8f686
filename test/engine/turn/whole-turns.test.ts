// A recogniser that hears more in a whole turn than in its pieces: speech after a pause is recognised again with all
// that was said before it, and what was recognised of the pieces is provisional.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TurnConfig } from '../../../engine/turn/machine.ts';
import { Stage } from './stage.ts';

const config: Partial<TurnConfig> = { hearsTurns: true, hearsWords: true, asksWords: true };

const turnTexts = (stage: Stage): string[] => [...stage.referee.turns.values()];

const begun = (stage: Stage): Array<number | undefined> => stage.of('begin-utterance').map(({ since }) => since);

/** Milliseconds of sound in all requests, and of speech with its pauses. */
function cost(stage: Stage): number {
  const beganAtMs = new Map<number, number>();
  const answered = new Set<string>();
  let askedMs = 0;
  for (const { atMs, effect } of stage.effects) {
    if (effect.type === 'begin-utterance')
      beganAtMs.set(effect.utterance, beganAtMs.get(effect.since ?? 0) ?? effect.fromMs);
    if (effect.type === 'ask-words') answered.add(`${effect.utterance} ${effect.number}`);
    const isNew = effect.type === 'finish-utterance' && !answered.has(`${effect.utterance} ${effect.asked}`);
    if (effect.type === 'ask-words' || isNew) askedMs += atMs - (beganAtMs.get(effect.utterance) ?? atMs);
  }
  return askedMs;
}

test('after a pause the recogniser hears the turn from its beginning, and its words count once', () => {
  const stage = new Stage({ config, sttMs: 150 })
    .answered()
    .says(3_000, 900, 'i would like to')
    .says(4_800, 700, 'book a table for')
    .says(6_400, 500, 'friday')
    .run(12_000);
  assert.deepEqual(begun(stage), [undefined, 1, 1]);
  assert.deepEqual(turnTexts(stage), ['i would like to book a table for friday']);
});

test('the result of the whole replaces the results of the pieces', () => {
  const stage = new Stage({ config: { ...config, asksWords: false, sttDeadlineMs: 20_000 }, sttMs: 15_000 })
    .answered()
    .says(3_000, 900, '')
    .at(4_200, {
      type: 'stt-final',
      utterance: 1,
      result: { text: 'lace transfer', confidence: 0.9, understood: true },
    })
    .says(4_350, 700, '')
    .run(5_200);
  const whole = { text: 'please transfer me to the office', confidence: 0.9, understood: true };
  stage.at(5_200, { type: 'stt-final', utterance: 2, result: whole }).run(12_000);
  assert.deepEqual(turnTexts(stage), [whole.text]);
});

test('a whole in which no words were heard leaves the words of the pieces', () => {
  for (const result of [
    { text: '', confidence: 0, understood: false },
    { text: 'bye', confidence: 0.9, understood: true, standIn: true as const },
  ]) {
    const stage = new Stage({ config: { ...config, asksWords: false, sttDeadlineMs: 20_000 }, sttMs: 15_000 })
      .answered()
      .says(3_000, 900, '')
      .at(4_200, {
        type: 'stt-final',
        utterance: 1,
        result: { text: 'and a table', confidence: 0.9, understood: true },
      })
      .says(4_350, 700, '')
      .run(5_200);
    stage.at(5_200, { type: 'stt-final', utterance: 2, result }).run(12_000);
    assert.deepEqual(turnTexts(stage), ['and a table']);
  }
});

test('a piece whose result is late is given up once the whole is asked for', () => {
  const stage = new Stage({ config: { ...config, asksWords: false, sttDeadlineMs: 5_000 }, sttMs: 2_500 })
    .answered()
    .says(3_000, 900, 'i would like to')
    .says(4_600, 700, 'book a table')
    .run(14_000);
  assert.deepEqual(
    stage.of('cancel-utterance').map(({ utterance }) => utterance),
    [1],
  );
  assert.deepEqual(turnTexts(stage), ['i would like to book a table']);
});

test('a click in a pause leaves the words before it', () => {
  const stage = new Stage({ config, sttMs: 150 })
    .answered()
    .says(3_000, 900, 'what are your opening hours')
    .says(4_100, 60, '')
    .run(10_000);
  assert.deepEqual(turnTexts(stage), ['what are your opening hours']);
});

test('words over the agent are heard from the first of them when they take the floor', () => {
  const stage = new Stage({ config, sttMs: 150, speakMs: 8_000 })
    .answered()
    .says(3_000, 500, 'wait')
    .says(3_900, 800, 'i have another question')
    .run(12_000);
  assert.equal(stage.of('barge-in').length, 1);
  assert.deepEqual(turnTexts(stage), ['wait i have another question']);
});

test('speech of longer ago than a request can hold is not repeated', () => {
  const stage = new Stage({ config: { ...config, maxUtteranceMs: 60_000 }, sttMs: 150 }).answered();
  for (let n = 0; n < 10; n++) stage.says(3_000 + n * 3_500, 2_900, `and this is part number ${n} and`);
  stage.says(38_000, 500, 'done').run(48_000);
  const texts = turnTexts(stage);
  assert.equal(texts.length, 1);
  const parts = [...(texts[0] ?? '').matchAll(/number (\d)/g)].map((match) => Number(match[1]));
  assert.deepEqual(parts, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const last = stage.of('begin-utterance').at(-1);
  assert.ok(last?.since !== undefined && last.since > 1);
});

test('the sound that is asked for stays within three times what is spoken', () => {
  for (const [voicedMs, pauseMs] of [
    [400, 500],
    [900, 700],
    [2_000, 900],
    [600, 250],
  ] as const) {
    const stage = new Stage({ config, sttMs: 150 }).answered();
    const eachMs = voicedMs + pauseMs;
    for (let n = 0; n < 8; n++) stage.says(3_000 + n * eachMs, voicedMs, 'three one and');
    stage.run(3_000 + 8 * eachMs + 5_000);
    const spokenMs = 8 * eachMs - pauseMs;
    assert.ok(cost(stage) <= 3 * spokenMs, `${voicedMs}/${pauseMs}: ${cost(stage)} of ${spokenMs} ms`);
  }
});

test('a recogniser that hears pieces as well as the whole gets each piece once', () => {
  const stage = new Stage({ config: { ...config, hearsTurns: false }, sttMs: 150 })
    .answered()
    .says(3_000, 900, 'i would like to')
    .says(4_800, 700, 'book a table')
    .run(12_000);
  assert.deepEqual(begun(stage), [undefined, undefined]);
  assert.deepEqual(turnTexts(stage), ['i would like to book a table']);
});

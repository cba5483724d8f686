// The callers' bench: words are given to the stretches of sound in which they were said, and a call is judged by what
// the caller heard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignWords } from '../../bench/callers/alignment.ts';
import { judge } from '../../bench/callers/converse.ts';
import { type CallerTurn, soundingFrames } from '../../bench/callers/recordings.ts';
import { bestAlone } from '../../bench/callers/smart-turn-alone.ts';
import { stopWatchCut } from '../../bench/callers/stop-watch.ts';
import { isUnfinished } from '../../bench/callers/table.ts';
import { errorShare, wordErrors } from '../../db/domain/tests/word-errors.ts';

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

/** Sounds from 0 to 40 and, after a pause of 0.6 s, from 70 to 90. */
const SOUNDING = [...range(0, 40), ...range(70, 90)];
const TURN: CallerTurn = {
  file: 'one.ulaw',
  set: 'dialogue',
  caller: 'one',
  text: 'my last name is Turner',
  samples: new Int16Array(0),
  words: [],
  startFrame: 0,
  endFrame: 90,
  sounding: SOUNDING,
  pauses: [{ from: 40, to: 70 }],
};
const at = (frame: number): number => frame * 20;

test('words are shared out over the stretches of sound, and no pause is inside a word', () => {
  const words = alignWords('my last name is Turner', SOUNDING);
  assert.deepEqual(
    words.map(({ text }) => text),
    ['my', 'last', 'name', 'is', 'Turner'],
  );
  assert.ok(words.slice(0, 4).every(({ to }) => to <= 40));
  assert.ok((words[4]?.from ?? 0) >= 70 && (words[4]?.to ?? 0) <= 90);
  for (const [index, { from, to }] of words.entries()) {
    assert.ok(to > from);
    assert.ok(from >= (words[index - 1]?.to ?? 0));
  }
});

test('a breath before the first word gets none', () => {
  const words = alignWords('hello there everybody', [0, 1, ...range(40, 90)]);
  assert.ok(words.every(({ from }) => from >= 40));
});

test('frames sound where they are clearly louder than the line, up to the marked end', () => {
  const samples = new Int16Array(160 * 60).map((_, index) => {
    const frame = Math.floor(index / 160);
    const isLoud = (frame >= 10 && frame < 30) || frame >= 50;
    return (index % 2 === 0 ? 1 : -1) * (isLoud ? 4_000 : 60);
  });
  assert.deepEqual(soundingFrames(samples, 40), range(10, 30));
});

test('an agent that speaks after the last word has answered; before it, it has cut the turn', () => {
  const answered = judge(TURN, [at(90) + 450, at(90) + 470], at);
  assert.deepEqual([answered.gapMs, answered.wasCut], [450, false]);
  const silent = judge(TURN, [], at);
  assert.deepEqual([silent.gapMs, silent.wasCut], [null, false]);
  // It speaks in the pause, and 200 ms of the caller's next words long.
  const sounds = range(65, 81).map(at);
  const cut = judge(TURN, [...sounds, at(90) + 300], at);
  assert.deepEqual([cut.wasCut, cut.cutIn, cut.overMs], [true, { from: 40, to: 70 }, 200]);
  const stopped = judge(TURN, range(60, 66).map(at), at);
  assert.deepEqual([stopped.wasCut, stopped.overMs], [true, null]);
});

test('a stop-watch cuts the turns with a longer pause', () => {
  const without = { ...TURN, pauses: [] };
  assert.equal(stopWatchCut([TURN, without], 0.5), 0.5);
  assert.equal(stopWatchCut([TURN, without], 0.7), 0);
});

test('of a model alone the best pair of silences counts that is quick enough', () => {
  const judged = [
    { pauses: [{ lastsS: 0.9, likelihood: 0.1 }], end: 0.9 },
    { pauses: [{ lastsS: 0.7, likelihood: 0.02 }], end: 0.8 },
  ];
  const best = bestAlone(judged, 0.45);
  assert.deepEqual(best && { cut: best.cut, shortS: best.shortS }, { cut: 0, shortS: 0.3 });
  assert.equal(bestAlone(judged, 0.1), null);
});

test('words are unfinished where an English sentence goes on', () => {
  for (const text of ['I am going to', 'and my last name is', 'the', 'I would like'])
    assert.ok(isUnfinished(text), text);
  for (const text of ['send me a new one', 'to my checking account', '']) assert.ok(!isUnfinished(text), text);
});

test('word errors are the fewest changes; case, marks and the spelling of digits are none', () => {
  assert.deepEqual(wordErrors("it's three one eight", '[unclear] Its 318.'), { errors: 0, words: 4 });
  assert.deepEqual(wordErrors('uh please transfer me to the', 'Lace transfer made of them'), { errors: 4, words: 5 });
  assert.deepEqual(wordErrors('my account', ''), { errors: 2, words: 2 });
  assert.equal(errorShare([wordErrors('a b c', 'a b'), wordErrors('d', 'd')]), 0.25);
});

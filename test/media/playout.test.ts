import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { joinSamples } from '../../media/frame.ts';
import { Playout } from '../../media/playout.ts';

const FRAME = 160;
/** 80 samples (10 ms) per character. */
const speech = (text: string, value = 1000) => new Int16Array(text.length * 80).fill(value);

function pull(playout: Playout, frames = 1): Int16Array {
  const parts: Int16Array[] = [];
  for (let i = 0; i < frames; i++) {
    const out = new Int16Array(FRAME).fill(-1);
    playout.pull(out);
    parts.push(out);
  }
  return joinSamples(parts);
}

function say(playout: Playout, epoch: number, index: number, text: string): void {
  assert.ok(playout.queueClause({ epoch, index }, text));
  assert.ok(playout.appendAudio({ epoch, index }, speech(text), true));
}

test('nothing is sent before its epoch is open, then clauses in the order of their text', () => {
  const playout = new Playout(8000);
  playout.queueClause({ epoch: 1, index: 0 }, 'first');
  playout.queueClause({ epoch: 1, index: 1 }, 'second');
  playout.appendAudio({ epoch: 1, index: 1 }, speech('second', 2000), true);
  assert.ok(pull(playout).every((sample) => sample === 0));
  playout.open(1);
  // The second is already synthesised, but the first comes first.
  assert.ok(pull(playout).every((sample) => sample === 0));
  playout.appendAudio({ epoch: 1, index: 0 }, speech('first'), false);
  playout.appendAudio({ epoch: 1, index: 0 }, new Int16Array(0), true);
  const all = pull(playout, 7);
  assert.deepEqual([all[0], all[399], all[400], all[879], all[880]], [1000, 1000, 2000, 2000, 0]);
  assert.equal(playout.heard(1), 'first second');
  assert.ok(playout.drained(1));
});

test('the heard text is derived from the audio sent, cut at a word', () => {
  const text = 'We are open from nine to five on weekdays';
  for (let frames = 0; frames <= 22; frames++) {
    const playout = new Playout(8000);
    say(playout, 1, 0, text);
    say(playout, 1, 1, 'and closed on Sundays.');
    playout.open(1);
    pull(playout, frames);
    const heard = playout.heard(1);
    assert.ok(`${text} and closed on Sundays.`.startsWith(heard));
    // Two characters per frame; a partial word counts from two thirds of it.
    assert.ok(Math.abs(heard.length - Math.min(text.length, frames * 2)) <= 9, `${frames} frames: ${heard}`);
    assert.equal(playout.drained(1), false);
  }
});

test('an unfinished clause is cut by the usual pace of speech, not counted as said', () => {
  const playout = new Playout(8000);
  const text = 'a sentence of which only the beginning has been made so far';
  playout.queueClause({ epoch: 1, index: 0 }, text);
  playout.appendAudio({ epoch: 1, index: 0 }, new Int16Array(8000).fill(500), false);
  playout.open(1);
  pull(playout, 50);
  const heard = playout.heard(1);
  assert.ok(heard.length >= 8 && heard.length <= 20, heard);
  assert.equal(playout.drained(1), false);
});

test('pause is silent within 5 ms; in an even sound resume continues at the same sample', () => {
  const playout = new Playout(8000);
  playout.queueClause({ epoch: 1, index: 0 }, 'ramp');
  const ramp = Int16Array.from({ length: 1600 }, (_, i) => 2_000 + i);
  playout.appendAudio({ epoch: 1, index: 0 }, ramp, true);
  playout.open(1);
  pull(playout, 3);
  playout.pause();
  const paused = pull(playout, 5);
  assert.ok(paused.subarray(40).every((sample) => sample === 0));
  assert.ok(Math.abs(paused[0] as number) <= 2_480 && (paused[39] as number) < 80);
  playout.resume();
  const resumed = pull(playout, 7);
  // 5 ms of fade-in, then exactly what comes after sample 480.
  assert.ok((resumed[0] as number) < 80);
  assert.deepEqual(resumed.subarray(40), ramp.subarray(520, 1600));
  assert.ok(playout.drained(1));
});

/** Words of 400 ms, numbered by their level, each after a gap of 40 ms. */
const numberedWords = (count: number): Int16Array =>
  Int16Array.from({ length: count * 3_520 }, (_, n) => (n % 3_520 < 320 ? 0 : 1_000 * (1 + Math.floor(n / 3_520))));

const levelsOf = (samples: Int16Array): number[] => [...new Set(samples)].filter((level) => level % 1_000 === 0);

test('a word that a pause has broken off is said again from its beginning: none is lost, one is repeated', () => {
  for (const pieces of [1, 11]) {
    const playout = new Playout(8_000);
    const clause = { epoch: 1, index: 0 };
    playout.queueClause(clause, 'one two three four five');
    const words = numberedWords(5);
    const size = words.length / pieces;
    for (let piece = 0; piece < pieces; piece++) {
      playout.appendAudio(clause, words.slice(piece * size, (piece + 1) * size), piece === pieces - 1);
    }
    playout.open(1);
    // 600 ms: in the middle of the second word.
    const before = pull(playout, 30);
    playout.pause();
    const paused = pull(playout, 10);
    assert.ok(paused.subarray(40).every((sample) => sample === 0));
    playout.resume();
    const after = pull(playout, 100);
    assert.deepEqual(levelsOf(before), [0, 1_000, 2_000]);
    assert.deepEqual(levelsOf(after), [2_000, 0, 3_000, 4_000, 5_000].toSorted(byFirst(after)));
    assert.equal(after.filter((sample) => sample === 2_000).length, 3_200 - 40, 'the whole word, but for its fade-in');
    assert.ok(playout.drained(1));
    assert.equal(playout.heard(1), 'one two three four five');
  }
});

const byFirst = (samples: Int16Array) => (a: number, b: number) => samples.indexOf(a) - samples.indexOf(b);

test('a pause waits for a gap that is near, and goes on there', () => {
  const playout = new Playout(8_000);
  playout.queueClause({ epoch: 1, index: 0 }, 'one two');
  playout.appendAudio({ epoch: 1, index: 0 }, numberedWords(2), true);
  playout.open(1);
  // 400 ms: the first word ends in 40 ms.
  pull(playout, 20);
  playout.pause();
  assert.equal(pull(playout, 10).filter((sample) => sample === 1_000).length, 320);
  playout.resume();
  assert.deepEqual(levelsOf(pull(playout, 30)), [0, 2_000]);
});

test('after a flush only a 5 ms fade of the old reply is sent; the next one is complete', () => {
  const playout = new Playout(8000);
  say(playout, 1, 0, 'the old reply that goes on for a while');
  playout.queueClause({ epoch: 1, index: 1 }, 'more');
  say(playout, 2, 0, 'new');
  playout.open(1);
  pull(playout, 4);
  playout.flush(1);
  assert.equal(playout.appendAudio({ epoch: 1, index: 1 }, speech('more'), true), false);
  const after = pull(playout, 3);
  assert.ok(after.subarray(40).every((sample) => sample === 0));
  playout.open(2);
  const next = pull(playout, 2);
  assert.ok(next.subarray(0, 240).every((sample) => sample === 1000));
  assert.equal(playout.heard(1), '');
  assert.equal(playout.heard(2), 'new');
});

test('a flush during a pause has no fade: the old reply stays silent', () => {
  const playout = new Playout(8000);
  say(playout, 1, 0, 'something to interrupt');
  playout.open(1);
  pull(playout, 2);
  playout.pause();
  pull(playout, 1);
  playout.flush(1);
  assert.ok(pull(playout, 3).every((sample) => sample === 0));
  // The pause went with the reply.
  say(playout, 2, 0, 'next');
  playout.open(2);
  assert.ok(pull(playout).some((sample) => sample !== 0));
});

test('a clause without sound counts as not said, and does not hold up the rest', () => {
  const playout = new Playout(8000);
  playout.queueClause({ epoch: 1, index: 0 }, 'mute');
  say(playout, 1, 1, 'loud');
  playout.open(1);
  playout.failClause({ epoch: 1, index: 0 });
  assert.equal(pull(playout)[0], 1000);
  pull(playout, 3);
  assert.equal(playout.heard(1), 'loud');
  assert.ok(playout.drained(1));
});

test('the queue is bounded in clauses and in audio', () => {
  const playout = new Playout(8000);
  playout.queueClause({ epoch: 1, index: 0 }, 'endless');
  let taken = 0;
  while (playout.appendAudio({ epoch: 1, index: 0 }, new Int16Array(80_000), false)) taken++;
  assert.equal(taken, 12);
  let clauses = 1;
  while (playout.queueClause({ epoch: 1, index: clauses }, 'x')) clauses++;
  assert.equal(clauses, 256);
  playout.flush(1);
  assert.ok(playout.queueClause({ epoch: 2, index: 0 }, 'again'));
  assert.ok(playout.appendAudio({ epoch: 2, index: 0 }, new Int16Array(80_000), true));
});

test('random storms: each sample is sent once, in order, and only of the open epoch', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = seededRandom(seed);
    const playout = new Playout(8000);
    let epoch = 1;
    let index = 0;
    playout.open(epoch);
    for (let turn = 0; turn < 400; turn++) {
      const dice = random();
      if (dice < 0.2) playout.queueClause({ epoch, index: index++ }, 'word '.repeat(1 + Math.floor(random() * 9)));
      else if (dice < 0.5) {
        const key = { epoch, index: Math.floor(random() * (index + 1)) };
        playout.appendAudio(key, new Int16Array(Math.floor(random() * 900)).fill(epoch), random() < 0.5);
      } else if (dice < 0.55) playout.pause();
      else if (dice < 0.62) playout.resume();
      else if (dice < 0.65) {
        playout.flush(epoch);
        pull(playout);
        playout.open(++epoch);
        index = 0;
      } else {
        const out = new Int16Array(FRAME);
        const spoken = playout.pull(out);
        assert.ok(spoken >= 0 && spoken <= FRAME);
        assert.ok(out.every((sample) => sample >= 0 && sample <= epoch));
      }
    }
  }
});

test('of a clause whose speech fails on the way, only what was sent was heard', () => {
  const playout = new Playout(8_000);
  const text = 'We are open from Monday to Friday, from nine in the morning until six in the evening.';
  playout.queueClause({ epoch: 1, index: 0 }, text);
  playout.open(1);
  playout.appendAudio({ epoch: 1, index: 0 }, new Int16Array(8_000), false);
  playout.failClause({ epoch: 1, index: 0 });
  for (let frame = 0; frame < 60; frame++) playout.pull(new Int16Array(160));
  assert.ok(playout.drained(1), 'nothing more will come');
  assert.equal(playout.heard(1), 'We are open from');
});

test('a clause that fails before its first sound was not heard', () => {
  const playout = new Playout(8_000);
  playout.queueClause({ epoch: 1, index: 0 }, 'Good morning.');
  playout.open(1);
  playout.failClause({ epoch: 1, index: 0 });
  assert.equal(playout.heard(1), '');
});

test('what was heard follows the synthesiser’s own times where it gives them', () => {
  const playout = new Playout(8_000);
  const clause = { epoch: 1, index: 0 };
  playout.queueClause(clause, 'Well, that is a very long pause.');
  playout.placeWords(clause, [
    { endChar: 5, endMs: 300 },
    { endChar: 10, endMs: 1_600 },
  ]);
  playout.placeWords(clause, [{ endChar: 13, endMs: 1_800 }]);
  playout.appendAudio(clause, new Int16Array(8_000 * 4), true);
  playout.open(1);
  pull(playout, 12);
  assert.equal(playout.heard(1), 'Well,');
  pull(playout, 60);
  assert.equal(playout.heard(1), 'Well,', 'a pause of the voice is no word');
  pull(playout, 20);
  assert.equal(playout.heard(1), 'Well, that is');
});

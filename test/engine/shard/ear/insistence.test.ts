// When a voice sounds as if it wanted the floor, by level, length and sharpness of its windows of 32 ms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Insistence } from '../../../../engine/shard/ear/insistence.ts';

const WINDOW_MS = 32;

/** Plays windows from `atMs` on; `db` in dBFS. Returns for how long the voice has pressed, window by window. */
function play(insistence: Insistence, atMs: number, windows: ReadonlyArray<{ db: number; sharp?: number }>): number[] {
  insistence.begin(atMs);
  const pressed = windows.map(({ db, sharp = 0.05 }) => {
    insistence.voiced({ power: 10 ** (db / 10), sharpness: sharp }, WINDOW_MS);
    return insistence.pressMs;
  });
  insistence.end(atMs + windows.length * WINDOW_MS);
  return pressed;
}

const voice = (count: number, db = -20, sharp = 0.05) => Array.from({ length: count }, () => ({ db, sharp }));

test('a steady voice presses for as long as it lasts', () => {
  assert.deepEqual(play(new Insistence(), 0, voice(10)).at(-1), 320);
});

test('a voice that dies away does not press', () => {
  const pressed = play(new Insistence(), 0, [...voice(8), { db: -32 }, { db: -34 }]);
  assert.equal(pressed.at(-1), 0);
});

test('the short pause after "sorry," does not begin it anew, a longer one does', () => {
  const close = new Insistence();
  play(close, 0, voice(8));
  assert.equal(play(close, 400, voice(2)).at(-1), 320);
  const far = new Insistence();
  play(far, 0, voice(8));
  assert.equal(play(far, 600, voice(2)).at(-1), 64);
});

test('a hum through closed lips has to last', () => {
  assert.equal(play(new Insistence(), 0, voice(14, -20, 0.008)).at(-1), 0);
  assert.equal(play(new Insistence(), 0, voice(20, -20, 0.008)).at(-1), 640);
  const hums = (count: number, sharp: number): boolean => {
    const insistence = new Insistence();
    play(insistence, 0, voice(count, -20, sharp));
    return insistence.hums;
  };
  assert.deepEqual([hums(14, 0.008), hums(20, 0.008), hums(8, 0.02)], [true, false, false]);
});

test('after an "I see" only what is longer, louder or sharper presses', () => {
  const known = (): Insistence => {
    const insistence = new Insistence();
    play(insistence, 0, voice(12));
    insistence.encouraged(40);
    return insistence;
  };
  assert.equal(play(known(), 2_000, voice(12)).at(-1), 0, 'the same again');
  assert.equal(play(known(), 2_000, voice(15)).at(-1), 480, 'longer');
  assert.equal(play(known(), 2_000, voice(12, -16)).at(-1), 384, 'louder');
  assert.equal(play(known(), 2_000, voice(12, -20, 0.2)).at(-1), 384, 'sharper');
});

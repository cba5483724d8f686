// Whether a voice is as near as the caller whose level is known.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallerLevel } from '../../../../engine/shard/ear/caller-level.ts';

const power = (dbfs: number): number => 10 ** (dbfs / 10);

function burst(level: CallerLevel, startedAtMs: number, dbfs: number, windows = 20): void {
  for (let n = 0; n < 10; n++) level.window(power(-80), false);
  for (let n = 0; n < windows; n++) {
    const { faint } = level.window(power(dbfs), true);
    if (n === 0) level.begin(startedAtMs);
    level.voiced(power(dbfs), faint);
  }
}

test('nothing at the level of a phone is near or far before the caller was understood', () => {
  const level = new CallerLevel();
  burst(level, 0, -22);
  assert.equal(level.distance, 'likely');
  level.taken({ understood: true, startedAtMs: 0 });
  assert.equal(level.distance, 'near');
});

test('a voice well under the caller is far on the whole, though single sounds of it are loud', () => {
  const level = new CallerLevel();
  burst(level, 0, -22);
  level.taken({ understood: true, startedAtMs: 0 });
  burst(level, 1_000, -37, 16);
  assert.equal(level.distance, 'far');
  level.window(power(-26), true);
  assert.equal(level.distance, 'far');
  burst(level, 3_000, -25);
  assert.equal(level.distance, 'near');
});

test('the first sounds of a burst say nothing yet', () => {
  const level = new CallerLevel();
  burst(level, 0, -22);
  level.taken({ understood: true, startedAtMs: 0 });
  burst(level, 1_000, -37, 3);
  assert.equal(level.distance, 'unknown');
});

test('before the caller was understood, what is softer than people on a phone is far, and so is what is softer than their turns', () => {
  const level = new CallerLevel();
  burst(level, 0, -36);
  assert.equal(level.distance, 'far');
  burst(level, 1_000, -33);
  assert.equal(level.distance, 'unknown');
  burst(level, 2_000, -20);
  assert.equal(level.distance, 'likely', 'as loud as people are on a telephone');
  level.taken({ understood: false, startedAtMs: 2_000 });
  burst(level, 4_000, -33);
  assert.equal(level.distance, 'far');
  burst(level, 5_000, -27);
  assert.equal(level.distance, 'unknown');
  burst(level, 6_000, -22);
  assert.equal(level.distance, 'likely', 'as loud as the caller who was not understood');
});

test('a soft caller is near from the first turn that was understood', () => {
  const level = new CallerLevel();
  burst(level, 0, -40);
  level.taken({ understood: true, startedAtMs: 0 });
  burst(level, 2_000, -40);
  assert.equal(level.distance, 'near');
});

test('a loud sound in the middle of a voice from across the room is of that voice; the caller over it is near soon', () => {
  const level = new CallerLevel();
  burst(level, 0, -22);
  level.taken({ understood: true, startedAtMs: 0 });
  burst(level, 1_000, -37);
  level.begin(1_700);
  level.window(power(-29), true);
  assert.equal(level.distance, 'far');
  for (let n = 0; n < 5; n++) level.window(power(-22), true);
  assert.equal(level.distance, 'near');
});

test('a radio before and behind the words of a turn does not lower the level of its speaker', () => {
  const level = new CallerLevel();
  level.begin(0);
  for (const dbfs of [...new Array(60).fill(-42), ...new Array(20).fill(-22), ...new Array(60).fill(-42)]) {
    level.window(power(dbfs), true);
    level.voiced(power(dbfs), false);
  }
  level.taken({ understood: true, startedAtMs: 0 });
  assert.ok(Math.abs((level.levelDbfs ?? 0) + 22) < 1, `${level.levelDbfs}`);
});

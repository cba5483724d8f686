import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Sample, watchRoom, yieldedMs } from './idle.ts';

test('there is room where less than a half was used since the last answer', () => {
  let now: Sample = { atMs: 0, idleMs: 5_000, totalMs: 90_000 };
  const hasRoom = watchRoom(() => now);
  /** Two cores, used to that share for that long. */
  const pass = (ms: number, busy: number): boolean => {
    now = { atMs: now.atMs + ms, idleMs: now.idleMs + 2 * ms * (1 - busy), totalMs: now.totalMs + 2 * ms };
    return hasRoom();
  };
  assert.equal(pass(3_000, 0.45), true);
  assert.equal(pass(1_000, 0), false, 'the last answer was just now');
  assert.equal(pass(2_000, 0.7), true, 'counted from the last answer, not from the last question');
  assert.equal(pass(3_000, 0.55), false);
  assert.equal(pass(3_000, 0.1), true);
});

test('the time of a process counts as idle if it runs only where no other would, whatever its name', () => {
  const stat = (policy: number) =>
    `4711 (a) b) R 1 4711 4711 0 -1 4194304 900 0 0 0 120 30 7 8 39 19 4 0 900 1 2 ${'0 '.repeat(13)}17 1 0 ${policy} 0 0 0`;
  assert.equal(yieldedMs(stat(5)), 1_650);
  assert.equal(yieldedMs(stat(0)), 0);
});

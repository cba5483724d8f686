import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../bench/rig/clock.ts';
import { systemClock } from '../../engine/clock.ts';

test('a delay over 24.8 days does not fire at once', async () => {
  let fired = false;
  const cancel = systemClock.after(2 ** 31 + 1_000, () => {
    fired = true;
  });
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  await new Promise((resolve) => systemClock.after(5, () => resolve(null)));
  cancel();
  assert.equal(fired, false);
});

test('a step of the wall clock makes nothing due and leaves the monotonic clock alone', () => {
  const clock = new VirtualClock(1_000);
  let fired = 0;
  clock.after(50, () => fired++);
  clock.stepWall(86_400_000);
  assert.deepEqual([clock.nowMs(), clock.monotonicMs(), fired], [86_401_000, 1_000, 0]);
  clock.advance(50);
  assert.equal(fired, 1);
});

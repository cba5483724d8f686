// The places of tests by voice: two never begin on one that is free, and none begins on what is kept for callers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { TestPlaces } from '../../../engine/test-runs/test-places.ts';

const { signal } = new AbortController();

/** Second by second, as waits begin anew. */
async function pass(clock: VirtualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('two tests that wait for one free place begin one after the other', async () => {
  const clock = new VirtualClock();
  let room = 0;
  const places = new TestPlaces({ room: () => room }, clock);
  const begun: string[] = [];
  const begin = async (name: string) => {
    const release = await places.take(signal);
    begun.push(name);
    return release;
  };
  const first = begin('first');
  const second = begin('second');
  await pass(clock, 1);
  assert.deepEqual(begun, []);
  room = 1;
  await pass(clock, 3);
  assert.deepEqual(begun, ['first']);
  (await first)?.();
  await pass(clock, 1);
  assert.deepEqual(begun, ['first', 'second']);
  (await second)?.();
});

test('a test that is stopped takes no place', async () => {
  const clock = new VirtualClock();
  const stopped = new AbortController();
  const places = new TestPlaces({ room: () => 0 }, clock);
  const taken = places.take(stopped.signal);
  stopped.abort();
  await pass(clock, 1);
  assert.equal(await taken, null);
});

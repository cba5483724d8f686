// A call's description that lay on the disk for a while, as another process reads it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedClockMs } from '../../../../db/shared/process/shared-clock.ts';
import { type Continuation, callInfo, timersOf } from '../../../../engine/call/going-on/continuation.ts';

const NOW = 1_000_000;

const described = (agoMs: number): Continuation =>
  ({
    writtenAtMs: 0,
    writtenAtSharedMs: sharedClockMs() - agoMs,
    timers: { limit: 60_000, 'limit-warning': 20_000, ring: 1_000 },
    state: { life: { timers: { limit: 7, 'limit-warning': 8 } } },
  }) as unknown as Continuation;

const within = (leftMs: number, wanted: number): boolean => leftMs <= wanted && leftMs > wanted - 1_000;

test('a timer has run on since its call was described, and one that is over fires at once', () => {
  const [limit, warning, ...others] = timersOf(described(30_000), NOW);
  assert.deepEqual([limit?.timer, limit?.serial, warning?.timer, warning?.leftMs], ['limit', 7, 'limit-warning', 0]);
  assert.ok(within(limit?.leftMs ?? 0, 30_000));
  assert.deepEqual(others, [], 'the machine waits for no other one');
});

test('a description that seems to come from the future is as old as now', () => {
  const [limit] = timersOf(described(-1e12), NOW);
  assert.equal(limit?.leftMs, 60_000);
});

test('of an earlier release, which knew the wall clock only, the age is told by that', () => {
  const { writtenAtSharedMs: _, ...earlier } = { ...described(0), writtenAtMs: NOW - 45_000 };
  assert.equal(timersOf(earlier, NOW)[0]?.leftMs, 15_000);
});

test('what a look-up has said of a call goes on with it, and no other column of its row does', () => {
  const call = { id: 'call_1', variables: '{}', instructions: 'Speak slowly.', status: 'RINGING' };
  const info = callInfo(call as unknown as Parameters<typeof callInfo>[0]);
  assert.equal(info.instructions, 'Speak slowly.');
  assert.ok(!('status' in info));
});

// A call's timers change hands: another process arms what is left of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { CallTimers } from '../../../engine/call/timers.ts';

function timersOn(clock: VirtualClock) {
  const fired: string[] = [];
  return { fired, timers: new CallTimers(clock, (timer, serial) => fired.push(`${timer} ${serial}`)) };
}

test('left, none fires any more, and another process fires each at its time with its serial', () => {
  const clock = new VirtualClock(0);
  const old = timersOn(clock);
  old.timers.arm('limit', 7, 60_000);
  old.timers.arm('limit-warning', 6, 30_000);
  clock.advance(10_000);
  old.timers.leave();
  // It is described a moment later.
  clock.advance(50);
  const { left } = old.timers;
  assert.deepEqual(left, { limit: 50_000, 'limit-warning': 20_000 });
  const next = timersOn(clock);
  next.timers.goOn([{ timer: 'limit', serial: 7, leftMs: left.limit ?? 0 }]);
  clock.advance(50_000);
  assert.deepEqual([old.fired, next.fired], [[], ['limit 7']]);
});

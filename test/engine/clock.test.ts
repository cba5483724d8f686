import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { VirtualClock } from '../../bench/rig/clock.ts';
import { arrivalsFirst, systemClock } from '../../engine/clock.ts';

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

for (const [name, clock, expected] of [
  ['a timer that is late fires before the process hears what has arrived', systemClock, 0],
  ['of a clock that hears arrivals first it fires after that', arrivalsFirst(systemClock), 1],
] as const) {
  test(name, async (t) => {
    const socket = createSocket('udp4');
    t.after(() => socket.close());
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    let heard = 0;
    socket.on('message', () => heard++);
    // After this the event loop's next phase is that of timers.
    await new Promise((resolve) => setImmediate(resolve));
    const heardBefore = new Promise<number>((resolve) => clock.after(1, () => resolve(heard)));
    const stop = clock.after(1, assert.fail);
    socket.send('x', socket.address().port, '127.0.0.1');
    // The packet leaves in the next tick.
    await new Promise<void>((resolve) => process.nextTick(() => process.nextTick(resolve)));
    const until = performance.now() + 20;
    while (performance.now() < until);
    stop();
    assert.equal(await heardBefore, expected);
  });
}

test('a timer that is stopped while it waits for arrivals does not fire', async () => {
  const late = new VirtualClock(0);
  const stop = arrivalsFirst(late).after(5, assert.fail);
  late.advance(5);
  stop();
  await new Promise((resolve) => setImmediate(resolve));
});

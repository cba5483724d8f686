import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mutex } from '../../db/sqlite/lock-wait.ts';

const busyFor = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('holders that work for long leave the event loop its turns, and keep their order', async () => {
  const mutex = new Mutex();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      await mutex.lock();
      // As a transaction does, whose statements are synchronous.
      for (let statement = 0; statement < 4; statement++) {
        busyFor(0.5);
        await null;
      }
      order.push(n);
      mutex.unlock();
    }),
  );
  isOver = true;
  assert.deepEqual(
    order,
    Array.from({ length: 40 }, (_, n) => n),
  );
  // 80 ms of work.
  assert.ok(turns >= 10, `${turns} turns`);
  assert.equal(mutex.locked, false);
});

test('short holders follow each other in one turn', async () => {
  const mutex = new Mutex();
  let isNextTurn = false;
  await mutex.lock();
  const second = mutex.lock().then(() => isNextTurn);
  setImmediate(() => {
    isNextTurn = true;
  });
  mutex.unlock();
  assert.equal(await second, false);
});

// A thread that all accounts share serves them in turn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from '../../db/shared/fair-queue.ts';

const filled = (items: string): FairQueue<string> => {
  const queue = new FairQueue<string>();
  for (const item of items.split(' ')) queue.add(item[0] ?? '', item);
  return queue;
};
const all = (queue: FairQueue<string>): string[] => {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
};

test('accounts are served in turn, each in its own order', () => {
  assert.deepEqual(all(filled('a1 a2 a3 a4 b1 c1 c2')), ['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
});

test('one that comes later waits for one item of each at most', () => {
  const queue = filled('a1 a2 a3 a4');
  assert.equal(queue.take(), 'a1');
  queue.add('z', 'z1');
  assert.deepEqual(all(queue), ['a2', 'z1', 'a3', 'a4']);
});

test('a full line loses the newest of whoever brought most', () => {
  const queue = filled('b1 a1 a2 a3 b2');
  assert.equal(queue.evict(), 'a3');
  assert.deepEqual([queue.size, queue.sizeOf('a'), queue.sizeOf('b'), queue.sizeOf('z')], [4, 2, 2, 0]);
  assert.deepEqual(queue.clear().sort(), ['a1', 'a2', 'b1', 'b2']);
  assert.deepEqual([queue.size, queue.evict(), queue.take()], [0, undefined, undefined]);
});

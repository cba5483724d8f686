// Bytes that an account may cause in a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget } from '../../../api/plugins/byte-budget.ts';

test('an account waits for the end of its window once it has spent its bytes, and others do not', () => {
  let now = 1_000_000;
  const budget = new ByteBudget({ bytes: 100, windowMs: 60_000, now: () => now });
  budget.spend('a', 99);
  assert.equal(budget.waitSeconds('a'), 0);
  now += 10_000;
  budget.spend('a', 500);
  assert.deepEqual([budget.waitSeconds('a'), budget.waitSeconds('b')], [50, 0]);
  now += 49_999;
  assert.equal(budget.waitSeconds('a'), 1);
  now += 1;
  assert.equal(budget.waitSeconds('a'), 0);
});

test('a clock that was set back frees an account', () => {
  let now = 1_000_000;
  const budget = new ByteBudget({ bytes: 1, windowMs: 60_000, now: () => now });
  budget.spend('a', 1);
  now -= 600_000;
  assert.equal(budget.waitSeconds('a'), 0);
});

test('ten thousand accounts are remembered, the oldest is forgotten', () => {
  const budget = new ByteBudget({ bytes: 1, windowMs: 60_000, now: () => 0 });
  for (let n = 0; n <= 10_000; n++) budget.spend(`a${n}`, 1);
  assert.equal(budget.waitSeconds('a10000'), 60);
  assert.equal(budget.waitSeconds('a0'), 0);
});

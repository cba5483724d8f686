import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planThreads } from '../../../engine/load/sizing.ts';

test('threads follow the calls that there may be and the cores; two shards at least', () => {
  assert.deepEqual(planThreads(1, 12), { shards: 2, vadWorkers: 1 });
  assert.deepEqual(planThreads(2, 200), { shards: 2, vadWorkers: 1 });
  assert.deepEqual(planThreads(8, 800), { shards: 4, vadWorkers: 2 });
  assert.deepEqual(planThreads(32, 1_000), { shards: 5, vadWorkers: 3 });
  // Somebody who promises more than the machine has.
  assert.deepEqual(planThreads(2, 4_000), { shards: 2, vadWorkers: 1 });
});

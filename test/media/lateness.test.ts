import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lateness } from '../../media/lateness.ts';

test('what exceeds the limit is counted since the last reading', () => {
  const lateness = new Lateness(5);
  assert.deepEqual(lateness.take(), { count: 0, late: 0 });
  for (const ms of [-1, 0, 5, 5.1, 900]) lateness.note(ms);
  lateness.noteMissed(3);
  assert.deepEqual(lateness.take(), { count: 8, late: 5 });
  assert.deepEqual(lateness.take(), { count: 0, late: 0 });
});

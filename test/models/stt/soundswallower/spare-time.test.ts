// Better results are left out where they would come too late.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpareTime } from '../../../../models/stt/soundswallower/spare-time.ts';

test('work that took too long is left out for five seconds, and tried again then', () => {
  const time = new SpareTime();
  assert.ok(time.has(0));
  time.spent(0, 150);
  assert.ok(time.has(150));
  time.spent(1_000, 1_600);
  assert.ok(!time.has(1_600));
  assert.ok(!time.has(6_599));
  assert.ok(time.has(6_600));
});

// Requests that must not be done twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttemptKey } from '../../api/dashboard/app/attempt-key.ts';

test('the same body keeps its key until it is refused', () => {
  const attempt = new AttemptKey();
  const first = attempt.keyFor({ toNumber: '+1' });
  assert.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  attempt.failed(0);
  attempt.failed(503);
  assert.equal(attempt.keyFor({ toNumber: '+1' }), first);
  const other = attempt.keyFor({ toNumber: '+2' });
  assert.notEqual(other, first);
  attempt.failed(409);
  assert.notEqual(attempt.keyFor({ toNumber: '+2' }), other);
});

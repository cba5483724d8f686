import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newIdempotencyKey } from '../../api/dashboard/app/idempotency.ts';

test('a key is a UUID of version 4, and another one each time', () => {
  const keys = Array.from({ length: 50 }, newIdempotencyKey);
  for (const key of keys) assert.match(key, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.equal(new Set(keys).size, keys.length);
});

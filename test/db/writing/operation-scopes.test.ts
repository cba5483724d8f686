// PostgreSQL runs the writes of a running call beside each other's: none of them is alone against all writers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOf } from '../../../db/writing/operation-scopes.ts';

test('a whisper or a take-over holds up no other call', () => {
  const entry = { accountId: 'acc_1', businessId: 'biz_1', callId: 'call_1', actor: 'usr_1', control: 'whisper' };
  assert.deepEqual(scopeOf('auditControl', { ...entry, nowMs: 0 }), { calls: ['call_1'] });
});

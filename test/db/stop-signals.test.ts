// Signals that ask a process to stop, as service managers send them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StopSignals } from '../../db/shared/process/stop-signals.ts';

test('signals within a second of the first are one; a later one is the second, however often it is repeated', () => {
  let nowMs = 50;
  const signals = new StopSignals(() => nowMs);
  const received = [0, 5, 990, 10, 400, 2_000].map((passedMs) => {
    nowMs += passedMs;
    return signals.receive();
  });
  assert.deepEqual(received, [1, null, null, 2, null, 3]);
});

// One call of two hours in virtual time: nothing of it grows but its transcript, and its limit still ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CallStage } from '../engine/call/stage.ts';

const HOUR_MS = 3_600_000;
/** By then everything that a call makes once is made. */
const WARM_TURN = 100;
/** Alone 0.3 MB; files that share the process may keep something meanwhile. */
const MAX_GROWN_BYTES = 5_000_000;

// Without a collection the heap says what was made, not what is kept.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function keptBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('a call of two hours: timers, requests to the model and memory stay small, the limit ends it', async () => {
  const stage = await new CallStage({
    business: { maxCallDurationMinutes: 120 },
    model: () => [{ type: 'text', text: 'We open at nine and close at six.' }],
  }).start(5_000);
  let warmBytes = 0;
  let mostTimers = 0;
  for (let turn = 0; stage.ended.length === 0; turn++) {
    assert.ok(turn < 800, 'the limit ends the call');
    await stage.says(`and what about day ${turn}`);
    stage.clock.advance(9_980);
    await stage.run(20);
    mostTimers = Math.max(mostTimers, stage.clock.pending);
    // The stage's own lists are not the call's memory.
    stage.requests.splice(0, stage.requests.length - 1);
    stage.writes.splice(0, stage.writes.length - 10);
    if (turn === WARM_TURN) warmBytes = keptBytes();
  }
  await stage.run(3_000);
  const [end] = stage.of('endCall');
  assert.equal(end?.endReason, 'max_duration');
  assert.ok(Math.abs((stage.ended[0]?.durationMs ?? 0) - 2 * HOUR_MS) < 1_000);
  assert.ok((stage.requests.at(-1)?.messages.length ?? 0) <= 161, 'the model is given the latest part of a long call');
  assert.ok(mostTimers <= 8, `${mostTimers} timers at a time`);
  assert.equal(stage.clock.pending, 0);
  const grownBytes = keptBytes() - warmBytes;
  assert.ok(grownBytes < MAX_GROWN_BYTES, `${grownBytes} bytes more since turn ${WARM_TURN}`);
});

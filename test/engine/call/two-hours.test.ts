// One call of two hours in virtual time: nothing of it grows but its transcript, and its limit still ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallStage } from './stage.ts';

const HOUR_MS = 3_600_000;

test('a call of two hours: timers, requests to the model and memory stay small, the limit ends it', async () => {
  const stage = await new CallStage({
    business: { maxCallDurationMinutes: 120 },
    model: () => [{ type: 'text', text: 'We open at nine and close at six.' }],
  }).start();
  await stage.run(5_000);
  const heap: number[] = [];
  let mostTimers = 0;
  for (let turn = 0; stage.ended.length === 0; turn++) {
    assert.ok(turn < 800, 'the limit ends the call');
    await stage.says(`and what about day ${turn}`);
    stage.clock.advance(9_980);
    await stage.run(20);
    mostTimers = Math.max(mostTimers, stage.clock.pending);
    // What the stage itself keeps is not the call's.
    stage.requests.splice(0, stage.requests.length - 1);
    stage.writes.splice(0, stage.writes.length - 10);
    if (turn % 100 === 0) {
      globalThis.gc?.();
      heap.push(process.memoryUsage().heapUsed);
    }
  }
  await stage.run(3_000);
  const [end] = stage.of('endCall');
  assert.equal(end?.endReason, 'max_duration');
  assert.ok(Math.abs((stage.ended[0]?.durationMs ?? 0) - 2 * HOUR_MS) < 1_000);
  assert.ok((stage.requests.at(-1)?.messages.length ?? 0) <= 161, 'the model is given the latest part of a long call');
  assert.ok(mostTimers <= 8, `${mostTimers} timers at a time`);
  assert.equal(stage.clock.pending, 0);
  const [, first = 0] = heap;
  assert.ok((heap.at(-1) ?? 0) - first < 20_000_000, `heap at every hundredth turn: ${heap.join(', ')}`);
});

// The state of admission as the API is told it, so that it answers 503 before there is a call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { createLoad } from '../../../engine/load/load.ts';

function setUp(refusesWhenLate: boolean) {
  const clock = new VirtualClock();
  const line = { delayMs: 0 };
  const load = createLoad({
    maxCalls: 40,
    mediaCalls: 4,
    refusesWhenLate,
    sttBacklogMs: () => 0,
    takeDelayMs: () => line.delayMs,
    takeAudioShare: () => 0,
    clock,
    log: { warn: () => undefined, info: () => undefined },
  });
  load.start();
  for (let second = 0; second < 60 && load.admission.active < 20; second++) {
    while (load.admission.active < 20 && load.admission.admit('inbound'));
    clock.advance(1_000);
  }
  return { clock, line, load };
}

test('admission is closed while the engine is late, and open again once it is in time', () => {
  const { clock, line, load } = setUp(true);
  assert.deepEqual([load.admission.active, load.isClosed], [20, false]);
  line.delayMs = 2_000;
  clock.advance(10_000);
  assert.deepEqual([load.isClosed, load.admission.admit('api')], [true, false]);
  line.delayMs = 0;
  clock.advance(60_000);
  assert.deepEqual([load.isClosed, load.admission.admit('api')], [false, true]);
});

test('where a late engine is to take calls all the same, admission is never closed', () => {
  const { clock, line, load } = setUp(false);
  line.delayMs = 2_000;
  clock.advance(10_000);
  assert.deepEqual([load.isClosed, load.admission.admit('api')], [false, true]);
});

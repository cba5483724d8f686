import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmission } from '../../../engine/load/admission.ts';
import { type LatenessSample, Overload } from '../../../engine/load/overload.ts';

/** Half a second of 100 calls, of which so many packets and windows were late. */
const half = (lateSends: number, lateWindows = 0): LatenessSample => ({
  sends: { count: 2_500, late: lateSends },
  windows: { count: 1_500, late: lateWindows },
});

/** An engine with 100 calls, half a second a step. */
function setUp(maxCalls = 200) {
  let nowMs = 0;
  const line = { backlogMs: 0, delayMs: 0, audioShare: 0, calls: 100 };
  const said: string[] = [];
  const overload = new Overload({
    maxCalls: () => maxCalls,
    mediaCalls: 200,
    sttBacklogMs: () => line.backlogMs,
    takeDelayMs: () => line.delayMs,
    takeAudioShare: () => line.audioShare,
    nowMs: () => nowMs,
    log: { warn: () => said.push('closed'), info: () => said.push('open') } as never,
  });
  const step = (...samples: LatenessSample[]): boolean => {
    nowMs += 500;
    for (const [index, sample] of samples.entries()) overload.sample(index, sample);
    overload.judge(line.calls);
    return overload.isLate;
  };
  for (let n = 0; n < 10; n++) step(half(0), half(0));
  return { line, said, overload, step };
}

test('late packets and late judgements on voice each refuse new calls once they last, of any shard', () => {
  for (const late of [half(400), half(0, 200)]) {
    const { step } = setUp();
    for (let n = 0; n < 4; n++) assert.equal(step(half(0), late), false);
    assert.equal(step(half(0), late), true);
  }
});

test('audio that waits for the recogniser refuses new calls once it has waited for two seconds', () => {
  const { line, step } = setUp();
  line.backlogMs = 301;
  for (let n = 0; n < 3; n++) assert.equal(step(half(0)), false);
  assert.equal(step(half(0)), true);
});

test('a thread that leads the calls and waits for a core refuses new calls once that lasts', () => {
  const { line, step } = setUp();
  line.delayMs = 101;
  for (let n = 0; n < 4; n++) assert.equal(step(half(0)), false);
  assert.equal(step(half(0)), true);
});

test('audio that takes nearly all the time of the cores refuses new calls before anything is late', () => {
  const { line, step } = setUp();
  line.audioShare = 0.81;
  for (let n = 0; n < 4; n++) assert.equal(step(half(0)), false);
  assert.equal(step(half(0)), true);
});

test('at the limits calls are taken, and stalls change nothing, however long', () => {
  const { line, said, step } = setUp();
  line.backlogMs = 300;
  line.delayMs = 100;
  line.audioShare = 0.8;
  for (let n = 0; n < 20; n++) assert.equal(step(half(25, 15), half(25, 15)), false);
  for (let n = 0; n < 10; n++) step(half(0), half(0));
  // A second in which nothing was sent, then one stall after the other in each of two shards, as while many calls are
  // set up.
  assert.equal(step(half(2_500, 1_500), half(2_500, 1_500)), false);
  for (let n = 0; n < 3; n++) assert.equal(step(half(200), half(0)), false);
  for (let n = 0; n < 3; n++) assert.equal(step(half(0), half(200)), false);
  assert.deepEqual(said, []);
});

test('it opens three seconds after half of the last five seconds were in time again', () => {
  const { said, step } = setUp();
  for (let n = 0; n < 10; n++) step(half(2_000));
  let steps = 0;
  while (step(half(0))) steps++;
  assert.deepEqual([steps, said], [10, ['closed', 'open']]);
});

test('with few calls nobody is refused: it is not the calls that take the time', () => {
  const { line, overload, step } = setUp();
  line.calls = 49;
  for (let n = 0; n < 10; n++) assert.equal(step(half(2_000, 900)), false, 'a quarter of what the cores carry');
  line.calls = 9;
  line.backlogMs = 900;
  for (let n = 0; n < 10; n++) assert.equal(step(half(0)), false);
  line.calls = 10;
  assert.equal(step(half(0)), true, 'the cost of an engine is not known beforehand');
  assert.deepEqual([overload.room(10), overload.room(9)], [0, 1], 'nor once they are few again');
  const small = setUp(6);
  small.line.calls = 4;
  for (let n = 0; n < 10; n++) assert.equal(small.step(half(2_000)), false);
  small.line.calls = 5;
  assert.equal(small.step(half(2_000)), true);
  const single = setUp(1);
  single.line.calls = 1;
  for (let n = 0; n < 10; n++) single.step(half(2_000));
  assert.deepEqual([single.overload.room(1), single.overload.room(0)], [0, 1], 'the next call after the only one');
});

test('admission refuses every kind of call while the gate has no room, and counts on', () => {
  let room = 3;
  let refused = 0;
  const begun: number[] = [];
  const gate = {
    room: () => room,
    begin: (activeCalls: number) => void begun.push(activeCalls),
    refuse: () => refused++,
  };
  const admission = createAdmission(10, gate);
  assert.equal(admission.admit('inbound'), true);
  assert.equal(admission.room('inbound'), 3);
  room = 0;
  for (const kind of ['inbound', 'api', 'campaign'] as const) {
    assert.equal(admission.room(kind), 0);
    assert.equal(admission.admit(kind), false);
  }
  assert.equal(admission.isOpen('inbound'), false);
  assert.equal(refused, 4);
  admission.release();
  room = 100;
  assert.equal(admission.active, 0);
  assert.equal(admission.room('inbound'), 10);
  assert.deepEqual(begun, [0]);
});

test('a rush is told once while it lasts', () => {
  const { said, overload, step } = setUp();
  const rush = (): void => {
    overload.refuse();
    step(half(0));
  };
  for (let n = 0; n < 4; n++) rush();
  assert.deepEqual(said, ['closed'], 'one warning');
  step(half(0));
  rush();
  assert.deepEqual(said, ['closed', 'closed']);
});

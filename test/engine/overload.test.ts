import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmission } from '../../engine/admission.ts';
import { type LatenessSample, Overload } from '../../engine/overload.ts';

const IN_TIME: LatenessSample = { sendP99Ms: 1, vadP99Ms: 5 };

/** An engine with 100 calls, half a second a step. */
function setUp(maxCalls = 200) {
  let nowMs = 0;
  const line = { backlogMs: 0, calls: 100 };
  const said: string[] = [];
  const overload = new Overload({
    maxCalls,
    sttBacklogMs: () => line.backlogMs,
    nowMs: () => nowMs,
    log: { warn: () => said.push('closed'), info: () => said.push('open') } as never,
  });
  const step = (...samples: LatenessSample[]): boolean => {
    nowMs += 500;
    for (const [index, sample] of samples.entries()) overload.sample(index, sample);
    overload.judge(line.calls);
    return overload.isLate;
  };
  return { overload, line, said, step };
}

test('late packets, late judgements on voice and audio that waits for the recogniser each refuse new calls', () => {
  for (const late of [{ sendP99Ms: 5.5 }, { vadP99Ms: 51 }]) {
    const { step } = setUp();
    assert.equal(step(IN_TIME, { ...IN_TIME, ...late }), false, 'one sample is not enough');
    assert.equal(step(IN_TIME, { ...IN_TIME, ...late }), true);
  }
  const { line, step } = setUp();
  line.backlogMs = 301;
  step(IN_TIME);
  assert.equal(step(IN_TIME), true);
});

test('at the limits calls are taken, and a moment of lateness changes nothing', () => {
  const { line, said, step } = setUp();
  line.backlogMs = 300;
  for (let n = 0; n < 10; n++) assert.equal(step({ sendP99Ms: 5, vadP99Ms: 50 }), false);
  assert.equal(step({ sendP99Ms: 40, vadP99Ms: 0 }), false);
  assert.equal(step(IN_TIME), false);
  assert.deepEqual(said, []);
});

test('it opens when everything has been in time for three seconds', () => {
  const { said, step } = setUp();
  const late = { sendP99Ms: 9, vadP99Ms: 5 };
  for (let n = 0; n < 4; n++) step(late);
  for (let n = 0; n < 5; n++) assert.equal(step(IN_TIME), true);
  assert.equal(step(IN_TIME), false);
  assert.deepEqual(said, ['closed', 'open']);
});

test('with few calls nobody is refused: it is not the calls that take the time', () => {
  const { line, step } = setUp();
  line.calls = 9;
  for (let n = 0; n < 4; n++) assert.equal(step({ sendP99Ms: 50, vadP99Ms: 200 }), false);
  const small = setUp(6);
  small.line.calls = 4;
  for (let n = 0; n < 4; n++) assert.equal(small.step({ sendP99Ms: 50, vadP99Ms: 0 }), false);
  small.line.calls = 5;
  small.step({ sendP99Ms: 50, vadP99Ms: 0 });
  assert.equal(small.step({ sendP99Ms: 50, vadP99Ms: 0 }), true);
});

test('a shard that reports no more counts no more', () => {
  const { step } = setUp();
  step({ sendP99Ms: 50, vadP99Ms: 0 });
  for (let n = 0; n < 12; n++) step();
  assert.equal(step(), false);
});

test('admission refuses every kind of call while the engine is late, and counts on', () => {
  let isLate = false;
  const admission = createAdmission(10, () => isLate);
  assert.equal(admission.admit('inbound'), true);
  isLate = true;
  for (const kind of ['inbound', 'api', 'campaign'] as const) {
    assert.equal(admission.room(kind), 0);
    assert.equal(admission.admit(kind), false);
  }
  admission.release();
  isLate = false;
  assert.equal(admission.active, 0);
  assert.equal(admission.room('inbound'), 10);
});

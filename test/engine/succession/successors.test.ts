// Which engine goes on with a call of a lost machine, as each of them decides by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallLeft, fateOf, type Successor } from '../../../engine/succession/successors.ts';

const left = (change: Partial<CallLeft> = {}): CallLeft => ({
  callId: 'call_1',
  silentMs: 12_000,
  knownMs: 0,
  ...change,
});
const engines = (...rooms: number[]): Successor[] => rooms.map((room, i) => ({ engineId: `eng_${i}`, room }));
const fates = (call: CallLeft, successors: Successor[]) =>
  successors.map(({ engineId }) => fateOf(call, successors, engineId));

test('each call is for one engine first, and they are spread by the room of each', () => {
  const successors = engines(10, 10, 20);
  const taken = [0, 0, 0];
  for (let i = 0; i < 4_000; i++) {
    const fate = fates(left({ callId: `call_${i}` }), successors);
    assert.deepEqual([...fate].sort(), ['take', 'wait', 'wait']);
    const at = fate.indexOf('take');
    taken[at] = (taken[at] ?? 0) + 1;
  }
  const [one = 0, two = 0, three = 0] = taken;
  assert.ok(Math.abs(one - 1_000) < 120 && Math.abs(two - 1_000) < 120 && Math.abs(three - 2_000) < 120, `${taken}`);
});

test('the order in which the engines are known changes nothing', () => {
  const successors = engines(5, 7, 9);
  for (let i = 0; i < 100; i++) {
    const call = left({ callId: `call_${i}` });
    assert.deepEqual(fates(call, successors), fates(call, [...successors].reverse()).reverse());
  }
});

test('where the first one does not, the next ones may, one after the other', () => {
  const successors = engines(10, 10, 10);
  const takers = (knownMs: number) => fates(left({ knownMs }), successors).filter((fate) => fate === 'take').length;
  assert.deepEqual([0, 1_900, 2_000, 3_900, 4_000].map(takers), [1, 1, 2, 2, 3]);
});

test('an engine without room leaves it to the others; where none has any, the call waits for a place', () => {
  assert.deepEqual(fates(left(), engines(0, 3)), ['wait', 'take']);
  assert.deepEqual(fates(left({ knownMs: 9_900 }), engines(0, 0)), ['wait', 'wait']);
  assert.deepEqual(fates(left({ knownMs: 10_001 }), engines(0, 0)), [
    { close: 'no engine had a place' },
    { close: 'no engine had a place' },
  ]);
});

test('nobody asks a caller who has heard nothing for half a minute, or whom nobody took', () => {
  const closed = (reason: string) => [{ close: reason }, { close: reason }];
  const tooLong = closed('its caller has heard nothing for too long');
  assert.deepEqual(fates(left({ silentMs: 30_001 }), engines(3, 3)), tooLong);
  assert.deepEqual(fates(left({ knownMs: 10_001 }), engines(3, 3)), closed('no engine took it'));
});

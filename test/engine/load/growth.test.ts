import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Growth } from '../../../engine/load/growth.ts';

/** An engine whose cores carry 200 calls, with as many up as are let in. */
function setUp(activeCalls = 0) {
  let nowMs = 0;
  const growth = new Growth(200, () => nowMs);
  const line = { activeCalls };
  /** Seconds in which so many calls a second are offered and stay up. */
  const rush = (seconds: number, perSecond: number, isLate = () => false): number => {
    let refused = 0;
    for (let half = 0; half < 2 * seconds; half++) {
      for (let call = 0; call < perSecond / 2; call++) {
        nowMs += 1_000 / perSecond;
        if (growth.room(line.activeCalls) === 0) refused++;
        else growth.begin(line.activeCalls++);
      }
      if (perSecond === 0) nowMs += 500;
      growth.judge(line.activeCalls, isLate());
    }
    return refused;
  };
  return { growth, line, rush };
}

test('a rush is let in at once up to what such cores carry, and by a few a second from there', () => {
  const { line, rush } = setUp();
  assert.equal(rush(5, 30), 0);
  assert.equal(line.activeCalls, 150);
  assert.ok(rush(10, 30) > 250);
  // Four a second, and the four that were saved up.
  assert.ok(line.activeCalls >= 188 && line.activeCalls <= 196, String(line.activeCalls));
});

test('what was carried in time for five seconds is let in at once the next time', () => {
  const { line, rush } = setUp();
  while (line.activeCalls < 300) rush(1, 4);
  rush(6, 0);
  line.activeCalls = 100;
  assert.equal(rush(20, 10), 0);
  assert.equal(line.activeCalls, 300);
  assert.ok(rush(4, 20) > 50);
});

test('calls that replace others are never held back', () => {
  const { line, rush } = setUp(150);
  for (let n = 0; n < 60; n++) {
    line.activeCalls -= 20;
    assert.equal(rush(1, 20), 0);
  }
});

test('after lateness less is let in at once, and more is found out step by step', () => {
  const { growth, line, rush } = setUp();
  rush(5, 30);
  growth.judge(line.activeCalls, true);
  // The number falls once, however long it stays late.
  for (let n = 0; n < 20; n++) growth.judge(line.activeCalls, true);
  line.activeCalls = 100;
  growth.judge(line.activeCalls, false);
  assert.equal(growth.room(line.activeCalls) - growth.room(1_000), 27, '127 of 150');
  while (line.activeCalls < 150) rush(1, 4);
  rush(6, 0);
  assert.equal(growth.room(line.activeCalls - 23) - growth.room(1_000), 23);
});

test('for a minute after lateness calls are added a tenth as fast, then as before', () => {
  const { growth, line, rush } = setUp();
  rush(5, 30);
  growth.judge(line.activeCalls, true);
  const before = line.activeCalls;
  rush(50, 10);
  // 0.4 a second, and the one that was saved up.
  assert.ok(line.activeCalls >= before + 19 && line.activeCalls <= before + 22, String(line.activeCalls));
  rush(10, 0);
  const later = line.activeCalls;
  rush(5, 10);
  assert.ok(line.activeCalls >= later + 19, String(line.activeCalls));
});

test('one call a second may always be added', () => {
  let nowMs = 0;
  const growth = new Growth(10, () => nowMs);
  growth.begin(900);
  assert.equal(growth.room(900), 0);
  nowMs = 1_000;
  assert.equal(growth.room(900), 1);
});

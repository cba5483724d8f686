// The wall clock of a machine is set while its engine runs: what it writes and judges by the database's clock stays.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { type Skew, watchSkew } from '../../../engine/cluster/skew.ts';

const NOON = Date.UTC(2026, 10, 26, 12);
const HOUR_MS = 3_600_000;

let clock: VirtualClock;
/** The database's clock is so far ahead of the true time. */
let aheadMs: number;
let asked: number;
let isAway: boolean;
let skew: Skew;

beforeEach(async () => {
  clock = new VirtualClock(NOON);
  aheadMs = 40;
  asked = 0;
  isAway = false;
  skew = await watchSkew(async () => {
    asked++;
    if (isAway) throw new Error('the database is away');
    return databaseNow() - clock.nowMs();
  }, clock);
});

const databaseNow = (): number => clock.monotonicMs() + aheadMs;
/** The time that a heartbeat says now. */
const told = (): number => skew.clock.nowMs() + skew.ms;

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

test('the time of the database is told while clocks are right', async () => {
  assert.equal(told(), databaseNow());
  aheadMs = 90;
  await pass(11_000);
  assert.equal(told(), databaseNow());
});

for (const [name, byMs] of [
  ['an hour ahead', HOUR_MS],
  ['ten minutes back', -600_000],
] as const) {
  test(`a clock set ${name} changes nothing of it, from the first moment`, async () => {
    clock.stepWall(byMs);
    assert.equal(told(), databaseNow());
    assert.equal(skew.machineMs, 40 - byMs);
    assert.equal(skew.clock.nowMs(), databaseNow(), 'and the engine goes by the clock that is right');
    await pass(3_000);
    assert.equal(told(), databaseNow());
    clock.stepWall(-byMs);
    assert.equal(told(), databaseNow());
    assert.equal(skew.machineMs, 40);
    assert.equal(skew.clock.nowMs(), clock.nowMs());
  });
}

test('a clock that NTP keeps is gone by as it is: what it writes does not jump with each answer', async () => {
  clock.stepWall(1_500);
  assert.equal(skew.clock.nowMs(), clock.nowMs());
  assert.equal(told(), databaseNow());
});

test('the database is asked again at once, for a machine that was paused has lost time', async () => {
  const before = asked;
  // The monotonic clock stood still: the true time, and the database's, is a minute later.
  aheadMs += 60_000;
  clock.stepWall(60_000);
  await pass(1_000);
  assert.equal(asked, before + 1);
  assert.equal(told(), databaseNow());
});

test('while the database is away the last answer stays, and a step of the clock is known all the same', async () => {
  isAway = true;
  clock.stepWall(HOUR_MS);
  await pass(30_000);
  assert.equal(told(), databaseNow());
});

test('a database in a file has the clock of the machine, whatever it says', async () => {
  skew = await watchSkew(null, clock);
  clock.stepWall(HOUR_MS);
  assert.deepEqual([skew.ms, skew.machineMs, skew.clock.nowMs()], [0, 0, clock.nowMs()]);
});

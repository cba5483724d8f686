// When an engine is taken for dead by another one, and where calls find a place.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { freshDatabase } from '../../../bench/rig/database/fresh-database.ts';
import { engineRow } from '../../../bench/rig/rows/table-rows.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../db/database.ts';
import { writeEngine } from '../../../db/queries/engine/engines.ts';
import type { EngineTable } from '../../../db/schema/processes.ts';
import type { Db } from '../../../db/schema.ts';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import type { PortState } from '../../../engine/cluster/ask-engine.ts';
import { Places } from '../../../engine/cluster/places.ts';
import { createAdmission } from '../../../engine/load/admission.ts';
import { FailureDetector } from '../../../engine/succession/failure-detector.ts';

const NOON = Date.UTC(2026, 10, 26, 12);
const silent = { warn() {}, error() {} };

let db: Db;
let clock: VirtualClock;
beforeEach(() => {
  const path = join(temporaryFolder('voice-cluster-'), 'voice.db');
  freshDatabase(path);
  db = openDatabase(path, { synchronous: 'NORMAL' });
  clock = new VirtualClock(NOON);
});
afterEach(() => db.destroy());

const beat = (id: string, changes: Partial<EngineTable> = {}) =>
  writeEngine(db, engineRow(clock.nowMs(), { id, home: id, ...changes }));

const stateOf = async (id: string) =>
  (await db.selectFrom('engines').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state;

/** `answers`: to the first question, the second, and so on. */
function detector({
  answers = [],
  ports = [],
  soundForMs = 60_000,
}: {
  answers?: boolean[];
  /** Of the control port, to the first knock, the second, and so on; then it is silent. */
  ports?: PortState[];
  soundForMs?: number;
} = {}) {
  let closed = 0;
  let asked = 0;
  const run = (name: OperationName, args: never) =>
    (operations[name] as (db: Db, args: never) => Promise<unknown>)(db, args);
  const one = new FailureDetector({
    read: db,
    writer: { runDurably: run as never },
    engineId: 'observer',
    clock,
    log: silent,
    outage: { explains: () => false },
    skewMs: () => 0,
    soundSince: () => clock.monotonicMs() - soundForMs,
    answers: async () => answers[asked++] ?? false,
    knock: async () => ports.shift() ?? 'silent',
    closeCalls: async () => ++closed,
  });
  return { one, closed: () => closed, asked: () => asked };
}

test('an engine that is silent and does not answer is dead after 10 s, not before', async () => {
  await beat('observer');
  await beat('other');
  clock.advance(9_000);
  await beat('observer');
  const { one } = detector();
  await one.look();
  assert.equal(await stateOf('other'), 'up');
  clock.advance(1_000);
  await one.look();
  assert.deepEqual([await stateOf('other'), await stateOf('observer')], ['dead', 'up']);
});

test('one whose process has ended on a machine that is there is dead after 3 s', async () => {
  await beat('other');
  const { one } = detector({ ports: ['open', 'refused'] });
  await one.look();
  clock.advance(2_000);
  await one.look();
  assert.equal(await stateOf('other'), 'up');
  clock.advance(1_000);
  await one.look();
  assert.equal(await stateOf('other'), 'dead');
});

test('one that is late lives as long as its port is open, and as it answers by SIP', async () => {
  for (const [ports, answers] of [
    [['open', 'open'], []],
    [['open', 'silent'], []],
    [['open', 'refused'], [true]],
  ] as const) {
    await beat('other');
    const { one } = detector({ ports: [...ports], answers: [...answers] });
    await one.look();
    clock.advance(9_000);
    await one.look();
    assert.equal(await stateOf('other'), 'up', ports.join());
  }
});

test('a port that was never open says nothing: an address of a wrong setting is refused, too', async () => {
  await beat('other');
  const { one } = detector({ ports: ['refused', 'refused'] });
  await one.look();
  clock.advance(9_000);
  await one.look();
  assert.equal(await stateOf('other'), 'up');
});

test('what was taken for dead stays dead, whatever it writes', async () => {
  await beat('other');
  clock.advance(10_000);
  await detector().one.look();
  assert.equal(await beat('other'), false);
  assert.equal(await stateOf('other'), 'dead');
});

test('an engine that answers is cut off from the database: it keeps its calls for two minutes', async () => {
  await beat('other');
  const { one } = detector({ answers: Array(120).fill(true) });
  clock.advance(119_000);
  await one.look();
  assert.equal(await stateOf('other'), 'up');
  clock.advance(1_000);
  await one.look();
  assert.equal(await stateOf('other'), 'dead');
});

test('whoever answers the second question lives; two without an answer, and it is dead', async () => {
  await beat('other');
  const { one, asked } = detector({ answers: [false, true, false, false] });
  clock.advance(10_000);
  await one.look();
  assert.deepEqual([await stateOf('other'), asked()], ['up', 2]);
  await one.look();
  assert.deepEqual([await stateOf('other'), asked()], ['dead', 4]);
});

test('an engine whose own heartbeats had a gap takes none for dead, and closes nothing', async () => {
  await beat('other');
  clock.advance(60_000);
  const { one, closed } = detector({ soundForMs: 14_000 });
  await one.look();
  assert.equal(await stateOf('other'), 'up');
  assert.equal(closed(), 0);
});

test('one that has stopped in order is not taken for dead', async () => {
  await beat('other', { state: 'stopped' });
  clock.advance(60_000);
  await detector().one.look();
  assert.equal(await stateOf('other'), 'stopped');
});

const places = (own: number) => {
  const admission = createAdmission(own);
  return { admission, all: new Places({ read: db, engineId: 'observer', admission, clock, skewMs: () => 0 }) };
};

test('a call gets a place on the engine with most room, each as often as it has more', async () => {
  await beat('other', { maxCalls: 4 });
  const { all } = places(2);
  await all.refresh();
  assert.equal(all.maxCalls, 6);
  const taken = Array.from({ length: 7 }, () => all.take('api')?.engineId ?? null);
  assert.deepEqual(taken.slice(0, 2), ['other', 'other']);
  assert.deepEqual(taken.toSorted(), ['observer', 'observer', 'other', 'other', 'other', 'other', null].toSorted());
});

test('an engine that is late, drains, is silent or lost telephony gets no call', async () => {
  await beat('late', { isLate: 1 });
  await beat('drains', { state: 'draining' });
  await beat('deaf', { telephonyUp: 0 });
  await beat('silent');
  const { all } = places(0);
  await all.refresh();
  clock.advance(5_000);
  assert.equal(all.room('api'), 0);
  assert.equal(all.take('api'), null);
});

test('a campaign leaves the reserved places of every engine free', async () => {
  await beat('other', { maxCalls: 100 });
  const { all } = places(100);
  await all.refresh();
  assert.equal(all.room('api'), 200);
  assert.equal(all.room('campaign'), 180);
});

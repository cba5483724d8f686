// Writes of an engine while PostgreSQL is away, or dies: nothing is lost, nothing is applied twice, and order holds.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { openRaw } from '../../../db/sqlite/open.ts';
import { Spool, type SpooledOperation } from '../../../db/writing/spool.ts';
import { SpooledWrites } from '../../../db/writing/spooled-writes.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'voice-spool-'));
  path = join(folder, 'spool.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const away = Object.assign(new Error('connection terminated'), { code: '08006' });

/** A database that can be away, and that knows what it has applied. */
function database() {
  const applied: string[] = [];
  const seen = new Set<string>();
  const state = {
    isAway: false,
    /** The operations sent to it, whether it was there or not. */
    sent: 0,
    losesAnswer: false,
    slow: '',
    release: [] as Array<() => void>,
    news: [] as string[],
    together: [] as string[][],
  };
  const apply = async ({ id, name }: SpooledOperation) => {
    // Each takes a turn, so that nothing is in order by chance.
    await new Promise((resolve) => setImmediate(resolve));
    state.sent++;
    if (state.isAway) throw away;
    if (name === state.slow) await new Promise<void>((resolve) => state.release.push(resolve));
    if (!seen.has(id) && name !== 'bad') applied.push(name);
    seen.add(id);
    if (state.losesAnswer) {
      state.losesAnswer = false;
      throw away;
    }
    return name === 'bad' ? { fault: new Error('no such call') } : { result: name };
  };
  /** All or none, as a transaction does. */
  const applyTogether = async (group: readonly SpooledOperation[]) => {
    if (state.isAway || group.some(({ name }) => name === 'bad' || name === state.slow)) return null;
    state.together.push(group.map(({ name }) => name));
    return Promise.all(group.map(apply));
  };
  const open = () =>
    new SpooledWrites({
      path,
      most: 4,
      laneOf: ({ args }) => (args as { of: string }).of,
      apply,
      applyTogether,
      onAway: (_error, waiting) => state.news.push(`away with ${waiting}`),
      clearAfterMs: 1,
    });
  return { applied, state, open };
}

type Outcome = { result: unknown } | { fault: unknown };

const write = (writes: SpooledWrites, ...names: string[]): Promise<Outcome[]> => writeOf('a call', writes, ...names);

const writeOf = (call: string, writes: SpooledWrites, ...names: string[]): Promise<Outcome[]> =>
  Promise.all(
    names.map((name) => new Promise<Outcome>((settle) => writes.add([{ name, args: { of: call }, settle }]))),
  );

test('operations are applied in their order, each with its result or its own fault', async () => {
  const { applied, open } = database();
  const writes = open();
  const outcomes = await write(writes, 'begin', 'answer', 'bad', 'end', 'after', 'last');
  assert.deepEqual(applied, ['begin', 'answer', 'end', 'after', 'last']);
  assert.ok('fault' in (outcomes[2] ?? {}));
  assert.deepEqual(outcomes[3], { result: 'end' });
  await writes.close();
});

test('what waits for one call shares a transaction, and one that fails keeps none of the others out', async () => {
  const { applied, state, open } = database();
  const writes = open();
  const [begun, answered, ended] = await write(writes, 'begin', 'answer', 'end');
  assert.deepEqual([begun, answered, ended], [{ result: 'begin' }, { result: 'answer' }, { result: 'end' }]);
  assert.deepEqual(state.together, [['answer', 'end']]);
  await write(writes, 'first', 'second', 'bad', 'third');
  assert.deepEqual(applied.slice(3), ['first', 'second', 'third']);
  assert.equal(state.together.length, 1);
  await writes.close();
});

test('what comes together for one call shares a transaction from the first', async () => {
  const { state, open } = database();
  const writes = open();
  const arriving: Array<Parameters<SpooledWrites['add']>[0][number]> = [];
  const settled = ['start', 'dialog'].map(
    (name) =>
      new Promise<Outcome>((settle) => {
        arriving.push({ name, args: { of: 'a call' }, settle });
      }),
  );
  writes.add(arriving);
  assert.deepEqual(await Promise.all(settled), [{ result: 'start' }, { result: 'dialog' }]);
  assert.deepEqual(state.together, [['start', 'dialog']]);
  await writes.close();
});

test('a call whose write takes long holds no other call up, and keeps its own order', async () => {
  const { applied, state, open } = database();
  const writes = open();
  state.slow = 'begin';
  const slow = write(writes, 'begin', 'end');
  await writeOf('another', writes, 'answer', 'hang up');
  assert.deepEqual(applied, ['answer', 'hang up']);
  for (const release of state.release) release();
  await slow;
  assert.deepEqual(applied, ['answer', 'hang up', 'begin', 'end']);
  await writes.close();
});

test('closing while the database is away leaves on the disk what follows what could not be sent', async () => {
  const { applied, state, open } = database();
  const writes = open();
  state.isAway = true;
  void write(writes, 'begin', 'end');
  const closed = writes.close();
  await closed;
  state.isAway = false;
  const successor = open();
  await write(successor, 'later');
  assert.deepEqual(applied, ['begin', 'end', 'later']);
  await successor.close();
});

test('while the database is away everything waits in order, and is told once', async () => {
  const { applied, state, open } = database();
  const writes = open();
  state.isAway = true;
  const done = write(writes, 'begin', 'answer', 'end');
  await eventually(() => state.sent === 2);
  assert.deepEqual(applied, []);
  state.isAway = false;
  await done;
  assert.deepEqual(applied, ['begin', 'answer', 'end']);
  assert.deepEqual(state.news, ['away with 3']);
  await writes.close();
});

test('a commit whose answer was lost is not repeated', async () => {
  const { applied, state, open } = database();
  const writes = open();
  state.losesAnswer = true;
  await write(writes, 'end');
  assert.deepEqual(applied, ['end']);
  await writes.close();
});

test('what a killed engine had not sent, its successor sends first', async () => {
  const { applied, state, open } = database();
  state.isAway = true;
  const killed = open();
  void write(killed, 'begin', 'end');
  await eventually(() => state.sent === 1);
  // It never closes: its file is all that is left.
  state.isAway = false;
  const successor = open();
  await write(successor, 'later');
  assert.deepEqual(applied.slice(0, 3), ['begin', 'end', 'later']);
  await successor.close();
  const left = new Spool(path);
  assert.deepEqual(left.all(), []);
  left.close();
  await killed.close();
});

test('while the disk of the spool fails, all goes to the database, is settled, and nothing counts as away', async () => {
  const { applied, state, open } = database();
  const writes = open();
  await write(writes, 'begin');
  const other = openRaw(path);
  other.exec('drop table operations');
  other.close();
  const names = Array.from({ length: 450 }, (_, index) => `write ${index}`);
  const outcomes = await write(writes, ...names);
  assert.deepEqual(
    outcomes.filter((outcome) => 'fault' in outcome),
    [],
  );
  assert.equal(applied.length, 451);
  assert.equal(writes.size, 0);
  assert.deepEqual(state.news, []);
  await writes.close();
});

test('of an operation that was applied no word stays in a file, and one that waits stays whole', async () => {
  const { state, open } = database();
  const writes = open();
  const filesWith = (word: string) =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(word));
  await write(writes, 'said aubergine');
  await eventually(() => filesWith('aubergine').length === 0);
  state.isAway = true;
  const waiting = write(writes, 'said zucchini');
  await eventually(() => state.sent > 1 && filesWith('zucchini').length > 0);
  state.isAway = false;
  await waiting;
  await eventually(() => filesWith('zucchini').length === 0);
  await writes.close();
});

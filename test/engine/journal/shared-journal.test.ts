// The database's descriptions of running calls, for engines on other machines: how often, what, and what not.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { SharedJournal } from '../../../engine/journal/shared-journal.ts';

let clock: VirtualClock;
let journal: SharedJournal;
let log: string[];
let isAway: boolean;
let answers: Array<() => void> | null;

beforeEach(() => {
  clock = new VirtualClock(1_000);
  [log, isAway, answers] = [[], false, null];
  const answer = (entry: string): Promise<void> => {
    log.push(entry);
    if (isAway) return Promise.reject(new Error('away'));
    return answers === null ? Promise.resolve() : new Promise((resolve) => answers?.push(resolve));
  };
  journal = new SharedJournal({
    clock,
    skewMs: () => 7,
    isMovable: (described) => (described as { movable?: boolean }).movable !== false,
    seal: (callId, json) => journal.sealed(callId, json),
    pulseOf: () => null,
    write: (callId, sealed) => answer(`${callId} ${JSON.stringify(JSON.parse(sealed).call)}`),
    remove: (callId) => answer(`${callId} gone`),
  });
});

const say = (callId: string, described: object | null): void =>
  journal.described(callId, described, described && JSON.stringify(described));

async function run(ms: number): Promise<void> {
  for (let done = 0; done < ms; done += 50) {
    await setImmediate();
    clock.advance(50);
  }
  await setImmediate();
}

test('the first description is written at once, later ones every two seconds, the last one in any case', async () => {
  for (let n = 0; n < 50; n++) {
    say('a', { n });
    await run(100);
  }
  await run(3_000);
  assert.equal(log.length, 4, `${log}`);
  assert.deepEqual([log[0], log.at(-1)], ['a {"n":0}', 'a {"n":49}']);
});

test('a call with which nobody could go on any more goes at once, and one that never could costs nothing', async () => {
  say('ringing', { movable: false });
  say('a', { n: 1 });
  await run(100);
  say('a', { n: 2, movable: false });
  await run(50);
  assert.deepEqual(log, ['a {"n":1}', 'a gone']);
});

test('while the database is away nothing waits but the last of each call, which is written afterwards', async () => {
  isAway = true;
  say('a', { n: 1 });
  await run(100);
  for (let n = 2; n < 100; n++) {
    say('a', { n });
    await run(100);
  }
  assert.ok(log.length <= 5, `${log.length} tries in ten seconds`);
  isAway = false;
  log = [];
  await run(4_000);
  assert.deepEqual(log, ['a {"n":99}']);
});

test('a call that is over is written no more, however late its write is answered', async () => {
  answers = [];
  say('a', { n: 1 });
  await run(100);
  say('a', { n: 2 });
  journal.forget('a');
  for (const answer of answers) answer();
  await run(5_000);
  assert.deepEqual(log, ['a {"n":1}']);
});

test('so many calls at a time are written as the database answers', async () => {
  answers = [];
  for (let i = 0; i < 100; i++) say(`call_${i}`, { i });
  await run(200);
  assert.equal(log.length, 4);
  for (let answered = 0; answered < 100; answered++) {
    answers.shift()?.();
    await run(50);
  }
  assert.equal(log.length, 100);
});

test('a call that waits for others is written though the one before it ends', async () => {
  answers = [];
  for (let i = 0; i < 6; i++) say(`call_${i}`, { i });
  await run(100);
  answers.shift()?.();
  await setImmediate();
  journal.forget('call_4');
  for (const answer of answers.splice(0)) answer();
  answers = null;
  await run(100);
  say('call_5', { i: 55 });
  await run(2_500);
  assert.equal(log.at(-1), 'call_5 {"i":55}');
});

test('the record goes with its call, and stays behind where it has grown long', async () => {
  const sealed: string[] = [];
  const one = new SharedJournal({
    clock,
    skewMs: () => 0,
    isMovable: () => true,
    seal: (callId, json) => one.sealed(callId, json),
    pulseOf: () => null,
    write: async (_callId, box) => sealed.push(box),
    remove: async () => undefined,
  });
  one.described('a+record', { turns: 1 }, '{"turns":1}');
  one.described('a', { n: 1 }, '{"n":1}');
  await run(100);
  const long = JSON.stringify({ turns: 'x'.repeat(70_000) });
  one.described('a+record', {}, long);
  one.described('a', { n: 2 }, '{"n":2}');
  await run(3_000);
  assert.deepEqual(
    sealed.map((box) => JSON.parse(box).record),
    [{ turns: 1 }, null],
  );
});

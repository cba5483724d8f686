// When the old engine of an upgrade leaves its calls, in virtual time, and in which order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { awaitMoment, type HandOverDeps, leaveCalls } from '../../../engine/succession/hand-over.ts';

type Moments = ReturnType<HandOverDeps['switchboard']['handOverMoments']>;

const QUIET: Moments = { good: 3, hearing: 0, busy: 0, never: 0 };

function stage(at: (ms: number) => Partial<Moments>) {
  const clock = new VirtualClock(0);
  const done: string[] = [];
  const did = (what: string) => (): undefined => void done.push(what);
  const deps: HandOverDeps = {
    switchboard: { handOverMoments: () => ({ ...QUIET, ...at(clock.monotonicMs()) }), leave: did('calls') },
    shards: { leave: async () => did('audio')() },
    journal: { handOver: async () => did('journal')() },
    telephony: { leave: did('lines') },
    clock,
    log: pino({ level: 'silent' }),
  };
  return { clock, deps, done };
}

/** The time at which the moment came, or why it never did. */
async function momentOf(at: (ms: number) => Partial<Moments>): Promise<number | string> {
  const { clock, deps } = stage(at);
  let found: number | string | undefined;
  const waiting = awaitMoment(deps).then((obstacle) => {
    found = obstacle ?? clock.monotonicMs();
  });
  while (found === undefined) {
    await setImmediate();
    clock.advance(20);
  }
  await waiting;
  return found;
}

test('at once where nobody speaks to an agent and no answer is being made', async () => {
  assert.equal(await momentOf(() => ({})), 0);
});

test('a caller’s sentence is waited for, for five seconds; an answer for ten', async () => {
  assert.ok(Math.abs(Number(await momentOf((ms) => ({ hearing: ms < 2_000 ? 1 : 0 }))) - 2_000) < 100);
  assert.ok(Math.abs(Number(await momentOf(() => ({ hearing: 1 }))) - 5_000) < 100);
  assert.ok(Math.abs(Number(await momentOf(() => ({ busy: 1 }))) - 10_000) < 100);
});

test('a call that nobody else can go on with is waited for, for a minute; then nothing has changed', async () => {
  assert.ok(Math.abs(Number(await momentOf((ms) => ({ never: ms < 20_000 ? 2 : 0 }))) - 20_000) < 100);
  assert.match(String(await momentOf(() => ({ never: 2 }))), /^2 calls cannot change hands/);
});

test('an adapter whose legs end with it refuses', async () => {
  const { deps } = stage(() => ({}));
  assert.match((await awaitMoment({ ...deps, telephony: {} })) ?? '', /drachtio/);
});

test('nothing more is taken from the lines once the calls are left, and then they are written', async () => {
  const { deps, done } = stage(() => ({}));
  await leaveCalls(deps);
  assert.deepEqual(done, ['calls', 'lines', 'audio', 'journal']);
});

// Which figures beside an attack are faults: on made figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../bench/rig/hostile/siege.ts';
import { faultsOf } from '../../bench/rig/hostile/verdict.ts';

const talkers = (more: Partial<NonNullable<Outcome['talkers']>> = {}): NonNullable<Outcome['talkers']> => ({
  ...{ up: 20, answered: 20, refused: 0, failed: 0, dropped: 0, silent: 0, early: 0, packets: 9_000, late: 0 },
  ...{
    turnsMs: [500, 510, 520],
    answersMs: [],
    pace: [
      [1, 990],
      [4, 10],
    ],
    startPace: [],
  },
  ...more,
});
const outcome = (more: Partial<Outcome> = {}): Outcome => ({
  attack: 'a flood',
  gain: { words: 'nothing', succeeded: false },
  ...{ answersMs: [40], failedCalls: [], healthMs: [3], signIns: { tried: 5, refused: 0 }, grownMb: 0 },
  talkers: talkers(),
  ...more,
});
const faults = (more: Partial<Outcome>): string[] => faultsOf(outcome(more), outcome());

test('an attack that gains nothing and that nobody notices is no fault, with callers beside it or without', () => {
  assert.deepEqual(faults({}), []);
  assert.deepEqual(faults({ talkers: null }), []);
  assert.deepEqual(faults({ talkers: talkers({ turnsMs: [600, 630, 640] }) }), []);
});

test('whatever others notice is a fault, and so is a figure that is lost', () => {
  for (const [more, words] of [
    [{ gain: { words: 'the key', succeeded: true } }, 'it succeeded: the key'],
    [{ failedCalls: ['no answer'] }, '1 calls failed'],
    [{ signIns: { tried: 5, refused: 2 } }, '2 sign-ins were refused'],
    [{ healthMs: [3, Number.POSITIVE_INFINITY] }, 'some requests for /healthz failed'],
    [
      {
        talkers: talkers({
          pace: [
            [1, 900],
            [6, 100],
          ],
        }),
      },
      'pacing p99 6 ms, over 5 ms',
    ],
    [{ talkers: talkers({ pace: [] }) }, 'pacing p99 NaN ms, over 5 ms'],
    [{ talkers: talkers({ dropped: 1 }) }, '1 calls were dropped'],
    [{ talkers: talkers({ silent: 3 }) }, '3 turns were not answered'],
    [{ talkers: talkers({ turnsMs: [640, 650, 660] }) }, 'a turn took 650 ms, in peace 510 ms'],
    [{ talkers: talkers({ turnsMs: [] }) }, 'a turn took NaN ms, in peace 510 ms'],
  ] satisfies Array<[Partial<Outcome>, string]>)
    assert.deepEqual(faults(more), [`a flood: ${words}`]);
});

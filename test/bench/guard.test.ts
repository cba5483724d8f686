// The arithmetic of the guard of the figures: which change is a loss. On made figures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellsOf, type Figure, judge, spreadOf } from '../../bench/guard/verdict.ts';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';

const figure = (before: number[], now: number[], worse: Figure['worse'] = 'higher'): Figure => ({
  name: 'start',
  unit: 'ms',
  worse,
  before,
  now,
});

test('a median beyond what the runs are apart is a loss, in the direction that is worse', () => {
  assert.equal(judge(figure([1_000, 1_040, 1_020], [1_200, 1_190, 1_210])).verdict, 'lost');
  assert.equal(judge(figure([1_200, 1_190, 1_210], [1_000, 1_040, 1_020])).verdict, 'gained');
  assert.equal(judge(figure([1_000, 1_040, 1_020], [1_200, 1_190, 1_210], 'lower')).verdict, 'gained');
  assert.equal(judge(figure([1_200, 1_190, 1_210], [1_000, 1_040, 1_020], 'lower')).verdict, 'lost');
});

test('the same median is none where one version had a run that was far off, nor is a hair', () => {
  assert.equal(judge(figure([1_000, 1_400, 1_020], [1_200, 1_190, 1_210])).verdict, 'within the noise');
  assert.equal(judge(figure([1_000, 1_040, 1_020], [1_200, 1_700, 1_210])).verdict, 'within the noise');
  assert.equal(judge(figure([1_000, 1_000, 1_000], [1_029, 1_029, 1_029])).verdict, 'within the noise');
  assert.equal(judge(figure([1_000, 1_000, 1_000], [1_031, 1_031, 1_031])).verdict, 'lost');
});

test('two versions that are the same are seldom told apart, and one that is a third slower mostly is', () => {
  const random = seededRandom(7);
  // Six of them together are nearly normal; a run differs from the next by five per cent.
  const run = (middle: number): number =>
    middle * (1 + 0.05 * (Array.from({ length: 6 }, random).reduce((sum, value) => sum + value, 0) - 3) * Math.SQRT2);
  const runs = (middle: number): number[] => Array.from({ length: 4 }, () => run(middle));
  const lost = (slower: number): number =>
    Array.from({ length: 2_000 }, () => judge(figure(runs(1_000), runs(1_000 * slower)))).filter(
      ({ verdict }) => verdict === 'lost',
    ).length / 2_000;
  assert.ok(lost(1) < 0.015, `${lost(1)}`);
  assert.ok(lost(1.33) > 0.95, `${lost(1.33)}`);
});

test('a row says both medians with their ranges, and the change as it was measured', () => {
  const row = cellsOf(judge(figure([2_000, 2_100, 1_900], [1_500, 1_520, 1_480], 'lower')));
  assert.deepEqual(row, ['start, ms', '2,000 (1,900-2,100)', '1,500 (1,480-1,520)', '-25 %', '10 %', '**lost**']);
  assert.deepEqual(spreadOf([4, 1, 2, 3]), { median: 2.5, low: 1, high: 4 });
});

test('a figure without a run is no figure', () => {
  assert.throws(() => judge(figure([], [1])), /start was not measured/);
});

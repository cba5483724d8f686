// The tables of `npm run bench -- capacity`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Step, stepTables } from '../../bench/parts/capacity.ts';
import { mergeReports } from '../../bench/record/merge.ts';

const NONE = { count: 0, p50: 0, p95: 0, p99: 0, max: 0 };
const step = (cpu: Record<string, number>): Step => ({
  ...{ offered: 20, up: 20, turns: NONE, pace: NONE, late: 0, refused: 0, failed: 0, early: 0, answerP99Ms: 9 },
  ...{ cpu, rssMiB: 300, load: 1 },
});

test('threads have columns of their own, so that runs are put together whatever threads they saw', () => {
  const runs = [
    stepTables([step({ shard: 20.5, vad: 10, control: 2 })]),
    stepTables([step({ vad: 12, shard: 21.5, amd: 1.1, denoise: 0.2 })]),
    stepTables([step({ vad: 14, shard: 22.5, node: 4 })]),
  ];
  assert.equal(runs[1]?.at(-1), '| 20 | 21.5 | 12 | 0 | 0 | 0 | 0 | 0 | 1.3 |');
  assert.equal(
    mergeReports(runs).at(-1),
    '| 20 | 21.5 (20.5 to 22.5) | 12 (10 to 14) | 0 (0 to 2) | 0 (0 to 4) | 0 | 0 | 0 | 0 (0 to 1.3) |',
  );
});

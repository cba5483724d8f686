// The sequential test of canaries: what its verdict says. What it finds in simulations: test/long/versions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCanary } from '../../../../db/domain/versions/canary-test.ts';

test('the evidence names the measure, both figures and how many calls', () => {
  const call = { failed: false, transferred: false, leftEarly: false, gapMs: 700 };
  const before = Array.from({ length: 100 }, (_, at) => ({ ...call, isCanary: false, gapMs: 650 + at }));
  const since = Array.from({ length: 60 }, (_, at) => ({
    ...call,
    isCanary: at % 2 === 1,
    gapMs: at % 2 === 1 ? 1_900 : 700,
  }));
  const { state, canaryCalls, evidence } = judgeCanary(before, since, 100);
  assert.equal(state, 'worse');
  assert.ok(canaryCalls < 20);
  const [gap] = evidence;
  assert.deepEqual([gap?.measure, gap?.direction], ['responseGapMs', 'slower']);
  assert.deepEqual(
    [gap?.canary, gap?.published],
    [
      { value: 1_900, calls: canaryCalls },
      { value: 700, calls: canaryCalls },
    ],
  );
  assert.ok((gap?.p ?? 1) < 0.002);
  assert.equal(judgeCanary(before, since.slice(0, 4), 100).state, 'running');
  // A version that is as good, or better.
  const faster = since.map((each) => ({ ...each, gapMs: each.isCanary ? 300 : 700 }));
  assert.equal(judgeCanary(before, faster, 30).state, 'good');
});

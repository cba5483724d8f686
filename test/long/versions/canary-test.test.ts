// The sequential test of canaries: planted faults are found within a hundred calls, and good versions are let through.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULTS, simulate, USUAL } from '../../support/planted-faults.ts';

test('of ten planted faults at least nine are stopped within 100 calls of the canary', (t) => {
  let stopped = 0;
  for (const { name, effect, to } of FAULTS) {
    const verdicts = Array.from({ length: 100 }, (_, seed) => simulate({ ...USUAL, ...to }, 1_000 + seed));
    const found = verdicts.filter(({ state }) => state === 'worse');
    const after = found.map(({ canaryCalls }) => canaryCalls).sort((a, b) => a - b);
    t.diagnostic(`| ${name} | ${effect} | ${found.length} of 100 | ${after[Math.floor(after.length / 2)] ?? '–'} |`);
    // As one run of the ten would have it: by its first seed.
    if (verdicts[0]?.state === 'worse') stopped++;
    assert.ok(found.length >= 75, `${name}: ${found.length} of 100`);
  }
  assert.ok(stopped >= 9, `${stopped} of 10`);
});

test('of 100 good publishes at most one is stopped, whatever the share and the history', (t) => {
  for (const options of [{}, { share: 0.05 }, { share: 0.5 }, { before: 0 }, { before: 10, enough: 300 }]) {
    const verdicts = Array.from({ length: 100 }, (_, seed) => simulate(USUAL, 5_000 + seed, options));
    const stopped = verdicts.filter(({ state }) => state === 'worse').length;
    t.diagnostic(`${JSON.stringify(options)}: ${stopped} of 100`);
    assert.ok(stopped <= 1, `${stopped} of 100 with ${JSON.stringify(options)}`);
    assert.ok(verdicts.every(({ state, canaryCalls }) => state === 'worse' || canaryCalls >= 100));
  }
  // Other usual figures than those for which the faults are planted.
  const busy = { ...USUAL, failed: 0.05, transferred: 0.5, leftEarly: 0.15, spread: 0.8 };
  const stopped = Array.from({ length: 100 }, (_, seed) =>
    simulate(busy, 9_000 + seed, { before: 0, published: busy }),
  );
  assert.ok(stopped.filter(({ state }) => state === 'worse').length <= 1);
});

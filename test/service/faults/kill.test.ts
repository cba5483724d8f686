// The short form of `npm run bench -- kill`: engine, API or both are killed with -9 while calls and requests run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runKills } from '../../../bench/rig/faults/kill-run.ts';
import { nightly } from '../../support/nightly.ts';

const KILLS = nightly === false ? 8 : 4;

test(`${KILLS} kills under load lose no call, no event and no recording, and dial nobody twice`, async (t) => {
  const report = await runKills({ kills: KILLS, seed: 20, patienceMs: 3_000, log: (line) => t.diagnostic(line) });
  assert.deepEqual(report.violations, []);
  assert.ok(report.load.accepted.size > 0, 'calls were placed');
  assert.ok(report.load.inboundAnswered > 0, 'callers were answered');
  assert.ok(report.recordings > 0 && report.events > 0);
});

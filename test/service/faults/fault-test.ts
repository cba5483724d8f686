// A fault of the bench as a test: short, and nothing that was promised may be broken afterwards. A missing package is a
// failure in CI; elsewhere the test skips and says why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../bench/rig/faults/fault.ts';
import { runOneFault } from '../../../bench/rig/faults/run-one.ts';

const SEED = 20;

/** @param skip why not now */
export function testFault(fault: Fault, skip: string | false = false): void {
  const obstacle = fault.obstacle();
  if (obstacle?.isPackage && process.env.CI) throw new Error(obstacle.reason);
  test(`${fault.name}: no promise is broken`, { skip: obstacle?.reason ?? skip }, async (t) => {
    const report = await runOneFault(fault, {
      forMs: fault.shortMs,
      seed: SEED,
      log: (line) => t.diagnostic(line),
    });
    assert.deepEqual(report.violations, []);
    assert.ok(report.load.accepted.size > 0, 'calls were placed');
    assert.ok(report.load.inboundAnswered > 0, 'callers were answered');
    assert.ok(report.events > 0);
  });
}

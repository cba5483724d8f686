// Puts together what runs test suites.
import { TestRuns } from '../test-runs/test-runs.ts';
import { unrunnable } from '../test-runs/work.ts';
import type { Storage } from './storage.ts';

export function createTestRuns({ read, writer, engineId, clock, log, outage }: Storage): TestRuns {
  return new TestRuns({
    ...{ read, writer, engineId, clock, log, outage },
    runners: {
      eval: async () => unrunnable('This release does not run evals yet.'),
      simulation: async () => unrunnable('This release does not run simulations yet.'),
    },
  });
}

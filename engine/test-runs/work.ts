// The port behind which a case of a test suite is run, an eval or a simulation, with one signature for both.
import type { TestOutcome, TestWork } from '../../db/queries/test-runs/claims.ts';

/** `signal`: the case is another engine's by now, its run was cancelled, or the engine stops. Rejects for a defect. */
export type RunTest = (work: TestWork, signal: AbortSignal) => Promise<TestOutcome>;

/** A case that could not be run, and why. */
export const unrunnable = (error: string): TestOutcome => ({ status: 'ERROR', checks: [], transcript: [], error });

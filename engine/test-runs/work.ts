// The port of that which runs a case of a test suite: evals and simulations stand behind the same signature.
import type { TestOutcome, TestWork } from '../../db/queries/test-runs/claims.ts';

/** `signal`: the case is another engine's by now, its run was cancelled, or the engine stops. Rejects for a defect. */
export type RunTest = (work: TestWork, signal: AbortSignal) => Promise<TestOutcome>;

/** A case that could not be run, and why. */
export const unrunnable = (error: string): TestOutcome => ({ status: 'ERROR', checks: [], transcript: [], error });

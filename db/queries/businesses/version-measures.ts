// How a call went, as versions are compared by it.
import type { CallTable } from '../../schema/call-columns.ts';

export type MeasuredCall = Pick<CallTable, 'outcome' | 'endReason' | 'durationSeconds' | 'latency'>;

/** A caller who hangs up sooner has hardly been served. */
const EARLY_S = 20;

/** By a fault of a model or of the media. */
export const hasFailed = ({ outcome }: Pick<MeasuredCall, 'outcome'>): boolean =>
  outcome === 'failed' || outcome === 'agent_failed';

export const hasLeftEarly = ({ endReason, durationSeconds }: MeasuredCall): boolean =>
  endReason === 'caller_hangup' && durationSeconds < EARLY_S;

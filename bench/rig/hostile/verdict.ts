// The harm that an attack does to everybody else, by the figures of the same service in peace.
import { summarise } from '../measure/statistics.ts';
import { summariseBins } from '../phone/phones.ts';
import type { Outcome } from './siege.ts';

/** Of the intervals between the agent's packets, p99. */
const PACE_MS = 5;
/** A turn may take so much longer than in peace, at the median. */
const TURNS_SHARE = 0.25;

/** In words, also where a figure is lost; empty: nobody noticed anything that matters. */
export function faultsOf(outcome: Outcome, peace: Outcome): string[] {
  const { attack, gain, failedCalls, signIns, talkers, healthMs } = outcome;
  const faults: string[] = [];
  if (gain.succeeded) faults.push(`it succeeded: ${gain.words}`);
  if (failedCalls.length > 0) faults.push(`${failedCalls.length} calls failed`);
  if (signIns.refused > 0) faults.push(`${signIns.refused} sign-ins were refused`);
  if (!healthMs.every(Number.isFinite)) faults.push('some requests for /healthz failed');
  if (talkers !== null) {
    const { p99 } = summariseBins(talkers.pace);
    if (!(p99 <= PACE_MS)) faults.push(`pacing p99 ${p99} ms, over ${PACE_MS} ms`);
    if (talkers.dropped > 0) faults.push(`${talkers.dropped} calls were dropped`);
    if (talkers.silent > (peace.talkers?.silent ?? 0)) faults.push(`${talkers.silent} turns were not answered`);
    const [before, beside] = [summarise(peace.talkers?.turnsMs ?? []).p50, summarise(talkers.turnsMs).p50];
    if (!(beside <= before * (1 + TURNS_SHARE))) faults.push(`a turn took ${beside} ms, in peace ${before} ms`);
  }
  return faults.map((fault) => `${attack}: ${fault}`);
}

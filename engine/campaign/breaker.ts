// The circuit breaker of a trunk: after a row of attempts that failed in the network, campaigns leave the trunk alone for a
import { unreachable } from '../../models/unexpected.ts';

// while, so that an outage costs each contact no attempt. Then one call tries; what becomes of it decides. Pure.

/** Failures in a row that open it: fewer happen by chance when callees' networks are bad. */
const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 30_000;
const PAUSE_MAX_MS = 15 * 60_000;

export interface Breaker {
  failures: number;
  /** No campaign call before that; 0 while it has never opened. */
  openUntilMs: number;
  pauseMs: number;
  /** The call that tries after a pause is on its way. */
  isTrying: boolean;
}

export const closedBreaker: Breaker = { failures: 0, openUntilMs: 0, pauseMs: 0, isTrying: false };

export type BreakerEvent =
  /** A call was dialled over the trunk. */
  | { type: 'dialled' }
  /** The far end answered in any way that shows the trunk to work (busy and declined too). */
  | { type: 'worked' }
  /** No answer from the network, or the trunk refused to carry the call. */
  | { type: 'failed' }
  /** The call told nothing about the trunk (cancelled, our own fault). */
  | { type: 'inconclusive' };

/** How many campaign calls the trunk may take now, as far as the breaker is concerned. */
export function breakerRoom(breaker: Breaker, nowMs: number): number {
  if (breaker.failures < FAILURES_TO_OPEN) return Number.POSITIVE_INFINITY;
  if (nowMs < breaker.openUntilMs || breaker.isTrying) return 0;
  return 1;
}

export function stepBreaker(breaker: Breaker, event: BreakerEvent, nowMs: number): Breaker {
  const isOpen = breaker.failures >= FAILURES_TO_OPEN;
  switch (event.type) {
    case 'dialled':
      return isOpen && nowMs >= breaker.openUntilMs ? { ...breaker, isTrying: true } : breaker;
    case 'worked':
      return closedBreaker;
    case 'inconclusive':
      return { ...breaker, isTrying: false };
    case 'failed': {
      const failures = breaker.failures + 1;
      // Calls that were under way when it opened do not lengthen the pause; the one that tries does.
      if (failures < FAILURES_TO_OPEN || (isOpen && !breaker.isTrying)) return { ...breaker, failures };
      const pauseMs = Math.min(PAUSE_MAX_MS, breaker.pauseMs === 0 ? FIRST_PAUSE_MS : breaker.pauseMs * 2);
      return { failures, openUntilMs: nowMs + pauseMs, pauseMs, isTrying: false };
    }
    default:
      return unreachable(event);
  }
}

// A trunk's circuit breaker: after a run of network failures, campaigns pause on the trunk, so that an outage costs no
// contact an attempt. Then one trial call decides. Pure.
import { unreachable } from '../../db/domain/unexpected.ts';

/** Failures in a row that open it. Smaller runs happen by chance when callees' networks are bad. */
const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 30_000;
const PAUSE_MAX_MS = 15 * 60_000;

export interface Breaker {
  failures: number;
  /** No campaign call before this; 0 if it has never opened. */
  openUntilMs: number;
  pauseMs: number;
  /** The trial call after a pause is running. */
  isTrying: boolean;
}

export const closedBreaker: Breaker = { failures: 0, openUntilMs: 0, pauseMs: 0, isTrying: false };

export type BreakerEvent =
  /** A call was dialled over the trunk. */
  | { type: 'dialled' }
  /** The far end answered in a way that proves that the trunk works (busy and declined too). */
  | { type: 'worked' }
  /** No answer from the network, or the trunk refused to carry the call. */
  | { type: 'failed' }
  /** The call tells nothing about the trunk (cancelled, a fault of our own). */
  | { type: 'inconclusive' };

/** How many campaign calls the breaker lets through now. */
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
      // Calls already dialled when it opened do not lengthen the pause; a failed trial does.
      if (failures < FAILURES_TO_OPEN || (isOpen && !breaker.isTrying)) return { ...breaker, failures };
      const pauseMs = Math.min(PAUSE_MAX_MS, breaker.pauseMs === 0 ? FIRST_PAUSE_MS : breaker.pauseMs * 2);
      return { failures, openUntilMs: nowMs + pauseMs, pauseMs, isTrying: false };
    }
    default:
      return unreachable(event);
  }
}

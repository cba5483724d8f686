// Decides when a failed delivery is tried again, and when a subscription is disabled. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';

const SECOND_MS = 1_000;

/** Delays after the 1st, 2nd, … failed attempt; after the last one the event is given up for this subscription. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
];

/** A subscription that has failed this long without a success is disabled. */
export const GIVE_UP_AFTER_MS = 5 * DAY_MS;
/** Spreads the retries after an outage. */
const JITTER = 0.2;
/** A receiver may ask for a longer wait, up to the schedule's longest. */
const RETRY_AFTER_MAX_MS = DAY_MS;

/**
 * Time of the next attempt after `failedAttempts` failures, ms since the epoch; null: no more attempts. A Retry-After
 * lengthens the wait, never shortens it.
 * @param random in [0, 1)
 */
export function nextAttemptAt(
  failedAttempts: number,
  nowMs: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const delayMs = RETRY_DELAYS_MS[failedAttempts - 1];
  if (delayMs === undefined) return null;
  const jittered = delayMs * (1 + JITTER * (2 * random - 1));
  return Math.round(nowMs + Math.max(jittered, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)));
}

/** Retry-After (RFC 9110 section 10.2.3): seconds or an HTTP date. Null if it is missing or invalid. */
export function parseRetryAfter(value: string | string[] | undefined, nowMs: number): number | null {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (!text) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  // Date.parse also accepts texts that are not HTTP dates, such as "5".
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/** A limit of time for the work after a call, on the engine's clock, so that a test can reach it at once. */

import type { Clock } from '../clock.ts';

/**
 * Runs `run` with a signal that aborts after `ms`, or with `stopped`. Our own controller: an AbortSignal.any that
 * includes a time-out may be collected before it fires.
 */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  stopped: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const abort = (): void => deadline.abort();
  const cancel = clock.after(ms, abort);
  stopped.addEventListener('abort', abort, { once: true });
  if (stopped.aborted) abort();
  try {
    return await run(deadline.signal);
  } finally {
    cancel();
    stopped.removeEventListener('abort', abort);
  }
}

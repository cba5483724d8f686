// Measures the delay of timers in this thread's event loop: a busy process delays everything that it handles.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

export interface EventLoopDelay {
  p50: number;
  p99: number;
  max: number;
}

export interface EventLoopWatch {
  /** In seconds, the worse of the current window and the one before it. */
  read(): EventLoopDelay;
  close(): void;
}

const TIMER_MS = 20;
const WINDOW_MS = 30_000;

/** Watches from now on. Both windows together are 30 to 60 s, however often they are read. */
export function watchEventLoop(): EventLoopWatch {
  let current = begin();
  let before: EventLoopDelay = { p50: 0, p99: 0, max: 0 };
  const rotation = setInterval(() => {
    before = delaysOf(current);
    current.disable();
    current = begin();
  }, WINDOW_MS).unref();
  return {
    read() {
      const now = delaysOf(current);
      return {
        p50: Math.max(now.p50, before.p50),
        p99: Math.max(now.p99, before.p99),
        max: Math.max(now.max, before.max),
      };
    },
    close() {
      clearInterval(rotation);
      current.disable();
    },
  };
}

/** Watches from now on. Returns a function for the longest delay since its previous call, ms. */
export function watchLongestDelay(): () => number {
  const histogram = begin();
  return () => {
    const { max } = delaysOf(histogram);
    histogram.reset();
    return max * 1_000;
  };
}

function begin(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: TIMER_MS });
  histogram.enable();
  return histogram;
}

/** Node measures from one expiry of the timer to the next, in nanoseconds; the time beyond the timer is delay. */
function delaysOf(histogram: IntervalHistogram): EventLoopDelay {
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - TIMER_MS / 1_000);
  return {
    p50: seconds(histogram.percentile(50)),
    p99: seconds(histogram.percentile(99)),
    max: seconds(histogram.max),
  };
}

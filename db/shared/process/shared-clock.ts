/** The clock that all threads share, monotonic, ms: `performance.now()` counts from the start of each thread. */
export const sharedClockMs = (): number => Number(process.hrtime.bigint()) / 1e6;

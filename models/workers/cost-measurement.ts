// Measures an engine's cost: seconds of one core for a second of audio, from the processor time of the worker's thread.
// That time does not count while the thread waits for a core, so a busy neighbour changes little.

/** A thread that computed for less of its trial waited for cores too long, or its engine computes elsewhere. */
const BUSY_SHARE = 0.25;

export interface MeasurementClocks {
  /** Processor time of the calling thread. */
  cpuMs(): number;
  wallMs(): number;
}

/** Where the system does not count a thread's time, the wall clock: the least of some trials is then the truest. */
const threadClocks: MeasurementClocks = {
  cpuMs() {
    try {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    } catch {
      return performance.now();
    }
  },
  wallMs: () => performance.now(),
};

/**
 * Seconds of one core per second of audio.
 * @param work resolves with the ms of audio that it took or gave; null: it was disturbed
 * @returns null when the trial says nothing: disturbed, without audio, or on a thread that hardly computed
 */
export async function factorOf(
  work: () => Promise<number | null>,
  clocks: MeasurementClocks = threadClocks,
): Promise<number | null> {
  const cpuFromMs = clocks.cpuMs();
  const wallFromMs = clocks.wallMs();
  const audioMs = await work();
  const cpuMs = clocks.cpuMs() - cpuFromMs;
  if (audioMs === null || audioMs <= 0) return null;
  return cpuMs < (clocks.wallMs() - wallFromMs) * BUSY_SHARE ? null : cpuMs / audioMs;
}

/** Messages that arrived meanwhile are handled, then the trial goes on. */
export const letOthersGo = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

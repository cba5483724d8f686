// Measures how much of the cores the audio takes: media shards and VAD, which have priority over all other threads. The
// kernel limits real-time threads to 95 % of a core per second and then stops them for the rest of it (sched(7)): the
// packets of all calls leave up to 50 ms late. Lateness shows this afterwards, this measure before.
import { threadTimes } from '../../models/workers/thread-times.ts';

const AUDIO_THREADS = new Set(['shard', 'vad']);

/** Share of `cores` since the last reading, 0 to 1; 0 at first, and on systems without /proc. */
export function watchAudioShare(cores: number, nowMs: () => number): () => number {
  let before = new Map<number, number>();
  let atMs: number | null = null;
  return () => {
    const times = new Map(audioTimes());
    const readAtMs = nowMs();
    const elapsedMs = readAtMs - (atMs ?? readAtMs);
    let usedMs = 0;
    for (const [tid, cpuMs] of times) usedMs += cpuMs - (before.get(tid) ?? 0);
    before = times;
    atMs = readAtMs;
    return elapsedMs > 0 ? usedMs / (elapsedMs * cores) : 0;
  };
}

function audioTimes(): Array<[tid: number, cpuMs: number]> {
  try {
    return threadTimes('self').flatMap(({ tid, name, cpuMs }) => (AUDIO_THREADS.has(name) ? [[tid, cpuMs]] : []));
  } catch {
    return [];
  }
}

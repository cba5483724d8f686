// How much of the cores the audio takes: media shards and voice activity detection, which run before all other threads.
// In real time the kernel lets such threads have 95 % of a core in a second and then stops them for the rest of it
// (sched(7)): the packets of all calls leave up to 50 ms late. Lateness shows that when it has happened, this before.
import { threadTimes } from '../../models/workers/thread-times.ts';

const AUDIO_THREADS = new Set(['shard', 'vad']);

/** The share of `cores` since it was asked last, 0 to 1; 0 at first, and where the system does not tell (no /proc). */
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

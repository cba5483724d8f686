// The engine's processor time by thread and its memory, as Linux counts them.
import { readdirSync, readFileSync } from 'node:fs';
import { threadTimes } from '../../../models/workers/thread-times.ts';

export interface EngineUsage {
  /** By kind of thread, ms since the start. */
  cpuMs: Map<string, number>;
  rssMiB: number;
}

/** The engine's and the API's process of a supervisor. */
export function processesOf(supervisor: number): { engine: number; api: number } {
  const children = readdirSync(`/proc/${supervisor}/task`).flatMap((task) =>
    readFileSync(`/proc/${supervisor}/task/${task}/children`, 'utf8').trim().split(/\s+/).map(Number),
  );
  const named = (part: string): number =>
    children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(part)) ?? 0;
  return { engine: named('engine/main.ts'), api: named('api/main.ts') };
}

export function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? 0) / 1024;
}

/** Named threads are counted separately; the rest is `other`. */
export function engineUsage(pid: number): EngineUsage {
  const cpuMs = new Map<string, number>();
  for (const { tid, name, cpuMs: usedMs } of threadTimes(pid)) {
    const kind = tid === pid ? 'control' : name;
    cpuMs.set(kind, (cpuMs.get(kind) ?? 0) + usedMs);
  }
  return { cpuMs, rssMiB: residentMiB(pid) };
}

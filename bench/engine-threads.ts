// The engine's processor time by thread and its memory, as Linux counts them.
import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10;

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

/** Threads that name themselves are told apart; the rest is `other`. */
export function engineUsage(pid: number): EngineUsage {
  const cpuMs = new Map<string, number>();
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
    const name = Number(task) === pid ? 'control' : stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const usedMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    cpuMs.set(name, (cpuMs.get(name) ?? 0) + usedMs);
  }
  return { cpuMs, rssMiB: residentMiB(pid) };
}

// The CPU time of a process and its children, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  cpuMs: number;
  rssBytes: number;
}

/** USER_HZ is 100 on all platforms of Linux. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

interface Stat {
  parent: number;
  cpuMs: number;
  rssBytes: number;
}

/** Null without /proc. */
export function usageOfTree(pid: number): Usage | null {
  const stats = new Map<number, Stat>();
  for (const name of entriesOf('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : null;
    if (stat) stats.set(Number(name), stat);
  }
  if (!stats.has(pid)) return null;
  const total = { cpuMs: 0, rssBytes: 0 };
  for (const [each, { cpuMs, rssBytes }] of stats) {
    if (!descends(each, pid, stats)) continue;
    total.cpuMs += cpuMs;
    total.rssBytes += rssBytes;
  }
  return total;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Null when the process has ended. proc(5): the fields after the name, which may contain any character and ends with
 * the last ")".
 */
export function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, pages = 0] = [fields[1], fields[21]];
    // Its own time, and that of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    return { parent, cpuMs: ticks * TICK_MS, rssBytes: pages * PAGE_BYTES };
  } catch {
    return null;
  }
}

function descends(pid: number, ancestor: number, stats: ReadonlyMap<number, Stat>): boolean {
  for (let each: number | undefined = pid; each !== undefined; each = stats.get(each)?.parent)
    if (each === ancestor) return true;
  return false;
}

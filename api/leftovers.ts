// Folders in DATA_DIR in which a backup or a restore gathers its files. A killed one leaves a whole copy of the
// database and the keys, which no erasure reaches: it is removed once the process that made it is gone.
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** In another container nobody can see whether the process lives: no backup takes so long. */
const FOREIGN_AFTER_MS = 24 * 3_600_000;

const here = (): string => hostname().replace(/[^A-Za-z0-9]/g, '');

/** For `mkdtemp`: says what made the folder, where, and by which process. */
export const stagingPrefix = (work: 'backup' | 'restore'): string => `.${work}-${here()}-${process.pid}-`;

/** Removes the folders of processes that are gone; returns their names. */
export async function dropLeftovers(dataDir: string, nowMs = Date.now()): Promise<string[]> {
  const dropped: string[] = [];
  for (const name of await readdir(dataDir)) {
    if (!/^\.(backup|restore)-/.test(name) || !(await isLeft(join(dataDir, name), name, nowMs))) continue;
    await rm(join(dataDir, name), { recursive: true, force: true });
    dropped.push(name);
  }
  return dropped;
}

async function isLeft(path: string, name: string, nowMs: number): Promise<boolean> {
  const [, host, pid] = name.split('-');
  if (host === here() && pid !== undefined) return !isRunning(Number(pid));
  const found = await stat(path).catch(() => null);
  return found !== null && nowMs - found.mtimeMs > FOREIGN_AFTER_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

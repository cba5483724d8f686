// Staging folders of backups and restores in DATA_DIR. A killed command leaves a whole copy of the database and the
// keys, which no erasure reaches: it is removed after its process has ended.

import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../db/domain/hours/durations.ts';

/** A process in another container is not visible; after this time it has ended, because no backup takes so long. */
const FOREIGN_AFTER_MS = DAY_MS;

const here = (): string => hostname().replace(/[^A-Za-z0-9]/g, '');

/** For `mkdtemp`: names the command, the PID namespace and the process that made the folder. */
export const stagingPrefix = (work: 'backup' | 'restore'): string => `.${work}-${here()}-${process.pid}-`;

/** Removes the folders of ended processes; returns their names. */
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
    // EPERM: the process runs, under another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

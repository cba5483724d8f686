// Staging folders of backups and restores in DATA_DIR. A killed command leaves a whole copy of the database and the
// keys, which no erasure reaches: it is removed after its process has ended.

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { isGone, ourProcess } from '../../db/shared/process/process-lives.ts';

/** A process in another container is not visible; after this time it has ended, because no backup takes so long. */
const FOREIGN_AFTER_MS = DAY_MS;

/** The host and the PID namespace, in which a process id means a process; null where they are not known. */
function here(): string | null {
  const { hostname, pidNamespace } = ourProcess();
  if (pidNamespace === null) return null;
  return [hostname, pidNamespace].map((name) => name.replace(/[^A-Za-z0-9]/g, '')).join('-');
}

/** For `mkdtemp`: names the command, the host, the PID namespace and the process that made the folder. */
export const stagingPrefix = (work: 'backup' | 'restore'): string =>
  `.${work}-${here() ?? 'unknown-unknown'}-${process.pid}-`;

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
  const [, host, namespace, pid, random] = name.split('-');
  // Of an earlier release, without a namespace, as of another container: by its age.
  if (random !== undefined && `${host}-${namespace}` === here()) return isGone({ ...ourProcess(), pid: Number(pid) });
  const found = await stat(path).catch(() => null);
  return found !== null && nowMs - found.mtimeMs > FOREIGN_AFTER_MS;
}

// A folder for whatever a test or a bench writes: gone when its process ends, however it ends by itself.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4e9;

const folders: string[] = [];

/** A new empty folder, `name` in its path. */
export function temporaryFolder(name: string): string {
  if (folders.length === 0) {
    process.once('exit', () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
  }
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  folders.push(folder);
  return folder;
}

/** For what need not survive the machine: in memory where there is room. A container may have 64 MB of it. */
export function roomiestFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const memory = statfsSync(MEMORY);
  return memory.bavail * memory.bsize > ROOM_BYTES ? MEMORY : tmpdir();
}

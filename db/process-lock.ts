// A lock that dies with the process holding it: an exclusive transaction on a small SQLite file of its own. The kernel
// drops it at kill -9 too, so that a successor takes over at once instead of waiting for a lease to run out.
import { isBusy } from './faults.ts';
import { openRaw } from './sqlite.ts';

export interface ProcessLock {
  release(): void;
}

/** Takes the lock file at `path`, creating it; null while another process (or another caller in this one) holds it. */
export function tryProcessLock(path: string): ProcessLock | null {
  const raw = openRaw(path);
  try {
    raw.pragma('busy_timeout = 0');
    raw.exec('begin exclusive');
  } catch (error) {
    raw.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => raw.close() };
}

// A lock that ends with the process that holds it: an exclusive transaction on a separate small SQLite file. The kernel
// releases it even after kill -9, so that a successor takes over at once instead of waiting for a lease to expire.
import { isBusy } from '../faults.ts';
import type { ProcessLock } from '../process-lock.ts';
import { openRaw } from './open.ts';

/** Takes the lock file at `path`, creating it; null while another process (or another caller in this one) holds it. */
export function tryFileLock(path: string): ProcessLock | null {
  const raw = openRaw(path);
  try {
    raw.pragma('busy_timeout = 0');
    raw.exec('begin exclusive');
  } catch (error) {
    raw.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return {
    get isHeld() {
      return raw.open;
    },
    release: () => raw.close(),
  };
}

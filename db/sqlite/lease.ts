// A lease that ends with the process that holds it: an exclusive transaction on a separate small SQLite file. The
// kernel releases it even after kill -9, so that a successor takes over at once instead of waiting for a time to pass.
import { basename } from 'node:path';
import { isBusy } from '../faults/faults.ts';
import type { Lease } from '../lease.ts';
import { openRaw } from './open.ts';

/**
 * Takes the lock file at `path`, creating it; null while another process (or another caller in this one) holds it.
 */
export function tryFileLease(path: string): Lease | null {
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
    name: basename(path, '.lock'),
    epoch: 0,
    get isHeld() {
      return raw.open;
    },
    async release() {
      raw.close();
    },
  };
}

// Whether another process is alive. A process id is asked about only where it is known to be of our own PID name space:
// containers may have equal host names, and then a foreign id names another process or none.
import { hostname } from 'node:os';
import { pidNamespace } from '../db/shared/pid-namespace.ts';

export interface ProcessName {
  hostname: string;
  /** Null: not known. */
  pidNamespace: string | null;
  pid: number;
}

const OUR_NAMESPACE = pidNamespace();

export const ourProcess = (): ProcessName => ({
  hostname: hostname(),
  pidNamespace: OUR_NAMESPACE,
  pid: process.pid,
});

/** True only where the process is known to be gone. */
export function isGone(named: ProcessName): boolean {
  const ours = ourProcess();
  if (named.hostname !== ours.hostname || ours.pidNamespace === null || named.pidNamespace !== ours.pidNamespace) {
    return false;
  }
  return !processLives(named.pid);
}

/** Signal 0 is checked, never delivered. */
function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Alive, but owned by another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

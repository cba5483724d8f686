// Checks whether another process is alive. A process id is checked only if it is known to be in our own PID namespace:
// containers may have equal host names, and then a foreign id belongs to another process or to none.
import { hostname } from 'node:os';
import { pidNamespace } from './pid-namespace.ts';

export interface ProcessName {
  hostname: string;
  /** Null: unknown. */
  pidNamespace: string | null;
  pid: number;
}

const OUR_NAMESPACE = pidNamespace();

export const ourProcess = (): ProcessName => ({
  hostname: hostname(),
  pidNamespace: OUR_NAMESPACE,
  pid: process.pid,
});

/** True only if the process has certainly ended. */
export function isGone(named: ProcessName): boolean {
  const ours = ourProcess();
  if (named.hostname !== ours.hostname || ours.pidNamespace === null || named.pidNamespace !== ours.pidNamespace) {
    return false;
  }
  return !processLives(named.pid);
}

/** Signal 0 only checks the process. */
function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Alive, but owned by another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

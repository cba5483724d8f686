// Detects the other process's writes: reads `pragma data_version` on an idle connection every 15 ms, which costs 10-20
// µs. No broker and no socket; listeners read the tables, so no message can be lost.
import { isPassingFault } from '../faults/faults.ts';
import { watchDataVersion } from './open.ts';

/**
 * Calls `onChange` after commits of other connections, at most once per poll. Returns a function that stops polling.
 */
export function watchFile(path: string, onChange: () => void, pollMs: number): () => void {
  const watcher = watchDataVersion(path);
  const versionOrNull = (): number | null => {
    try {
      return watcher.read();
    } catch (error) {
      // The file is locked or the disk fails: the next poll tries again.
      if (isPassingFault(error)) return null;
      throw error;
    }
  };
  let seen = versionOrNull();
  const timer = setInterval(() => {
    const version = versionOrNull();
    if (version === null || version === seen) return;
    seen = version;
    onChange();
  }, pollMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    watcher.close();
  };
}

// Detects the other process's writes: reads `pragma data_version` on an idle connection every 15 ms. No broker and no
// socket; listeners read the tables, so no message can be lost.
import { isPassingFault } from './faults.ts';
import { watchDataVersion } from './sqlite.ts';

/** Two polls must fit well within the 250 ms from an accepted call to its INVITE; a poll costs 10-20 µs. */
const POLL_MS = 15;

/**
 * Calls `onChange` after commits of other connections, at most once per poll. Returns a function that stops polling.
 */
export function watchChanges(path: string, onChange: () => void, pollMs = POLL_MS): () => void {
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

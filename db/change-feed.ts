// How each process learns of the other's writes: `pragma data_version` on an idle connection, every 15 ms. No broker, no
// socket, nothing to lose: whoever is told looks at the tables.
import { watchDataVersion } from './sqlite.ts';

/** Two polls must fit well within the 250 ms from an accepted call to its INVITE; a poll costs 10-20 µs. */
const POLL_MS = 15;

/** Calls `onChange` after commits of other connections, at most once a poll. Returns what ends it. */
export function watchChanges(path: string, onChange: () => void, pollMs = POLL_MS): () => void {
  const watcher = watchDataVersion(path);
  let seen = watcher.read();
  const timer = setInterval(() => {
    const version = watcher.read();
    if (version === seen) return;
    seen = version;
    onChange();
  }, pollMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    watcher.close();
  };
}

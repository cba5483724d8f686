// Names the threads, so that `top -H` and the bench can tell media from models.
import { writeFileSync } from 'node:fs';

/** Names the calling thread, at most 15 characters. Linux only; elsewhere nothing happens. */
export function nameThread(name: string): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/thread-self/comm', name);
  } catch {
    // The name only helps a person who lists the threads; the thread works without it.
  }
}

// Which process ids this process can speak about.
import { readlinkSync } from 'node:fs';

/** Names the PID name space of this process, e.g. `pid:[4026531836]`; null where that cannot be known. */
export function pidNamespace(): string | null {
  // Only Linux has several.
  if (process.platform !== 'linux') return process.platform;
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

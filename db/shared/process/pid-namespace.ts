// The PID namespace of this process: process ids are comparable only within one namespace.
import { readlinkSync } from 'node:fs';

/** The name of this process's PID namespace, e.g. `pid:[4026531836]`; null if it cannot be read. */
export function pidNamespace(): string | null {
  // Only Linux has several namespaces.
  if (process.platform !== 'linux') return process.platform;
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

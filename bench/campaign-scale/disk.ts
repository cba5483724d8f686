// Measures how long the disk takes to make the bytes of a claim durable: no claim can be faster.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A claim appends about 16 pages to the write-ahead log. */
const BYTES = 16 * 4_096;
const EVERY_MS = 50;

/** Duration of each write with its sync, ms; 20 a second. */
export async function measureDisk(seconds: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'voice-bench-disk-'));
  const file = openSync(join(folder, 'log'), 'w');
  const bytes = Buffer.alloc(BYTES, 1);
  const tookMs: number[] = [];
  try {
    for (const endMs = performance.now() + seconds * 1_000; performance.now() < endMs; ) {
      const startedMs = performance.now();
      writeSync(file, bytes);
      fdatasyncSync(file);
      tookMs.push(performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
  return tookMs;
}

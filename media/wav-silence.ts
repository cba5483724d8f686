// Silences parts of a recording in place: its length, and so the time of everything else in it, stays.
import { open } from 'node:fs/promises';
import { wavLayout } from './wav.ts';

export interface AudioPart {
  /** From the beginning of the file, ms. */
  fromMs: number;
  /** Null: to the end of the file. */
  toMs: number | null;
}

const HEAD_BYTES = 4_096;
const ZEROS = Buffer.alloc(64 * 1_024);

/**
 * Writes silence over parts of a WAV file, on all channels.
 * @throws {WavError} if it is no WAV file of 16-bit PCM; Error of the file system
 */
export async function silenceWav(path: string, parts: readonly AudioPart[]): Promise<void> {
  if (parts.length === 0) return;
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(Math.min(HEAD_BYTES, size));
    await file.read(head, 0, head.length, 0);
    const { dataOffset, dataBytes, sampleRateHz, channels } = wavLayout(head, size);
    const blockBytes = channels * 2;
    const byteAt = (ms: number): number =>
      Math.max(0, Math.min(dataBytes, Math.round((ms * sampleRateHz) / 1_000) * blockBytes));
    for (const { fromMs, toMs } of parts) {
      const end = toMs === null ? dataBytes : byteAt(toMs);
      for (let at = byteAt(fromMs); at < end; at += ZEROS.length)
        await file.write(ZEROS, 0, Math.min(ZEROS.length, end - at), dataOffset + at);
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}

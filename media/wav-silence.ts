// Silences parts of a recording in place: its length, and so the time of everything else in it, stays.
import { open } from 'node:fs/promises';
import { wavLayout } from './wav.ts';

export interface AudioPart {
  /** From the beginning of the file, ms. */
  fromMs: number;
  /** Null: to the end of the file. */
  toMs: number | null;
  /** 0 is the left one; null: all of them. */
  channel: number | null;
}

const HEAD_BYTES = 4_096;
/** Read and written at a time; a multiple of every block of up to 16 channels. */
const CHUNK_BYTES = 64 * 1_024;

/**
 * Writes silence over parts of a WAV file.
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
    const chunk = Buffer.alloc(CHUNK_BYTES - (CHUNK_BYTES % blockBytes));
    for (const { fromMs, toMs, channel } of parts) {
      const end = toMs === null ? dataBytes : byteAt(toMs);
      for (let at = byteAt(fromMs); at < end; at += chunk.length) {
        const bytes = Math.min(chunk.length, end - at);
        if (channel === null) chunk.fill(0);
        else {
          await file.read(chunk, 0, bytes, dataOffset + at);
          for (let i = channel * 2; i < bytes; i += blockBytes) chunk.writeInt16LE(0, i);
        }
        await file.write(chunk, 0, bytes, dataOffset + at);
      }
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}

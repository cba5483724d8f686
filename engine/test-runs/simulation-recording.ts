// The recording of a simulation as it is kept: an MP3 of both sides beside the result, with which it goes. The file of
// the call is removed at once, so that nothing else would have to find it.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Piscina } from 'piscina';

const MP3_WORKER = new URL('../after-call/mp3-worker.ts', import.meta.url).href;

/** Null: nothing was recorded. Encoded on a thread of the lowest priority. */
export async function takeRecording(recordingsDir: string, resultId: string): Promise<Uint8Array | null> {
  const wavPath = join(recordingsDir, `${resultId}.wav`);
  const mp3Path = join(recordingsDir, `${resultId}.mp3`);
  const pool = new Piscina({ filename: MP3_WORKER, minThreads: 0, maxThreads: 1 });
  try {
    await pool.run({ wavPath, mp3Path });
    return await readFile(mp3Path);
  } catch {
    // The call was over before a packet came, or another process has tidied the folder: the verdict counts without it.
    return null;
  } finally {
    await pool.destroy();
    for (const path of [wavPath, mp3Path]) await rm(path, { force: true });
  }
}

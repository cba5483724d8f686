// Makes an uploaded WAV fit for telephone lines, on its own thread: two minutes of it are some ten million samples.
import { parentPort, workerData } from 'node:worker_threads';
import { HoldMusicError, holdMusicOf } from '../../media/hold-music-file.ts';
import { WavError } from '../../media/wav.ts';

export type MusicRead = { samples: Int16Array } | { fault: string };

parentPort?.postMessage(read(Buffer.from(workerData as Uint8Array)));

function read(file: Buffer): MusicRead {
  try {
    return { samples: holdMusicOf(file) };
  } catch (error) {
    if (error instanceof HoldMusicError || error instanceof WavError) return { fault: error.message };
    throw error;
  }
}

// Makes an uploaded WAV fit for telephone lines, on its own thread: two minutes of it are some ten million samples.
import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { HoldMusicError, holdMusicOf } from '../../media/hold-music-file.ts';
import { WavError } from '../../media/wav.ts';

export type MusicRead = { samples: Int16Array } | { fault: string };

/** A file that the process has open: its bytes are in this thread's memory alone. */
export interface MusicFile {
  descriptor: number;
  bytes: number;
}

parentPort?.postMessage(read(contents(workerData as MusicFile)));

function contents({ descriptor, bytes }: MusicFile): Buffer {
  const file = Buffer.alloc(bytes);
  let at = 0;
  for (let got = 1; at < bytes && got > 0; at += got) got = readSync(descriptor, file, at, bytes - at, at);
  return file.subarray(0, at);
}

function read(file: Buffer): MusicRead {
  try {
    return { samples: holdMusicOf(file) };
  } catch (error) {
    if (error instanceof HoldMusicError || error instanceof WavError) return { fault: error.message };
    throw error;
  }
}

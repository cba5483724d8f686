// The thread that measures a recording: at nice 19, in pieces of half a minute.
import { open } from 'node:fs/promises';
import { LevelMeter, soundSpans } from '../../media/response-gaps.ts';
import { wavLayout } from '../../media/wav.ts';
import { lowerThreadPriority } from '../../models/workers/priority.ts';
import type { RecordedSpeech } from './recorded-timeline.ts';

lowerThreadPriority();

const HEAD_BYTES = 4_096;
const PIECE_BYTES = 1 << 20;

export interface ListeningTask {
  wavPath: string;
}

/** @throws {WavError} if the file is not a stereo recording */
export default async function listen({ wavPath }: ListeningTask): Promise<RecordedSpeech> {
  const file = await open(wavPath, 'r');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(Math.min(HEAD_BYTES, size));
    await file.read(head, 0, head.length, 0);
    const { sampleRateHz, channels, dataOffset, dataBytes } = wavLayout(head, size);
    if (channels !== 2) throw new Error(`a recording has two channels, not ${channels}`);
    const [caller, agent] = [new LevelMeter(sampleRateHz), new LevelMeter(sampleRateHz)];
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let at = 0; at < dataBytes; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, dataBytes - at), dataOffset + at);
      // The length is not a whole number of blocks only at the end of the file.
      const whole = bytesRead - (bytesRead % 4);
      if (whole === 0) break;
      for (let byte = 0; byte < whole; byte += 4) {
        caller.push(piece.readInt16LE(byte));
        agent.push(piece.readInt16LE(byte + 2));
      }
      at += whole;
    }
    return { caller: soundSpans(caller.levels), agent: soundSpans(agent.levels) };
  } finally {
    await file.close();
  }
}

// The caller's sound in a recording: only the parts that are asked for are read, so that keeping a sentence of a call
// costs the same whether the call took a minute or a day.
import type { Readable } from 'node:stream';
import { WavError, wavLayout } from '../../media/wav.ts';
import type { Recording } from '../calls/recording/audio.ts';
import type { ApiContext } from '../context.ts';
import { invalid } from '../frame/errors.ts';
import { fromStore, storeDown } from '../frame/files.ts';

/** Of one sentence: what is longer is cut. */
export const CLIP_MS_MAX = 60_000;
/** The chunks before the samples. */
const HEAD_BYTES = 4_096;
/** For all of them: the file is on a disk, in an object store, or on another engine's disk. */
const READ_WITHIN_MS = 60_000;
const BYTES_A_SAMPLE = 2;

interface Span {
  fromMs: number;
  toMs: number;
}

export interface CallerSound {
  sampleRateHz: number;
  /** PCM16 of one channel, one part after the other. @throws {ApiError} 404, 503 */
  cut(span: Span): Promise<Int16Array>;
}

/** Null: one channel alone, in which nobody knows who speaks. @throws {ApiError} 404, 422, 503 */
export async function openCallerSound(
  context: Pick<ApiContext, 'log'>,
  recording: Recording,
): Promise<CallerSound | null> {
  const read = reader(context, recording);
  const head = await read(0, HEAD_BYTES - 1);
  const { sampleRateHz, channels, dataOffset, dataBytes } = layoutOf(head, recording.bytes);
  if (channels < 2) return null;
  const blockBytes = channels * BYTES_A_SAMPLE;
  const blocks = dataBytes / blockBytes;
  const blockAt = (ms: number): number => Math.min(blocks, Math.round((ms * sampleRateHz) / 1_000));
  return {
    sampleRateHz,
    cut: async ({ fromMs, toMs }) => {
      const from = blockAt(fromMs);
      const to = blockAt(Math.min(toMs, fromMs + CLIP_MS_MAX));
      if (to <= from) return new Int16Array(0);
      const bytes = await read(dataOffset + from * blockBytes, dataOffset + to * blockBytes - 1);
      const samples = new Int16Array(Math.floor(bytes.length / blockBytes));
      for (let at = 0; at < samples.length; at++) samples[at] = bytes.readInt16LE(at * blockBytes);
      return samples;
    },
  };
}

type Read = (first: number, last: number) => Promise<Buffer>;

/** Of bytes that are there: what stands behind the end is left out. */
function reader(context: Pick<ApiContext, 'log'>, recording: Recording): Read {
  const signal = AbortSignal.timeout(READ_WITHIN_MS);
  return (first, last) =>
    fromStore(context, 'Recording', async () => {
      const range = { first, last: Math.min(last, recording.bytes - 1) };
      if (range.last < first) return Buffer.alloc(0);
      try {
        return await bytesOf(await recording.open(range, signal));
      } catch (error) {
        throw signal.aborted ? storeDown('The recording could not be read in time') : error;
      }
    });
}

function layoutOf(head: Buffer, fileBytes: number) {
  try {
    return wavLayout(head, fileBytes);
  } catch (error) {
    if (!(error instanceof WavError)) throw error;
    throw invalid([{ field: 'id', message: `is a call whose recording cannot be cut: ${error.message}` }]);
  }
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

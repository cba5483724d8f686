// Encodes a finished recording as MP3, for campaigns that want it. The encoder is synchronous and slow, so it works
// block by block and can be cancelled between blocks. It must never run in a shard's thread.
import { open } from 'node:fs/promises';
import { Mp3Encoder } from '@breezystack/lamejs';
import { WavError, wavLayout } from './wav.ts';

// 16 kbit/s per channel is transparent for telephone speech at 8 kHz (MPEG-2.5), twice that at 16 kHz (MPEG-2).
const KBPS_PER_CHANNEL = { 8000: 16, 16000: 32 } as const;
// A frame is 576 samples at these rates; a block is 4 s of stereo at 8 kHz, about 20 ms of work.
const BLOCK_SAMPLES = 576 * 56;
const HEAD_BYTES = 4096;

/**
 * Encodes the PCM16 WAV file at `wavPath` (8 or 16 kHz, one or two channels) into `mp3Path`. `isCancelled` is asked
 * before each block.
 * @returns true when the file is complete; false when it was cancelled, which leaves a partial file
 * @throws {WavError} for other formats; the error of the file system for files it cannot read or write
 */
export async function encodeMp3(
  wavPath: string,
  mp3Path: string,
  isCancelled: () => boolean = () => false,
): Promise<boolean> {
  const wav = await open(wavPath, 'r');
  try {
    const { size } = await wav.stat();
    const head = Buffer.alloc(Math.min(HEAD_BYTES, size));
    await wav.read(head, 0, head.length, 0);
    const { channels, sampleRateHz, dataOffset, dataBytes } = wavLayout(head, size);
    if ((channels !== 1 && channels !== 2) || (sampleRateHz !== 8000 && sampleRateHz !== 16_000)) {
      throw new WavError('WAV_UNSUPPORTED', `no MP3 of ${channels} channels at ${sampleRateHz} Hz`);
    }
    const encoder = new Mp3Encoder(channels, sampleRateHz, KBPS_PER_CHANNEL[sampleRateHz] * channels);
    const mp3 = await open(mp3Path, 'w');
    try {
      const block = Buffer.alloc(BLOCK_SAMPLES * channels * 2);
      for (let at = 0; at < dataBytes; at += block.length) {
        if (isCancelled()) return false;
        const { bytesRead } = await wav.read(block, 0, Math.min(block.length, dataBytes - at), dataOffset + at);
        if (bytesRead === 0) break;
        await mp3.write(encodeBlock(encoder, block.subarray(0, bytesRead - (bytesRead % (channels * 2))), channels));
        // Lets the thread handle messages between two blocks.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await mp3.write(encoder.flush());
      await mp3.sync();
      return true;
    } finally {
      await mp3.close();
    }
  } finally {
    await wav.close();
  }
}

function encodeBlock(encoder: Mp3Encoder, bytes: Buffer, channels: number): Uint8Array {
  const frames = bytes.length / (channels * 2);
  const [left, right] = [new Int16Array(frames), new Int16Array(channels === 2 ? frames : 0)];
  for (let i = 0; i < frames; i++) {
    left[i] = bytes.readInt16LE(i * channels * 2);
    if (channels === 2) right[i] = bytes.readInt16LE(i * 4 + 2);
  }
  return channels === 2 ? encoder.encodeBuffer(left, right) : encoder.encodeBuffer(left);
}

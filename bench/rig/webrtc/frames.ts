// Speech as a browser's microphone sends it by either path: 20 ms at a time, as PCM and as a packet of Opus.
import { FRAME_MS, frameSamples } from '../../../media/frame.ts';
import { OPUS_RATE_HZ, OpusCodec } from '../../../media/opus.ts';
import type { Frame } from './browser-caller.ts';

export async function framesOf(samples: Int16Array): Promise<Frame[]> {
  const opus = await OpusCodec.open();
  const packet = new Uint8Array(1_275);
  const frames: Frame[] = [];
  const frame = frameSamples(OPUS_RATE_HZ);
  for (let at = 0; at + frame <= samples.length; at += frame) {
    const piece = samples.slice(at, at + frame);
    const bytes = opus.encode(piece, packet, 0);
    frames.push({ pcm: Buffer.from(piece.buffer), opus: Buffer.from(packet.slice(0, bytes)) });
  }
  opus.close();
  return frames;
}

/** Calls `send` once for each 20 ms that have passed. Returns a function that ends it. */
export function everyFrame(send: (tick: number) => void): () => void {
  const beganMs = performance.now();
  let ticks = 0;
  const timer = setInterval(() => {
    for (; ticks * FRAME_MS < performance.now() - beganMs; ticks++) send(ticks);
  }, FRAME_MS / 4);
  return () => clearInterval(timer);
}

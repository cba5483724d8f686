// The VAD port: the messages between a shard and the VAD worker. Audio goes through a ring in shared memory and only
// probabilities come back, so a window costs no copy.

/** Samples in one window: 32 ms at 8 kHz, the only rate of the VAD worker. */
export const VAD_WINDOW_SAMPLES = 256;
export const VAD_SAMPLE_RATE_HZ = 8_000;

/** Shard → VAD worker, on the shard's own MessagePort. The shard numbers its streams and uses no number twice. */
export type VadRequest =
  /** Rings after audio was written. Comes before any stream. */
  | { type: 'doorbell'; shared: SharedArrayBuffer }
  | { type: 'open'; stream: number; ring: SharedArrayBuffer }
  | { type: 'close'; stream: number }
  | { type: 'stop' };

/** VAD worker → shard, one message per batch. */
export type VadReply =
  | { type: 'ready' }
  /** Three numbers a window, because an array of numbers is cheaper to send than objects. */
  | { type: 'windows'; windows: Float64Array }
  | { type: 'failed'; message: string };

export interface ScoredWindow {
  stream: number;
  probability: number;
  /** Counts the samples written to the ring since `open`. */
  endSample: number;
}

export function packWindows(windows: readonly ScoredWindow[]): Float64Array {
  const packed = new Float64Array(windows.length * 3);
  windows.forEach(({ stream, probability, endSample }, index) => {
    packed[index * 3] = stream;
    packed[index * 3 + 1] = probability;
    packed[index * 3 + 2] = endSample;
  });
  return packed;
}

export function eachWindow(
  packed: Float64Array,
  take: (stream: number, probability: number, endSample: number) => void,
): void {
  for (let at = 0; at + 2 < packed.length; at += 3)
    take(packed[at] as number, packed[at + 1] as number, packed[at + 2] as number);
}

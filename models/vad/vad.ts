// The VAD port: the messages between a shard and the VAD worker. Audio goes through a ring in shared memory and only
// probabilities come back, so a window costs no copy.

/** Samples in one window: 32 ms at 8 kHz, the only rate of the VAD worker. */
export const VAD_WINDOW_SAMPLES = 256;
export const VAD_SAMPLE_RATE_HZ = 8_000;

/** Shard → VAD worker, on the shard's own MessagePort. */
export type VadRequest =
  | { type: 'open'; callId: string; ring: SharedArrayBuffer }
  | { type: 'close'; callId: string }
  | { type: 'stop' };

/** VAD worker → shard, one message per batch. `endSample` counts the samples written to the ring since `open`. */
export type VadReply =
  | { type: 'ready' }
  | { type: 'windows'; windows: Array<{ callId: string; probability: number; endSample: number }> }
  | { type: 'failed'; message: string };

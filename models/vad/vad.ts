// The VAD port: which messages a shard and the VAD worker exchange. Audio goes through a ring in shared memory; only
// probabilities come back, so that a window costs no copy.

/** Samples of one window at 8 kHz (32 ms), the only rate the VAD worker takes. */
export const VAD_WINDOW_SAMPLES = 256;
export const VAD_SAMPLE_RATE_HZ = 8_000;

/** Shard → VAD worker, on a MessagePort of their own. */
export type VadRequest =
  | { type: 'open'; callId: string; ring: SharedArrayBuffer }
  | { type: 'close'; callId: string }
  | { type: 'stop' };

/** VAD worker → shard. `endSample` counts samples written to the ring since `open`. Batched: one message a run. */
export type VadReply =
  | { type: 'ready' }
  | { type: 'windows'; windows: Array<{ callId: string; probability: number; endSample: number }> }
  | { type: 'failed'; message: string };

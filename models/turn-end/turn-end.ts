// The turn-end port: a model that hears whether the caller has finished. It is asked once in each pause. If its answer
// is late or missing, the rules decide.

/** Sample rate of the model's input. */
export const TURN_END_RATE_HZ = 16_000;
/** The model hears at most this much of the end of a turn. */
export const TURN_END_SECONDS = 8;

export interface TurnEndModel {
  /**
   * The likelihood, 0..1, that a turn which ends with `samples` is over: PCM16 at 16 kHz; only the last 8 s count.
   * @throws the signal's reason if it is aborted before the model begins; a running model cannot be interrupted
   */
  judge(samples: Int16Array, signal?: AbortSignal): Promise<number>;
  /** Only once no `judge` is in progress. */
  release(): Promise<void>;
}

/** Shard → turn-end worker, on the shard's own MessagePort. */
export type TurnEndRequest =
  /**
   * Replaces a waiting request of the same call. `sampleRateHz` is the call's own rate. `withinMs`: after this time in
   * the queue nobody needs the answer.
   */
  | { type: 'judge'; callId: string; pause: number; sampleRateHz: number; samples: Int16Array; withinMs: number }
  /** The pause is over. */
  | { type: 'cancel'; callId: string }
  | { type: 'stop' };

/** Turn-end worker → shard: one answer to each `judge` that was neither replaced nor cancelled. */
export type TurnEndReply =
  | { type: 'ready' }
  | { type: 'judged'; callId: string; pause: number; likelihood: number }
  | { type: 'failed'; callId: string; pause: number; message: string };

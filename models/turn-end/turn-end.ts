// The port of turn ends: a model that hears whether the caller has finished. It is asked once in each pause, and an
// answer that comes late or never leaves the rules in charge.

/** What the model hears. */
export const TURN_END_RATE_HZ = 16_000;
/** The end of the caller's turn that it is given, at most. */
export const TURN_END_SECONDS = 8;

export interface TurnEndModel {
  /**
   * The likelihood, 0..1, that the turn is over which ends with `samples`: PCM16 at 16 kHz, of which the last 8 s
   * count.
   * @throws the signal's reason when it was aborted before the model began; the model itself cannot be interrupted
   */
  judge(samples: Int16Array, signal?: AbortSignal): Promise<number>;
  /** Only once no `judge` is in progress. */
  release(): Promise<void>;
}

/** Shard → turn-end worker, on the shard's own MessagePort. */
export type TurnEndRequest =
  /**
   * Replaces what the same call still waits for. `sampleRateHz` is the call's own rate. `withinMs`: after this time in
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

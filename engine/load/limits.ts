// All thresholds of the policy that admits calls, except the places themselves (`admission.ts`, db/domain/places.ts):
// lateness (`overload.ts`) and growth (`growth.ts`). `load.ts` composes them; test/engine/load/policy.test.ts plays
// them together. docs/capacity.md explains each figure.

// Lateness

/** How often the engine checks its load. Shards send their counts at the same interval. */
export const LOOK_MS = 500;
/** One in a hundred may be late: the limits apply to the 99th percentile. */
export const LATE_SHARE = 0.01;
export const WINDOW_MS = 5_000;
/**
 * Out of the ten samples of one shard in the window. An overloaded engine is late in each; a stall spoils one or two.
 */
export const LATE_SAMPLES = 5;
/** As many as the samples of one shard. */
export const LOOKS = WINDOW_MS / LOOK_MS;
/** Answers to callers and to INVITEs pass through the control thread, several times each. */
export const DELAY_MS = 100;
/**
 * Share of the cores for shards and VAD. From about 82 % on, single seconds reach the kernel's limit for real-time
 * threads (`audio-share.ts`).
 */
export const AUDIO_SHARE = 0.8;
export const STT_BACKLOG_MS = 300;
/** Two seconds: a look may coincide with the decoding of a long block, and recognisers have the lowest priority. */
export const BACKLOG_LOOKS = 4;
export const CLOSED_MS = 3_000;
/** With fewer calls, something other than calls takes the time, and a refusal helps nobody. */
export const FEW_CALLS = 10;
/** Share of the calls that the cores carry: the cost of audio is known, that of engines is not. */
export const FEW_MEDIA_SHARE = 0.25;
/** Share of `maxCalls`, if that is less. */
export const FEW_SHARE = 0.75;

// Growth

/** Share of the calls that the cores carry: the load that a machine is trusted with before any proof. */
export const BELIEVED_SHARE = 0.75;
/** Share of the same, per second: before lateness shows, the calls have grown by less than a tenth. */
export const SHARE_A_SECOND = 0.02;
/** The number of looks for which a number of calls must have been up. */
export const PROOF_LOOKS = 10;
/** Share of the calls that were up when lateness showed. */
export const STEP_BACK = 0.85;
/** How long growth stays careful after lateness. */
export const CAREFUL_MS = 60_000;
export const CAREFUL_SHARE = 0.1;

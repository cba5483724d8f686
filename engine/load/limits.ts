// Every threshold of the policy that lets calls in, but for the places themselves (`admission.ts`,
// db/domain/places.ts): how late is too late (`overload.ts`), and how fast calls may grow (`growth.ts`). `load.ts`
// composes them; test/engine/load/policy.test.ts plays them together. Why each figure is what it is: docs/capacity.md.

// Lateness

/** How often the engine judges itself. Shards send their counts as often. */
export const LOOK_MS = 500;
/** One of a hundred may be late: the limits are of the 99th percentile. */
export const LATE_SHARE = 0.01;
export const WINDOW_MS = 5_000;
/**
 * Of the window's ten samples of one shard. An engine that has too much to do is late in each; stalls spoil one or two.
 */
export const LATE_SAMPLES = 5;
/** As many as samples of one shard. */
export const LOOKS = WINDOW_MS / LOOK_MS;
/** Answers to callers and to INVITEs pass the thread that leads the calls, several times for each. */
export const DELAY_MS = 100;
/**
 * Of the cores, by shards and voice activity detection. From some 82 % on, single seconds reach what the kernel lets
 * them have (`audio-share.ts`).
 */
export const AUDIO_SHARE = 0.8;
export const STT_BACKLOG_MS = 300;
/** Two seconds: a look may fall into the decoding of a long block, and recognisers run last. */
export const BACKLOG_LOOKS = 4;
export const CLOSED_MS = 3_000;
/** With fewer calls something else than calls takes the time, and a refusal helps nobody. */
export const FEW_CALLS = 10;
/** Of what the cores carry: the cost of audio is known, that of engines is not. */
export const FEW_MEDIA_SHARE = 0.25;
/** Of `maxCalls`, where that is less. */
export const FEW_SHARE = 0.75;

// Growth

/** Of what the cores carry: this much is believed of a machine that has shown nothing yet. */
export const BELIEVED_SHARE = 0.75;
/** Of the same, a second: by the time that lateness shows, the calls have grown by less than a tenth. */
export const SHARE_A_SECOND = 0.02;
/** The looks for which a number of calls must have been up. */
export const PROOF_LOOKS = 10;
/** Of the calls that were up when it was late. */
export const STEP_BACK = 0.85;
/** After lateness. */
export const CAREFUL_MS = 60_000;
export const CAREFUL_SHARE = 0.1;

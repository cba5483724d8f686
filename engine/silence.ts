// How long an engine may be silent, and what follows after each while. The limits belong together: none of them may be
// changed without a look at the others, and test/engine/silence.test.ts holds what must be true between them. They
// stand on the floor of the clock, since SIP and the shards pass the fence too. After how long an engine gets no new
// call is known to the API as well: db/domain/heartbeat.ts.

/** An engine writes its heartbeat, and passes its fence, so often. */
export const BEAT_EVERY_MS = 1_000;
/** An engine that has missed two beats may be gone: it is given nothing. Its own beats have had a gap after as long. */
export const BEATS_MISSED_MS = 3_000;
/** A start waits so long for the engine that had its folder, killed on another machine a moment ago, to be silent. */
export const PREDECESSOR_WAIT_MS = 8_000;
/** An engine that stood still for so long may have been taken for dead, and ends before it says anything. */
export const FENCED_AFTER_MS = 8_000;
/** An engine that is silent for so long, and whose ports are closed on a machine that is there, has ended. */
export const GONE_AFTER_MS = 3_000;
/** An engine that is silent for so long, and does not answer, is dead. */
export const DEAD_AFTER_MS = 10_000;
/** An engine's own heartbeats have arrived for so long before it says of another one that it is dead. */
export const SOUND_FOR_MS = 15_000;
/** A caller who has heard nothing for so long has hung up, or does now: nobody goes on with the call. */
export const LONGEST_GAP_MS = 30_000;
/** An engine that answers, but cannot write, keeps its calls for so long. */
export const CUT_OFF_FOR_MS = 120_000;

/** The failure detector looks so often, asks a silent engine so many times, and waits so long for each answer. */
export const LOOK_EVERY_MS = 1_000;
export const QUESTIONS = 2;
export const ANSWER_WITHIN_MS = 1_000;
/** The engine whose turn it is goes on with a lost call within the first of them; within the second all had theirs. */
export const TURN_MS = 2_000;
export const TURNS_MS = 10_000;

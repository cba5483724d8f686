// Barge-in: whether speech over the agent takes the floor. The first VAD window only lowers the agent's volume. The
// functions here decide whether the agent falls silent (enough voice or words) or goes on (a cough, an echo, "uh-huh").
import { isBackchannel, speechWords, startsWith } from './spoken.ts';
import type { TurnWords } from './words/turn-words.ts';

/** The limits for an interruption: reaching either is enough. */
export interface InterruptionNeed {
  voicedMs: number;
  words: number;
  /**
   * Extra voice needed while no word is known, because a drawn-out "uh-huh" is as long as a short interruption. The
   * agent is quiet meanwhile, so this costs the caller nothing.
   */
  graceMs: number;
}

// Anchors of the business setting: 0.5 is about 350 ms or two words, 1 about 120 ms; near 0 the caller must speak long.
const NEAR_ZERO_MS = 900;
const HALF_MS = 350;
const FULL_MS = 120;
const GRACE_MS = 600;
/** A backchannel is short. Longer speech recognised as one is a recognition error. */
export const LONGEST_BACKCHANNEL_MS = 1_200;
/** Each false alarm beyond the first raises the limits by this factor. */
const RISE = 0.5;
const MOST_RISES = 4;

/** The limits at this sensitivity (0..1); null at 0, where the agent never yields. */
export function interruptionNeed(sensitivity: number, falseAlarms = 0): InterruptionNeed | null {
  if (sensitivity <= 0) return null;
  const s = Math.min(1, sensitivity);
  const voicedMs =
    s < 0.5 ? NEAR_ZERO_MS + (HALF_MS - NEAR_ZERO_MS) * (s / 0.5) : HALF_MS + (FULL_MS - HALF_MS) * ((s - 0.5) / 0.5);
  const rise = 1 + RISE * Math.min(MOST_RISES, Math.max(0, falseAlarms - 1));
  return {
    voicedMs: Math.round(voicedMs * rise),
    words: s < 0.25 ? 4 : s < 0.5 ? 3 : s < 0.9 ? 2 : 1,
    graceMs: s < 0.9 ? GRACE_MS : 0,
  };
}

export interface Lexicon {
  words: TurnWords;
  /** Further backchannels that the business has chosen. */
  backchannels: readonly string[];
}

/** Whether speech takes the floor. `voicedMs`: voiced time so far; `text`: the recognised text, may be empty. */
export function takesFloor(need: InterruptionNeed, voicedMs: number, text: string, lexicon: Lexicon): boolean {
  if (isBackchannel(text, lexicon.words, lexicon.backchannels) && voicedMs < LONGEST_BACKCHANNEL_MS) return false;
  const said = speechWords(text);
  if (startsWith(said, lexicon.words.takeovers)) return true;
  return voicedMs >= need.voicedMs || said.length >= need.words;
}

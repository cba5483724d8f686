// The word tables of turn-taking: one file per language in this folder, which a speaker of the language can correct.
// Entries are lower case, without punctuation except apostrophes and hyphens, and may be several words.
import type { Expectation } from '../../../models/stt/stt.ts';

/** How often a turn ends after these, beside other words: natural log odds, and the entries that have them. */
export interface TurnEnds {
  /** Entries with spaces between. */
  words: ReadonlyArray<readonly [odds: number, entries: string]>;
  /** Pairs of words with commas between; they count before the last word alone. "0" is any number. */
  pairs: ReadonlyArray<readonly [odds: number, entries: string]>;
}

export interface TurnWords {
  /** Said while listening, to encourage the speaker; inside another's sentence they mean nothing else. */
  backchannels: readonly string[];
  /** Mean yes to a question. They never ask for the floor; those also in `backchannels` may be mere encouragement. */
  affirmations: readonly string[];
  negations: readonly string[];
  /** May accompany a yes or no: "please", "thank you", "I do". */
  answerTails: readonly string[];
  /** Said when a call is picked up. */
  salutations: readonly string[];
  /** Any of these at the beginning asks for the floor, however short. */
  takeovers: readonly string[];
  /** Begin a sentence in place of what was said: "sorry", "actually". */
  restarts: readonly string[];
  /** Ask for patience: the whole turn is one of these, perhaps with `answerTails`. */
  waits: readonly string[];
  /** Ask for silence, and for nothing else: the whole turn is these, perhaps with `answerTails`. */
  stops: readonly string[];
  fillers: readonly string[];
  /** Words that cannot end a sentence. */
  openEndings: readonly string[];
  ends: TurnEnds;
  /** Callers say their name with these before they say what they want. */
  introductions: readonly string[];
  /** Say what a caller wants: a first statement without one of these goes on. */
  requests: readonly string[];
  /** Words that begin a question. */
  questionStarts: readonly string[];
  /** Lead from what was said to a question: "and", "so". */
  connectives: readonly string[];
  /** Begin a question whose end may look unfinished: "what … do you have". */
  questionWords: readonly string[];
  /** Such a question is whole after these, although another sentence goes on after them. */
  questionTails: readonly string[];
  /** A complete request may end with these. */
  closings: readonly string[];
  /** Digit words, with their values. */
  digits: Readonly<Record<string, number>>;
  /** Further number words; the first is ten. */
  numbers: readonly string[];
  /** "Double four", "triple zero". */
  repeats: readonly string[];
  /** Announce a dictation: "my number is". */
  dictations: readonly string[];
  /** Nouns that digits may follow; at the end of a sentence they ask for a number, or were asked for one. */
  dictationNouns: readonly string[];
  /** Spoken forms of "@" and "." in an address. */
  at: readonly string[];
  dot: readonly string[];
  months: readonly string[];
  weekdays: readonly string[];
  /** Parts of a day, and other words that complete a time. */
  dayParts: readonly string[];
  ordinal: RegExp;
  /** Leave a date or a time unfinished: "next", "half". */
  dateOpenings: readonly string[];
  timeOpenings: readonly string[];
  /** Patterns that show what the agent's question asks for; the first match counts. */
  asks: ReadonlyArray<readonly [Exclude<Expectation, 'anything'>, RegExp]>;
  /** "Four-digit": the number of digits that a question asks for. */
  digitCount: RegExp;
  /** A sentence that announces the recording. */
  recording: RegExp;
}

// The words by which turn-taking understands a sentence: one file a language beside this one, which a speaker of the
// language can correct. Everything is lower case, without punctuation but apostrophes and hyphens; an entry may be
// several words.
import type { Expectation } from '../../../models/stt/stt.ts';

export interface TurnWords {
  /** Said while listening, to encourage the speaker: in the middle of a sentence they mean nothing else. */
  backchannels: readonly string[];
  /** Answer a question with yes. They never ask for the floor; those among `backchannels` may only encourage. */
  affirmations: readonly string[];
  negations: readonly string[];
  /** May stand beside a yes or no: "please", "thank you", "I do". */
  answerTails: readonly string[];
  /** Said when a call is picked up. */
  salutations: readonly string[];
  /** Any of these at the beginning asks for the floor, however short. */
  takeovers: readonly string[];
  /** The caller asks for patience: the whole turn is one of these, perhaps with `answerTails`. */
  waits: readonly string[];
  fillers: readonly string[];
  /** Words with which a sentence cannot end. */
  openEndings: readonly string[];
  /** Words with which a question begins. */
  questionStarts: readonly string[];
  /** A complete request may end with these. */
  closings: readonly string[];
  /** By their values. */
  digits: Readonly<Record<string, number>>;
  /** Further words of numbers; the first is ten. */
  numbers: readonly string[];
  /** "Double four", "triple zero". */
  repeats: readonly string[];
  /** After one of these the caller dictates: "my number is". */
  dictations: readonly string[];
  /** How "@" and "." are said in an address. */
  at: readonly string[];
  dot: readonly string[];
  months: readonly string[];
  weekdays: readonly string[];
  /** Parts of a day and what else completes a time. */
  dayParts: readonly string[];
  ordinal: RegExp;
  /** What leaves a date or a time unfinished: "next", "half". */
  dateOpenings: readonly string[];
  timeOpenings: readonly string[];
  /** What a question of the agent's asks for, by what stands in it; the first that matches. */
  asks: ReadonlyArray<readonly [Exclude<Expectation, 'anything'>, RegExp]>;
  /** "Four-digit": the number of digits that a question asks for. */
  digitCount: RegExp;
  /** A sentence that tells of the recording. */
  recording: RegExp;
}

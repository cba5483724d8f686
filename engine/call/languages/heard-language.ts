// Whether the caller has gone over to another language, by what the recogniser says of each utterance. Pure. A short
// answer says little: "no" is a word of four languages, and names and places belong to none.
import { baseLanguage } from '../../../db/domain/calls/languages.ts';

export interface HeardUtterance {
  /** BCP 47. */
  language: string;
  words: number;
  /** 0..1, of the recogniser's text. */
  confidence: number;
}

/** Utterances in a row in a language that is not spoken; null: the last one was in the spoken one. */
export interface HeardLanguage {
  other: { base: string; count: number } | null;
  /** The language was changed by ear before: the next time it takes two utterances in any case. */
  hasChanged: boolean;
}

export const NOTHING_HEARD: HeardLanguage = { other: null, hasChanged: false };

/** Fewer words say nothing. */
const MIN_WORDS = 2;
const IN_A_ROW = 2;
/** A sentence that is as clear as this needs no second one: the caller would wait for it in the wrong language. */
const CLEAR = { words: 5, confidence: 0.85 };

/** @param spoken the language of the call @param offered those that it may be led in @returns the one to change to */
export function hearLanguage(
  state: HeardLanguage,
  { language, words, confidence }: HeardUtterance,
  spoken: string,
  offered: readonly string[],
): [HeardLanguage, string | null] {
  const base = baseLanguage(language);
  if (words < MIN_WORDS) return [state, null];
  const wanted = offered.find((each) => baseLanguage(each) === base);
  if (wanted === undefined || base === baseLanguage(spoken)) return [{ ...state, other: null }, null];
  const count = state.other?.base === base ? state.other.count + 1 : 1;
  const isClear = !state.hasChanged && words >= CLEAR.words && confidence >= CLEAR.confidence;
  if (count >= IN_A_ROW || isClear) return [{ other: null, hasChanged: true }, wanted];
  return [{ ...state, other: { base, count } }, null];
}

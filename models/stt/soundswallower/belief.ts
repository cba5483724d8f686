// Whether words are believed: by what is missing of the confidence that the decoder's path should have, and by the
// likelihood of their phones (evidence.ts). Of short words the likelihood says more; of a sentence the confidence does,
// and the likelihood decides where the confidence is at its limit.
//
// Short words: a lone "yes" or "no" decides a call and is believed less readily than
// other words, and "yep" least of all: a person's "no" sounded like one (likelihood 0.95), and so did "left" (0.93).
//
// The limits were found on one half of people's "yes" and "no": of 76 understood without doubt 45 and now 46, exchanged
// 1 and now 0, of 321 other words taken for either 3 and now 4. On the other half: of 43 understood 25 both ways, none
// exchanged, of 188 other words 2 and now 1.
//
// Since each utterance has its own mean (spectral-mean.ts), more words outside of the grammar reach the confidence:
// hence higher limits of doubt, found on the first half too (decision 82).
import { NO, YES } from './yes-no.ts';

/** Less likely words are doubted, whatever their confidence. */
const DOUBTED = { words: 0.6, yes: 0.5, no: 0.5, yep: 0.96 } as const;
/** More likely ones are believed, if no more than `MISSING_CONFIDENCE` is missing. */
const BELIEVED = { words: 0.8, yes: 0.92, no: 0.95, yep: 0.96 } as const;
/** With more missing, a likelihood changes nothing. */
export const MISSING_CONFIDENCE = 0.1;

function kindOf(text: string): keyof typeof DOUBTED {
  if (text === 'yep') return 'yep';
  if (YES.includes(text)) return 'yes';
  return NO.includes(text) ? 'no' : 'words';
}

/** @param missing of the wanted confidence; zero or less: nothing @param likelihood 0..1 */
export function isBelieved(text: string, missing: number, likelihood: number): boolean {
  const wanted = missing <= 0 ? DOUBTED : BELIEVED;
  return missing <= MISSING_CONFIDENCE && likelihood >= wanted[kindOf(text)];
}

/** A sentence is doubted only if so much is missing, or its phones are unlikely. */
const DOUBTED_SENTENCE_MISSING = 0.06;
/** With so much more confidence than is wanted, its phones are not asked. */
const SURE_SENTENCE_MISSING = -0.03;
/**
 * Of twenty sentences by six synthetic voices with and without noise, right ones at the limit have 0.18 to 0.69, wrong
 * ones and those of people outside of the grammar 0.01 to 0.28, most of them under 0.15.
 */
const SENTENCE_LIKELIHOOD = 0.17;

export const isSentenceAtLimit = (missing: number): boolean =>
  missing > SURE_SENTENCE_MISSING && missing <= DOUBTED_SENTENCE_MISSING;

/** Of a sentence at the limit. */
export const isSentenceBelieved = (likelihood: number): boolean => likelihood >= SENTENCE_LIKELIHOOD;

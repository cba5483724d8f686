// Whether what a decoder has heard is understood: by the confidence of its path, by how much of the sound was voice,
// and where these leave a doubt by the likelihood of its phones (belief.ts).
import type { Expectation, SttResult } from '../stt.ts';
import { isBelieved, isSentenceAtLimit, isSentenceBelieved, MISSING_CONFIDENCE } from './belief.ts';
import { DECODER_RATE_HZ } from './decoder.ts';

/**
 * Speech outside the grammar is forced onto some phrase with a confidence below this (see decoder.ts). After a specific
 * question the expected answer is likely, so less evidence suffices; the agent repeats it before it counts.
 */
const UNDERSTOOD_CONFIDENCE: Record<Expectation, number> = {
  anything: 0.81,
  service: 0.8,
  'yes-no': 0.72,
  date: 0.77,
  time: 0.77,
  'date-time': 0.77,
  digits: 0.77,
  spelling: 0.77,
  email: 0.77,
  name: 0.74,
};
/** How the answers of the rules `yes` and `no` begin. After their question another answer is as likely as ever. */
const YES_OR_NO =
  /^(?:yes|yeah|yep|no|nope|not|sure|okay|correct|right|that|that's|of course|go ahead|sounds|perfect|absolutely|please|i|i don't|never mind|cancel)(?: |$)/;
/** Speech outside the grammar can be forced onto a long sentence of many small words. True ones score at least 0.85. */
const LONG_SENTENCE_WORDS = 7;
const LONG_SENTENCE_CONFIDENCE = 0.84;
/**
 * An utterance of so much sound and so few words is measured by its phones too (evidence.ts), which say more about it
 * than the confidence of its path: that of a single word says mostly how short the word is. As the service cuts words
 * of people out of a call, each half of the speakers by the weights of the other half: of 129 words outside of the
 * grammar 11 are believed to be one of it, and 137 of 244 inside; by the confidence alone 46 and 102. Of phrases by
 * synthetic voices 69 right ones and 4 wrong ones are believed, 70 and 21 by the confidence.
 */
const SHORT_SAMPLES = 1.6 * DECODER_RATE_HZ;
const FEW_WORDS = 3;
/** A longer sentence is not measured: that takes up to a quarter of its duration, and the caller waits. */
export const SENTENCE_SAMPLES = 3.5 * DECODER_RATE_HZ;
/** After a question for these, any sound fits one of them, and the agent repeats what it has heard. */
const REPEATED: readonly Expectation[] = ['date', 'time', 'date-time', 'digits', 'spelling', 'email', 'name'];
/** The vowel of any spoken word is longer. */
const MIN_VOICED_MS = 60;

interface Utterance {
  expects: Expectation;
  voicedMs: number;
  /** Its length, at the decoder's rate. */
  samples: number;
  /** Measures its phones, which takes time; null where none is left. */
  likelihood(): number | null;
}

export function judged({ text, confidence }: { text: string; confidence: number }, heard: Utterance): SttResult {
  const { expects, voicedMs, samples } = heard;
  if (voicedMs < MIN_VOICED_MS) return { text, confidence, understood: false };
  const missing = wantedConfidence(text, expects) - confidence;
  const isShort = samples <= SHORT_SAMPLES && text.split(' ').length <= FEW_WORDS;
  const isOpen = isShort ? missing <= MISSING_CONFIDENCE : isSentenceAtLimit(missing);
  const isMeasured = isOpen && samples <= SENTENCE_SAMPLES && !REPEATED.includes(expects);
  const likelihood = isMeasured ? heard.likelihood() : null;
  if (likelihood === null) return { text, confidence, understood: missing <= 0 };
  const understood = isShort ? isBelieved(text, missing, likelihood) : isSentenceBelieved(likelihood);
  return { text, confidence: understood ? confidence : Math.min(confidence, likelihood), understood };
}

function wantedConfidence(text: string, expects: Expectation): number {
  if (expects === 'anything' && text.split(' ').length >= LONG_SENTENCE_WORDS) return LONG_SENTENCE_CONFIDENCE;
  const isOther = expects === 'yes-no' && !YES_OR_NO.test(text);
  return UNDERSTOOD_CONFIDENCE[isOther ? 'date-time' : expects];
}

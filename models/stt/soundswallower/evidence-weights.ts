// The weights of the features in evidence.ts: a logistic regression over short utterances to which the grammar had
// given words, right ones and wrong ones, as the service cuts them out of a call: 261 by people (single words of Speech
// Commands at 8 kHz) and, each counted one and a half times, 108 phrases by four synthetic voices, as the corpus has no
// phrases.

export const EVIDENCE_WEIGHTS = {
  bias: -0.2836,
  of: { worseHalf: 0.1192, hasty: -2.1401, pace: 0.1727, shortestVowel: 0.0777 },
} as const;

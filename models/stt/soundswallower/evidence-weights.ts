// The weights of the features in evidence.ts: a logistic regression over short utterances to which the grammar had
// given words, right ones and wrong ones: 497 by people (single words of Speech Commands at 8 kHz, as the service cuts
// them out of a call) and, at 0.6 of their weight, 158 phrases by three synthetic voices, as the corpus has no phrases.

export const EVIDENCE_WEIGHTS = {
  bias: -7.56,
  of: { fit: 0.1087, worseHalf: 0.0578, hasty: -4.4463, pace: -0.1052, shortestVowel: 0.2188, length: 2.0539 },
} as const;

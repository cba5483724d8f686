// Whether the sound of a short utterance is that of the words which the grammar gave it. A grammar finds a phrase in
// any sound, and the score of its best path says little: the fewer frames, the better the score, so that "go on" in
// "bed" beats a true "no". The sound is therefore decoded twice more: with these words alone, and with any phones
// whatever (word-check.ts). The words are believed where even the worse half of their phones explains the sound about
// as well as any phones do, and where the phones are as long as people speak them.
//
// All features are of the sound; none knows which words they are. The weights are a logistic regression
// (evidence-weights.ts says on whom).
import { EVIDENCE_WEIGHTS } from './evidence-weights.ts';

/** A phone of the best path. A frame is 10 ms; scores are the decoder's logarithms, in its own unit. */
export interface ScoredPhone {
  /** ARPAbet. */
  phone: string;
  startFrame: number;
  frames: number;
  score: number;
}

/** The best path of one decoding, without its silences. */
export interface Path {
  /** Its words; empty for phones alone. */
  text: string;
  phones: readonly ScoredPhone[];
}

type Evidence = Readonly<Record<keyof typeof EVIDENCE_WEIGHTS.of, number>>;

/** No phone can be shorter: each has three states. */
const SHORTEST_FRAMES = 3;
const VOWELS = new Set('AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW'.split(' '));

/** Bounds of the features: what lies beyond says no more. */
const LEAST_FIT = -40;
const BEST_FIT = 15;
const LONGEST_VOWEL_FRAMES = 15;
const SLOWEST_FRAMES = 16;

/** Null where the words have no place in the sound. */
export function evidenceOf(words: Path, free: Path): Evidence | null {
  const { phones } = words;
  const frames = phones.reduce((sum, each) => sum + each.frames, 0);
  if (frames === 0) return null;
  const freely = scoreByFrame(free.phones);
  const gains = phones.map(({ startFrame, frames: length, score }) => {
    let other = 0;
    for (let frame = startFrame; frame < startFrame + length; frame++) other += freely[frame] ?? 0;
    return (score - other) / length;
  });
  const worse = gains.toSorted((a, b) => a - b).slice(0, Math.max(1, Math.floor(gains.length / 2)));
  const vowels = phones.filter(({ phone }) => VOWELS.has(phone)).map((each) => each.frames);
  return {
    worseHalf: Math.min(BEST_FIT, Math.max(LEAST_FIT, mean(worse))),
    hasty: phones.filter((each) => each.frames <= SHORTEST_FRAMES).length / phones.length,
    pace: Math.min(SLOWEST_FRAMES, frames / phones.length),
    shortestVowel: vowels.length === 0 ? 0 : Math.min(LONGEST_VOWEL_FRAMES, ...vowels),
  };
}

/** How likely these are the words, 0..1. */
export function likelihoodOf(evidence: Evidence): number {
  const { bias, of } = EVIDENCE_WEIGHTS;
  let sum = bias;
  for (const name of Object.keys(of) as Array<keyof Evidence>) sum += of[name] * evidence[name];
  return 1 / (1 + Math.exp(-sum));
}

function scoreByFrame(phones: readonly ScoredPhone[]): number[] {
  const scores: number[] = [];
  for (const { startFrame, frames, score } of phones) {
    for (let frame = startFrame; frame < startFrame + frames; frame++) scores[frame] = score / frames;
  }
  return scores;
}

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

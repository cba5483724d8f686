// Joins what words and vectors say of passages, by scores: a place in a list says nothing of how sure its list is.
import type { LikePassage } from './vectors.ts';

/** A passage and how well the question's words fit it. */
export interface ScoredPassage {
  seq: number;
  /** By BM25; 0: it has none of the words. */
  score: number;
  /** A code of the question is in it. */
  hasCode: boolean;
}

/**
 * Chosen on half of the questions of `npm run bench -- knowledge`, with all-MiniLM-L6-v2: between 1 and 2.5 little
 * changes. One standard deviation of likeness counts as much as a word that a tenth of the passages have.
 */
const LIKENESS_WEIGHT = 2;
/**
 * A vector knows nothing of codes, and finds the neighbours of the one that was asked for: a passage that has the code
 * counts three standard deviations more, which a small business's passages do not reach.
 */
const CODE_SCORE = 3 * LIKENESS_WEIGHT;

/**
 * `seq`s, the best first. Likeness counts by how far it is from that of the other passages to the same question: the
 * numbers themselves differ from model to model, and from question to question.
 */
export function joined(scored: readonly ScoredPassage[], like: readonly LikePassage[]): number[] {
  const mean = like.reduce((sum, { likeness }) => sum + likeness, 0) / Math.max(1, like.length);
  const variance = like.reduce((sum, { likeness }) => sum + (likeness - mean) ** 2, 0) / Math.max(1, like.length);
  const deviation = Math.sqrt(variance);
  const likenesses = new Map(like.map(({ seq, likeness }) => [seq, likeness]));
  const standing = (seq: number): number => (deviation === 0 ? 0 : ((likenesses.get(seq) ?? mean) - mean) / deviation);
  return scored
    .map(({ seq, score, hasCode }) => ({
      seq,
      score: score + (hasCode ? CODE_SCORE : 0) + LIKENESS_WEIGHT * standing(seq),
    }))
    .sort((a, b) => b.score - a.score || a.seq - b.seq)
    .map(({ seq }) => seq);
}

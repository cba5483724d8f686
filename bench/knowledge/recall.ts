// How well questions find their passages: the rank of the first right one, and what follows from it.
import type { FoundPassage } from '../../db/queries/knowledge/search.ts';
import type { Question } from './questions.ts';

export interface Asked {
  question: Question;
  /** Of the first passage that answers, from 1; null: none of those found. */
  rank: number | null;
  found: readonly FoundPassage[];
}

export interface Recall {
  questions: number;
  /** Shares of the questions, 0 to 1. */
  at1: number;
  at3: number;
  /** Mean of 1 / rank. */
  mrr: number;
}

const lowest = (heading: string): string => heading.split(' > ').at(-1) ?? '';

export function rankOf(question: Question, found: readonly FoundPassage[]): number | null {
  const at = found.findIndex(({ heading }) => question.headings.includes(lowest(heading)));
  return at < 0 ? null : at + 1;
}

export function recallOf(asked: readonly Asked[]): Recall {
  const share = (most: number): number =>
    asked.filter(({ rank }) => rank !== null && rank <= most).length / Math.max(1, asked.length);
  const sum = asked.reduce((total, { rank }) => total + (rank === null ? 0 : 1 / rank), 0);
  return { questions: asked.length, at1: share(1), at3: share(3), mrr: sum / Math.max(1, asked.length) };
}

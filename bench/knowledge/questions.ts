// The fixed set on which search is measured: manuals, and questions as callers say them and recognisers write them,
// each with the headings whose passages answer it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export const MANUALS = ['heat-pump', 'dental-practice', 'car-rental'] as const;
export type Manual = (typeof MANUALS)[number];

export interface Question {
  manual: Manual;
  /** In plain words, in a caller's own, with filler words, or about a code, a part's number or a name. */
  kind: string;
  text: string;
  /** The lowest headings of the passages that answer it; one is enough. */
  headings: readonly string[];
  /** Nobody tunes the search to these: half of all, by the hash of the text. */
  isHeldOut: boolean;
}

export const manualText = (manual: Manual): string =>
  readFileSync(new URL(`manuals/${manual}.md`, import.meta.url), 'utf8');

const LINE = /^(?<kind>[a-z ]+): (?<text>.+?) = (?<headings>.+)$/;

export const questionsOf = (manual: Manual): Question[] =>
  readFileSync(new URL(`questions/${manual}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const { kind = '', text = '', headings = '' } = LINE.exec(line)?.groups ?? {};
      if (text === '') throw new Error(`${manual}: not a question: ${line}`);
      return { manual, kind, text, headings: headings.split(' | '), isHeldOut: isHeldOut(text) };
    });

const isHeldOut = (text: string): boolean => (createHash('sha256').update(text).digest()[0] ?? 0) % 2 === 1;

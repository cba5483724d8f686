// An answer from the business's documents, without a language model: the sentence that has most of the caller's words.
import { sentencesOf } from '../../knowledge/passages.ts';
import type { FoundPassage } from '../llm.ts';
import { contentStems } from './caller-intent.ts';

/** As much as one likes to hear. */
const MAX_CHARS = 300;
/** Of the words that tell what is asked, so many must be in the sentence and its headings. */
const SHARE = 0.5;

/** Null where no sentence is about it. */
export function writtenAnswer(passages: readonly FoundPassage[] | undefined, text: string): string | null {
  const asked = contentStems(text);
  if (asked.length === 0) return null;
  let best: { sentence: string; score: number } | null = null;
  for (const { heading, body } of passages ?? []) {
    const above = new Set(contentStems(heading));
    for (const sentence of sentencesOf(body)) {
      const said = new Set(contentStems(sentence));
      const inSentence = asked.filter((stem) => said.has(stem)).length;
      const inHeading = asked.filter((stem) => !said.has(stem) && above.has(stem)).length;
      // A heading tells what its sentences are about; the sentence itself must say something of it.
      const score = (inSentence + inHeading / 2) / asked.length;
      if (score > (best?.score ?? 0) && (inSentence > 0 || inHeading > 0)) best = { sentence, score };
    }
  }
  return best === null || best.score < SHARE ? null : spoken(best.sentence);
}

/** Without the marks of a list or of emphasis. */
function spoken(sentence: string): string {
  const plain = sentence.replace(/^[-*•\d.)\s]+(?=\p{L})/u, '').replace(/[*_`#]+/g, '');
  const text = plain.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

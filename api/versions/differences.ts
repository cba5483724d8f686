// The differences of two versions, field by field; of long texts, the words.
import { diffWordsWithSpace } from 'diff';
import type { Content } from './keep.ts';
import type { FieldChange } from './schema.ts';

/** A shorter text is read as a whole. */
const WORDS_FROM_CHARACTERS = 60;
/**
 * For all texts of a request, some 40 ms; others are shown whole. The work of a comparison grows with the square of its
 * edits (Myers 1986): counted, and not by a clock, the answer is the same on a busy machine.
 */
const WORDS_STEPS = 400_000;
/** To cut a text into words costs a step for so many of its characters. */
const CHARACTERS_A_STEP = 10;

/** Compares contents; one object a request, because it counts the work that words have taken. */
export class Differences {
  #left = WORDS_STEPS;

  between(before: Content, after: Content, shown: (value: unknown) => unknown): FieldChange[] {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((field) => {
        const [from, to] = [shown(before[field] ?? null), shown(after[field] ?? null)];
        const words = this.#words(from, to);
        return { field, from, to, ...(words === null ? {} : { words }) };
      });
  }

  #words(from: unknown, to: unknown): Required<FieldChange>['words'] | null {
    if (typeof from !== 'string' || typeof to !== 'string') return null;
    this.#left -= Math.ceil((from.length + to.length) / CHARACTERS_A_STEP);
    if (Math.min(from.length, to.length) < WORDS_FROM_CHARACTERS || this.#left <= 0) return null;
    const maxEditLength = Math.floor(Math.sqrt(this.#left));
    const parts = diffWordsWithSpace(from, to, { maxEditLength });
    const edits = parts?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
    this.#left -= (edits ?? maxEditLength) ** 2;
    // Undefined where there are too many.
    return (
      parts?.map(({ value, added, removed }) => ({ text: value, is: added ? 'new' : removed ? 'gone' : 'same' })) ??
      null
    );
  }
}

// The differences of two versions, field by field; of long texts, the words.
import { diffWordsWithSpace } from 'diff';
import type { Content } from './keep.ts';
import type { FieldChange } from './schema.ts';

/** A shorter text is read as a whole. */
const WORDS_FROM_CHARACTERS = 60;
/** For all texts of a request: others are shown whole. */
const WORDS_WITHIN_MS = 40;

/** Compares contents; one object a request, because it counts the time that words have taken. */
export class Differences {
  #leftMs = WORDS_WITHIN_MS;

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
    if (Math.min(from.length, to.length) < WORDS_FROM_CHARACTERS || this.#leftMs <= 0) return null;
    const beganAtMs = performance.now();
    const parts = diffWordsWithSpace(from, to, { timeout: this.#leftMs });
    this.#leftMs -= performance.now() - beganAtMs;
    // Undefined where it took too long.
    return (
      parts?.map(({ value, added, removed }) => ({ text: value, is: added ? 'new' : removed ? 'gone' : 'same' })) ??
      null
    );
  }
}

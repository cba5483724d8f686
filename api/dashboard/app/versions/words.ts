// The words of a changed text, with what stayed cut to the words beside a change.
import type { FieldChange } from '../api-types.ts';

export type Words = NonNullable<FieldChange['words']>;

/** Characters that are shown before and after a change. */
const BESIDE = 60;

/** @returns the parts, of unchanged ones only the ends that touch a change */
export function shortened(words: Words): Words {
  return words.map((part, at) => {
    if (part.is !== 'same') return part;
    const [isFirst, isLast] = [at === 0, at === words.length - 1];
    const kept = (isFirst || isLast ? 1 : 2) * BESIDE;
    if (part.text.length <= kept + BESIDE) return part;
    const head = isFirst ? '' : part.text.slice(0, BESIDE).toWellFormed();
    const tail = isLast ? '' : part.text.slice(-BESIDE).toWellFormed();
    return { ...part, text: `${head} … ${tail}` };
  });
}

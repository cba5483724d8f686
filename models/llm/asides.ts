// Asides in a model's conversation: text in square brackets is information about the call, which the caller did not say
// (the prompt's rule). Only we write such brackets: in the words of others, of callers, documents and tools, they are
// round ones.

const OPENING = /[[\uff3b\u3010\u3014\u27e6]/g;
const CLOSING = /[\]\uff3d\u3011\u3015\u27e7]/g;

/** Words of others, in which nothing looks like an aside. */
export const withoutAsides = (text: string): string => text.replace(OPENING, '(').replace(CLOSING, ')');

/** Information about the call. What it repeats of others does not end it. */
export const aside = (text: string): string => `[${withoutAsides(text)}]`;

/** A tool's answer as JSON: its texts have no asides, its lists have their brackets. */
export const resultText = (result: unknown): string =>
  JSON.stringify(result ?? null, (_key, value: unknown) => (typeof value === 'string' ? withoutAsides(value) : value));

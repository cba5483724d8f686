// Text of a peer for people, logs and models: names, reasons and identifiers that anybody may have written.
import { fromHeaderText } from './message.ts';

/** A name that a telephone shows, or the user part of an address. */
export const MAX_NAME_CHARS = 64;
/** Reasons and identifiers in logs and in a call's end. */
export const MAX_REASON_CHARS = 128;

// Control characters, line and paragraph separators, halves of surrogates, and marks that turn the direction of
// writing.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** One line of at most `maxChars` characters. */
export function plainText(text: string, maxChars: number): string {
  const line = text.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim();
  return [...line.slice(0, maxChars * 2)].slice(0, maxChars).join('');
}

/** The same for a header's string, which is UTF-8 read as latin1. */
export function plainHeaderText(text: string, maxChars: number): string {
  return plainText(fromHeaderText(text), maxChars);
}

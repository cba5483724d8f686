// Cleans text from peers (names, reasons, identifiers) for people, logs and models.
import { fromHeaderText } from './message.ts';

/** A display name, or the user part of an address. */
export const MAX_NAME_CHARS = 64;
/** Reasons and identifiers, in logs and in call records. */
export const MAX_REASON_CHARS = 128;

// Control characters, line and paragraph separators, lone surrogates, and bidirectional formatting marks.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** One line of at most `maxChars` characters. */
export function plainText(text: string, maxChars: number): string {
  const line = text.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim();
  return [...line.slice(0, maxChars * 2)].slice(0, maxChars).join('');
}

/** The same for a header string, which is UTF-8 read as latin1. */
export function plainHeaderText(text: string, maxChars: number): string {
  return plainText(fromHeaderText(text), maxChars);
}

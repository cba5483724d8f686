// Groups pressed keys into one entry: up to a `#`, a pause, or the number of digits that was asked for. The turn waits
// for whole entries, and the call's transcript shows them.

/** A longer pause between keys starts a new entry. */
export const DIGIT_PAUSE_MS = 2_000;
/** A card number has 19 digits; more keys than this are play or abuse. */
export const MAX_DIGITS = 64;

/** Whether the newest key completes the entry, so that no pause is needed. `count`: digits asked for. */
export function isWholeEntry(digits: string, count: number | null = null): boolean {
  return digits.endsWith('#') || digits.length === count || digits.length >= MAX_DIGITS;
}

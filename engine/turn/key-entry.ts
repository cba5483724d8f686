// When the keys that somebody presses are one entry: up to a `#`, a pause, or the number of digits that was asked for.
// The turn waits for whole entries by it, and the call's transcript shows them.

/** Keys with a longer pause between them are two entries. */
export const DIGIT_PAUSE_MS = 2_000;
/** A card's number has 19 digits: somebody who presses on and on is playing. */
export const MAX_DIGITS = 64;

/** Whether the newest key completes the entry, so that no pause need be waited for. `count`: digits asked for. */
export function isWholeEntry(digits: string, count: number | null = null): boolean {
  return digits.endsWith('#') || digits.length === count || digits.length >= MAX_DIGITS;
}

// "Press 9 and we will not call you again": a key is a wish only where it was offered, since nine is also a room, a menu
// entry, or a digit of somebody's number.

const OFFER = /\b(press|dial|hit|push)\s+(the\s+)?(key\s+|number\s+)?(9|nine)\b/i;

/** The key that asks not to be called again. */
export const OPT_OUT_DIGIT = '9';

/** Whether one of the texts, as configured or as said, offers that key. */
export function offersOptOut(texts: ReadonlyArray<string | null>): boolean {
  return texts.some((text) => text !== null && OFFER.test(text));
}

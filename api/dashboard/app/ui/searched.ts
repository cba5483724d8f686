// When a list of choices has a field that searches it.

/** A shorter list needs no search. */
export const SEARCHED_FROM = 10;

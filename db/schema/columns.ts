// Column types that SQLite does not have: a boolean is 0 or 1, and JSON is text.

export type Flag = 0 | 1;
/** JSON text; the comment after the column gives its type. */
export type Json = string;

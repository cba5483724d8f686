// Column types that SQLite does not have.

export type Flag = 0 | 1;
/** JSON text; the comment after the column gives its type. */
export type Json = string;

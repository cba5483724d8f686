// Column types that SQLite does not have.

export type Flag = 0 | 1;
/** JSON text; the comment behind the column says of what. */
export type Json = string;

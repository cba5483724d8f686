// Kinds of columns that SQLite has no type for.

export type Flag = 0 | 1;
/** JSON text; the comment behind the column says of what. */
export type Json = string;

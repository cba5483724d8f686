// The differences between SQLite and PostgreSQL: SQL text and capabilities. Each driver states both in one object
// (db/sqlite/dialect.ts, db/postgres/dialect.ts), which its adapter carries, as kysely's adapters carry theirs. A query
// asks for the capability that it needs and never for the kind of database.
import type { CompiledQuery, DialectAdapter, QueryExecutor, RawBuilder } from 'kysely';

/** A query that PostgreSQL parses and plans once a connection, under this name. */
export interface NamedQuery extends CompiledQuery {
  statementName?: string | undefined;
}

/** The index of terms of documents (queries/knowledge/postings.ts). A list goes as one parameter. */
export interface TermIndexText {
  /** A table of the list's members with columns `at`, from 0, and `term`. */
  list(terms: readonly string[]): RawBuilder<unknown>;
  /** A list of numbers, as the query of an `in`. */
  numbers(list: readonly number[]): RawBuilder<unknown>;
  /** `seq` of the passages with `asked.term`. */
  passages: RawBuilder<unknown>;
  /** `seq` of the names with the trigram `asked.term`. */
  names: RawBuilder<unknown>;
  /** `seq` of the passages that have one term of each group. */
  passagesWithAll(groups: ReadonlyArray<readonly string[]>): RawBuilder<unknown>;
  /** Indexes that keep each transaction's terms as a segment, until somebody merges them. */
  segmented: readonly SegmentedIndex[];
}

export type SegmentedIndex = 'passage_words' | 'name_grams';

export interface Dialect {
  /** A column of numbers or text as text. */
  asText(column: string): string;
  /** JSON of a text column, or `null`; escapes the same characters as JSON.stringify. */
  quotedJson(column: string): string;
  /** A column of ms since the epoch as ISO-8601 UTC with milliseconds, in parts to be joined. */
  isoTime(column: string): readonly string[];
  /** A member of a text column with a JSON object, as a number; null where it is none. */
  numberIn(column: string, member: string): string;
  /** A table of the members of a JSON object, with columns `key` and `value`. */
  members(json: string): string;
  /** An aggregate: a column of all rows in their order, separated by commas; null without rows. */
  joined(column: string): string;
  /** A condition with one parameter, a `wordList`: one text for lists of any length. */
  isListed(column: string): string;
  /** Words without commas and quotes, such as ids. */
  wordList(words: readonly string[]): string;
  /** The columns of the primary key of the table `?` in their order, as `name`. */
  primaryKey: string;
  /**
   * Text that names the state of the database that a statement sees: two statements with the same text see the same
   * rows. Every commit changes it. Of one connection with SQLite, of all connections with PostgreSQL.
   */
  state: string;
  /** The version of the schema, as `version`. */
  schemaVersion: string;
  terms: TermIndexText;
  /** Prepares a compiled query to be run again and again with other parameters. */
  kept(query: CompiledQuery): NamedQuery;

  /** One transaction at a time writes, so that no rule needs a lock to read before it writes. */
  hasOneWriter: boolean;
  /** A statement goes out before the one ahead of it is answered. Else an answer is there at once. */
  pipelines: boolean;
  /** One statement may write several tables, each in a `with`: it costs less than one statement for each. */
  writesInWith: boolean;
  /** Totals are logged as changes, which are folded into them later. Else each change writes its total at once. */
  foldsTotals: boolean;
  /** A trigger keeps the JSON of a call beside its row. */
  keepsRecords: boolean;
  /** The columns of rows that `offset` skips are evaluated, too. */
  evaluatesSkippedRows: boolean;
  /** Its clock is not this machine's. */
  hasOwnClock: boolean;
  /** A lease is a row, whose holder may have been succeeded without knowing. Else it is a lock of the kernel. */
  keepsLeases: boolean;
  /** A generated number comes from a sequence, which does not notice rows that bring theirs. */
  hasSequences: boolean;
  /** It writes its log back by itself. */
  checkpointsItself: boolean;
  /** A page that is emptied is overwritten with zeros, but a split one keeps bytes of rows that moved. */
  overwritesEmptiedPages: boolean;
}

/** An adapter of kysely with what its database can. */
export interface AdapterWithDialect extends DialectAdapter {
  readonly dialect: Dialect;
}

/** Every connection of ours has such an adapter. */
export const dialectOf = (db: { getExecutor(): QueryExecutor } | { adapter: DialectAdapter }): Dialect =>
  (('adapter' in db ? db : db.getExecutor()).adapter as AdapterWithDialect).dialect;

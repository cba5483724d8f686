// The SQL text that differs between SQLite and PostgreSQL. A query that needs more than this is two functions side by
// side (db/sqlite, db/postgres).
import { type DialectAdapter, PostgresAdapter, type QueryExecutor } from 'kysely';

export interface Dialect {
  kind: 'sqlite' | 'postgres';
  /** A column of numbers or text as text. */
  asText(column: string): string;
  /** JSON of a text column, or `null`; escapes the same characters as JSON.stringify. */
  quotedJson(column: string): string;
  /** A column of ms since the epoch as ISO-8601 UTC with milliseconds, in parts to be joined. */
  isoTime(column: string): readonly string[];
  /** A table of the members of a JSON object, with columns `key` and `value`. */
  members(json: string): string;
  /** An aggregate: a column of all rows in their order, separated by commas; null without rows. */
  joined(column: string): string;
}

const unixDay = (column: string): string => `date(${column} / 1000.0, 'unixepoch')`;
const unixTime = (column: string): string => `time(${column} / 1000.0, 'unixepoch', 'subsec')`;

export const SQLITE: Dialect = {
  kind: 'sqlite',
  asText: (column) => column,
  quotedJson: (column) => `json_quote(${column})`,
  // One strftime() takes twice as long as the two.
  isoTime: (column) => [unixDay(column), `'T'`, unixTime(column), `'Z'`],
  members: (json) => `json_each(${json})`,
  joined: (column) => `group_concat(${column})`,
};

export const POSTGRES: Dialect = {
  kind: 'postgres',
  asText: (column) => `${column}::text`,
  quotedJson: (column) => `coalesce(to_json(${column})::text, 'null')`,
  isoTime: (column) => [
    `to_char(to_timestamp(${column} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  ],
  members: (json) => `json_each_text(${json}::json)`,
  joined: (column) => `string_agg(${column}::text, ',')`,
};

export const dialectOfAdapter = (adapter: DialectAdapter): Dialect =>
  adapter instanceof PostgresAdapter ? POSTGRES : SQLITE;

export const dialectOf = (db: { getExecutor(): QueryExecutor }): Dialect => dialectOfAdapter(db.getExecutor().adapter);

// The dialect of SQLite: its words for JSON, times and full text, and what a file with one writer does not need.
import { SqliteAdapter, sql } from 'kysely';
import type { AdapterWithDialect, Dialect, TermIndexText } from '../dialect.ts';

const unixDay = (column: string): string => `date(${column} / 1000.0, 'unixepoch')`;
const unixTime = (column: string): string => `time(${column} / 1000.0, 'unixepoch', 'subsec')`;

/**
 * A statement whose plan does not depend on its parameters' values: `+?` has the value of `?` but is not a plain
 * parameter. With `column = ?` and another condition or `limit ?`, SQLite would compile the statement again each time,
 * because better-sqlite3 clears the bindings after each run: 30 µs for a list. The value that selects a partial index
 * must be a literal.
 */
export const withoutPeeking = (text: string): string => text.replaceAll('?', '+?');

/** FTS5. */
const TERMS: TermIndexText = {
  list: (terms) => sql`(select key as at, value as term from json_each(${JSON.stringify(terms)})) asked`,
  numbers: (list) => sql`select value from json_each(${JSON.stringify(list)})`,
  passages: sql`select rowid as seq from passage_words where passage_words match '"' || asked.term || '"'`,
  names: sql`select rowid as seq from name_grams where name_grams match '"' || asked.term || '"'`,
  passagesWithAll: (groups) => {
    const all = groups.map((terms) => `(${terms.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ');
    return sql`select rowid as seq from passage_words where passage_words match ${all}`;
  },
  segmented: ['passage_words', 'name_grams'],
};

export const SQLITE: Dialect = {
  asText: (column) => column,
  quotedJson: (column) => `json_quote(${column})`,
  // One strftime() takes twice as long as the two.
  isoTime: (column) => [unixDay(column), `'T'`, unixTime(column), `'Z'`],
  numberIn: (column, member) => `json_extract(${column}, '$.${member}')`,
  members: (json) => `json_each(${json})`,
  joined: (column) => `group_concat(${column})`,
  isListed: (column) => `${column} in (select value from json_each(?))`,
  wordList: (words) => JSON.stringify(words),
  primaryKey: 'select name from pragma_table_info(?) where pk > 0 order by pk',
  // The first counts the commits of all other connections, the second the rows that this one has changed.
  state: `(select data_version from pragma_data_version) || '.' || total_changes()`,
  schemaVersion: 'select user_version as version from pragma_user_version',
  terms: TERMS,
  kept: (query) => ({ ...query, sql: withoutPeeking(query.sql) }),

  hasOneWriter: true,
  pipelines: false,
  writesInWith: false,
  foldsTotals: false,
  keepsRecords: true,
  evaluatesSkippedRows: false,
  hasOwnClock: false,
  keepsLeases: false,
  hasSequences: false,
  checkpointsItself: false,
  overwritesEmptiedPages: true,
};

export class SqliteDialectAdapter extends SqliteAdapter implements AdapterWithDialect {
  readonly dialect = SQLITE;
}

// The dialect of PostgreSQL: its words for JSON, times and full text, and what a server does that a file does not.
import { createHash } from 'node:crypto';
import { PostgresAdapter, sql } from 'kysely';
import type { AdapterWithDialect, Dialect, TermIndexText } from '../dialect.ts';

/** As the indexes have it, word for word. */
const PASSAGE_TERMS = sql.raw(
  `(replace(heading_terms, ' ', ' ' || mark || 'h') || replace(body_terms, ' ', ' ' || mark || 'b'))::tsvector`,
);
const NAME_GRAMS = sql.raw(`replace(grams, ' ', ' ' || mark)::tsvector`);

/** GIN indexes of `tsvector`. */
const TERMS: TermIndexText = {
  list: (terms) => sql`(select ordinality - 1 as at, value as term
    from json_array_elements_text(${JSON.stringify(terms)}::json) with ordinality) asked`,
  numbers: (list) => sql`select value::bigint from json_array_elements_text(${JSON.stringify(list)}::json)`,
  passages: sql`select seq from passages where ${PASSAGE_TERMS} @@ asked.term::tsquery`,
  names: sql`select seq from knowledge_names where ${NAME_GRAMS} @@ asked.term::tsquery`,
  passagesWithAll: (groups) => {
    const all = groups.map((terms) => `(${terms.map((term) => `'${term}'`).join(' | ')})`).join(' & ');
    return sql`select seq from passages where ${PASSAGE_TERMS} @@ ${all}::tsquery`;
  },
  segmented: [],
};

const nameOf = (text: string): string => `voice_${createHash('sha1').update(text).digest('hex').slice(0, 16)}`;

export const POSTGRES: Dialect = {
  asText: (column) => `${column}::text`,
  quotedJson: (column) => `coalesce(to_json(${column})::text, 'null')`,
  isoTime: (column) => [
    `to_char(to_timestamp(${column} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  ],
  numberIn: (column, member) => `(${column}::json ->> '${member}')::numeric`,
  members: (json) => `json_each_text(${json}::json)`,
  joined: (column) => `string_agg(${column}::text, ',')`,
  isListed: (column) => `${column} = any(?::text[])`,
  wordList: (words) => `{${words.join(',')}}`,
  primaryKey: `select a.attname as name
    from pg_index i
    cross join lateral unnest(i.indkey::int2[]) with ordinality as k (attnum, at)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = ?::regclass and i.indisprimary order by k.at`,
  // A snapshot names the transactions that are seen. A server that comes back from a crash may give the number of one
  // that it lost to another.
  state: `pg_current_snapshot()::text || '@' || pg_postmaster_start_time()::text`,
  schemaVersion: 'select max(version) as version from schema_migrations',
  terms: TERMS,
  kept: (query) => ({ ...query, statementName: nameOf(query.sql) }),

  hasOneWriter: false,
  pipelines: true,
  writesInWith: true,
  foldsTotals: true,
  keepsRecords: false,
  evaluatesSkippedRows: true,
  hasOwnClock: true,
  keepsLeases: true,
  hasSequences: true,
  checkpointsItself: true,
  overwritesEmptiedPages: false,
};

export class PostgresDialectAdapter extends PostgresAdapter implements AdapterWithDialect {
  readonly dialect = POSTGRES;
}

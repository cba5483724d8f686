// The tables of both databases are equal: columns, their types and whether they may be null, keys and indexes.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../bench/rig/database/postgres-server.ts';
import { migratePostgres, postgresMigrations } from '../../db/postgres/migrate.ts';
import { openPostgres } from '../../db/postgres/open.ts';
import type { Db } from '../../db/schema.ts';
import { migrate, sqliteMigrations } from '../../db/sqlite/migrate.ts';
import { openRaw } from '../../db/sqlite/open.ts';

const skip = postgresPrograms === null ? 'PostgreSQL is not installed' : false;

/** Tables that PostgreSQL alone has, and SQLite alone. */
const OF_ONE = new Set([
  'schema_migrations',
  'sqlite_sequence',
  'name_grams',
  'name_grams_config',
  'name_grams_data',
  'name_grams_idx',
  'passage_words',
  'passage_words_config',
  'passage_words_data',
  'passage_words_idx',
  'sqlite_stat1',
  'sqlite_stat4',
  'call_changes',
  'contact_changes',
  'hour_changes',
  'usage_changes',
]);

/** SQLite has tables for them: `passage_words`, `name_grams`. */
const TERM_INDEXES = ['passages_words', 'knowledge_names_grams'];

let server: PostgresServer;
let postgres: Db;
const folder = mkdtempSync(join(tmpdir(), 'voice-schema-'));
const path = join(folder, 'voice.db');
before(async () => {
  if (skip) return;
  server = await startPostgres({ durable: false });
  await migratePostgres(server.url);
  postgres = openPostgres(server.url);
  migrate(path);
});
after(async () => {
  if (!skip) {
    await postgres.destroy();
    await server.stop();
  }
  rmSync(folder, { recursive: true });
});

interface Column {
  table: string;
  name: string;
  type: string;
  required: number;
}

const text = ({ table, name, type, required }: Column): string =>
  `${table}.${name} ${type}${required === 1 ? ' not null' : ''}`;

test('both have the same tables, columns, types and nullability', { skip }, async () => {
  const raw = openRaw(path, { readonly: true });
  const sqliteColumns = raw
    .prepare(
      `select m.name as "table", c.name, case c.type when 'INTEGER' then 'bigint' when 'REAL' then 'double precision'
         when 'BLOB' then 'bytea'
         else lower(c.type) end as type, (c."notnull" or c.pk > 0) as required
       from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`,
    )
    .all() as Column[];
  raw.close();
  const { rows } = await sql<Column>`select table_name as "table", column_name as name, data_type as type,
    is_nullable = 'NO' as required from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(postgres);
  const named = (columns: readonly Column[]): string[] =>
    columns
      .filter(({ table }) => !OF_ONE.has(table))
      .map(text)
      .sort();
  assert.deepEqual(named(rows), named(sqliteColumns));
});

/** As both write it: lower case, without quotes, casts, and brackets. */
const plain = (definition: string): string =>
  definition
    .toLowerCase()
    .replace(/::\w+(\[\])?/g, '')
    .replace(/ using btree/, '')
    .replace(/public\./, '')
    .replace(/= any \(array\[(.*?)\]\)/g, 'in ($1)')
    .replace(/["();]/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(' ,', ',')
    .trim();

test('both have the same indexes, unique and partial ones included', { skip }, async () => {
  const raw = openRaw(path, { readonly: true });
  const sqliteIndexes = raw
    .prepare(`select sql from sqlite_master where type = 'index' and sql is not null`)
    .all() as Array<{ sql: string }>;
  raw.close();
  const { rows } = await sql<{ sql: string }>`select indexdef as sql from pg_indexes
    where schemaname = 'public' and indexname not like '%_pkey' and indexname not in (${sql.join(TERM_INDEXES)})
      and tablename not in (${sql.join([...OF_ONE])})`.execute(postgres);
  assert.deepEqual(rows.map((row) => plain(row.sql)).sort(), sqliteIndexes.map((row) => plain(row.sql)).sort());
});

test('each migration since the first schema of PostgreSQL exists for both', () => {
  const [first] = postgresMigrations();
  const since = sqliteMigrations().filter(({ version }) => version >= (first?.version ?? 0));
  assert.deepEqual(
    postgresMigrations().map(({ version }) => version),
    since.map(({ version }) => version),
  );
});

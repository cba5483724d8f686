// Databases on the PostgreSQL server that DATABASE_URL names, for tests that run on either kind. Each one is copied
// from a template with the current schema, because tests open hundreds of them.
import { createHash } from 'node:crypto';
import { migratePostgres, postgresMigrations } from '../../../db/postgres/migrate.ts';
import { loadPg } from '../../../db/postgres/open.ts';

/** The server on which tests make their databases; null: they run on SQLite. */
export const testServer = (): string | null => process.env.DATABASE_URL || null;

/** For a test of what only a file of SQLite has: the `skip` of its options. */
export const fileOnly: string | false = testServer() === null ? false : 'only a file of SQLite has this';

/** For a test of what only a server has, whose transactions run side by side: the `skip` of its options. */
export const serverOnly: string | false = testServer() === null ? 'only PostgreSQL has this' : false;

const urlOf = (server: string, database: string): string => {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
};

async function onServer<R>(
  server: string,
  work: (run: (text: string) => Promise<unknown[]>) => Promise<R>,
): Promise<R> {
  const { Client } = await loadPg();
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    return await work(async (text) => (await client.query(text)).rows);
  } finally {
    await client.end();
  }
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

let template: Promise<string> | null = null;

async function makeTemplate(server: string): Promise<string> {
  const name = `voice_template_${shortHash(
    postgresMigrations()
      .map(({ sql }) => sql)
      .join(),
  )}`;
  await onServer(server, async (run) => {
    await run(`select pg_advisory_lock(3, 0)`);
    if ((await run(`select 1 from pg_database where datname = '${name}'`)).length > 0) return;
    // Under another name until it is whole.
    await run(`drop database if exists ${name}_draft with (force)`);
    await run(`create database ${name}_draft template template0 lc_collate 'C' lc_ctype 'C' encoding 'UTF8'`);
    await migratePostgres(urlOf(server, `${name}_draft`));
    await run(`alter database ${name}_draft rename to ${name}`);
  });
  return name;
}

/** The database of this key, created if there is none. Returns its address. */
export async function freshPostgres(server: string, key: string): Promise<string> {
  template ??= makeTemplate(server);
  const from = await template;
  const name = `voice_test_${shortHash(key)}`;
  await onServer(server, async (run) => {
    if ((await run(`select 1 from pg_database where datname = '${name}'`)).length > 0) return;
    await run(`create database ${name} template ${from}`);
  });
  return urlOf(server, name);
}

export const dropPostgres = (server: string, key: string): Promise<unknown> =>
  onServer(server, (run) => run(`drop database if exists voice_test_${shortHash(key)} with (force)`));

/**
 * Makes the database what `freshPostgres` created, below connections that stay open. Most tables are empty, and to look
 * is cheap; without triggers and foreign keys the order is free.
 */
export const renewPostgres = (server: string, key: string): Promise<unknown> =>
  onServer(urlOf(server, `voice_test_${shortHash(key)}`), (run) =>
    run(`do $$
      declare name text; filled boolean;
      begin
        set local session_replication_role = replica;
        for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations' loop
          execute format('select exists (select from %I)', name) into filled;
          if filled then execute format('delete from %I', name); end if;
        end loop;
        perform setval(format('%I.%I', schemaname, sequencename), start_value, false)
          from pg_sequences where schemaname = 'public' and last_value is not null;
      end
    $$`),
  );

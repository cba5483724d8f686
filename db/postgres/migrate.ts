// Brings a PostgreSQL database up to date: numbered SQL files, each in one transaction, under a lock. Engines of the
// release before may lead calls meanwhile: their writes never wait behind a migration that waits itself.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  failedMigration,
  type Migration,
  migrationsIn,
  NewerDatabaseError,
  UnsuitableDatabaseError,
} from '../migration-files.ts';
import { loadPg, TYPES } from './open.ts';

const VERSION_MIN = 150_000;
/** Order and comparison of text by bytes, as in SQLite: ids and days are compared as text. */
const BYTEWISE = /^(C|POSIX|C\.utf-?8)$/i;

/** This table exists while rows are copied into the database. */
export const CARRY_OVER_MARK = 'carry_over';

/** First line of a file whose statements run each by itself, as `create index concurrently` has to. */
const ALONE = /^-- Outside of a transaction/;

/** A lock on a table is waited for so long: whoever comes later waits behind it. */
const LOCK_WAIT_MS = 1_000;
/** Then the others have their turn. */
const PAUSE_MS = 1_000;
/** Ten minutes, as long as a reader of everything may take. */
const TRIES_MAX = 300;
/** SQLSTATE `lock_not_available`. */
const LOCKED = '55P03';
/** Another process migrates. Who waits for a lock would hold up `create index concurrently`. */
const LOOK_AGAIN_MS = 200;

export const postgresMigrations = () => migrationsIn(new URL('./migrations/', import.meta.url));

/**
 * Applies the missing migrations; returns their versions.
 * @throws {NewerDatabaseError} when a newer release has migrated it
 * @throws {UnsuitableDatabaseError} when its version or collation does not serve
 */
export async function migratePostgres(
  url: string,
  { isCarryOver = false, migrations = postgresMigrations() } = {},
): Promise<number[]> {
  const { Client } = await loadPg();
  const client = new Client({ connectionString: url, application_name: 'voice-migrate', types: TYPES });
  await connect(client);
  try {
    await checkServer(client);
    if (!isCarryOver) await checkWhole(client);
    await takeTurn(client);
    await client.query(
      'create table if not exists schema_migrations (version bigint primary key, applied_at bigint not null)',
    );
    const { rows } = await client.query('select max(version) as version from schema_migrations');
    const found: number = rows[0]?.version ?? 0;
    const known = migrations.at(-1)?.version ?? 0;
    if (found > known) throw new NewerDatabaseError('the database at DATABASE_URL', found, known);
    const missing = migrations.filter(({ version }) => version > found);
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ version }) => version);
  } finally {
    await client.end();
  }
}

/** SQLSTATE: the server refuses this user, password or database. */
const REFUSED = /^(28...|3D000|42501)$/;

async function connect(client: Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (REFUSED.test(code ?? '')) throw new UnsuitableDatabaseError(message);
    throw new Error(`no connection to PostgreSQL at ${client.host}:${client.port} (DATABASE_URL): ${message || code}`);
  }
}

async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
       (select datcollate from pg_database where datname = current_database()) as collation`,
  );
  const { version, name, collation } = rows[0];
  if (version < VERSION_MIN) {
    throw new UnsuitableDatabaseError(`PostgreSQL ${name} is too old: 15 or newer is needed`);
  }
  if (!BYTEWISE.test(collation)) {
    throw new UnsuitableDatabaseError(
      `the database has LC_COLLATE '${collation}', and 'C' is needed: create it by createdb --template=template0 --locale=C --encoding=UTF8 NAME`,
    );
  }
}

async function checkWhole(client: Client): Promise<void> {
  const { rows } = await client.query('select to_regclass($1)::text as mark', [CARRY_OVER_MARK]);
  if (rows[0].mark === null) return;
  throw new UnsuitableDatabaseError('rows are still missing: run npm run admin -- migrate-to again, until it ends');
}

async function takeTurn(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock(2, 0) as taken');
    if (rows[0].taken === 1) return;
    await pause(LOOK_AGAIN_MS);
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await (ALONE.test(migration.sql) ? applyAlone(client, migration) : applyAtOnce(client, migration));
    } catch (error) {
      if ((error as { code?: string }).code !== LOCKED || tries === TRIES_MAX) throw failedMigration(migration, error);
      await pause(PAUSE_MS);
    }
  }
}

async function applyAtOnce(client: Client, migration: Migration): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${LOCK_WAIT_MS}`);
  try {
    await client.query(migration.sql);
    await noteApplied(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Each can be run again: a process may end between them. */
async function applyAlone(client: Client, migration: Migration): Promise<void> {
  for (const statement of migration.sql.split(/;\n/)) if (statement.trim() !== '') await client.query(statement);
  await noteApplied(client, migration);
}

const noteApplied = (client: Client, { version }: Migration) =>
  client.query('insert into schema_migrations (version, applied_at) values ($1, $2)', [version, Date.now()]);

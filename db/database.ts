// The port to the database: SQLite in a file of DATA_DIR, or PostgreSQL at DATABASE_URL. Queries are the same for both
// (db/queries, db/rules); the capabilities and the SQL text in which they differ are in db/dialect.ts.
import { join } from 'node:path';
import type { Lease } from './lease.ts';
import type { OpenOptions } from './open-options.ts';
import { watchPostgres } from './postgres/changes.ts';
import { tryPostgresLease } from './postgres/lease.ts';
import { migratePostgres, postgresMigrations } from './postgres/migrate.ts';
import { openPostgres } from './postgres/open.ts';
import type { Db } from './schema.ts';
import { watchFile } from './sqlite/changes.ts';
import { tryFileLease } from './sqlite/lease.ts';
import { migrate, sqliteMigrations } from './sqlite/migrate.ts';
import { openSqlite } from './sqlite/open.ts';

/** The path of a SQLite file, or the address of a PostgreSQL database, `postgres://…`. */
export type DatabaseTarget = string;

export const isPostgres = (database: DatabaseTarget): boolean => /^postgres(ql)?:\/\//.test(database);

/** The variable that leads to the database. */
export const databaseVariable = (database: DatabaseTarget): 'DATABASE_URL' | 'DATA_DIR' =>
  isPostgres(database) ? 'DATABASE_URL' : 'DATA_DIR';

/** A file is opened at once; PostgreSQL at the first query. */
export const openDatabase = (database: DatabaseTarget, options: OpenOptions = {}): Db =>
  isPostgres(database) ? openPostgres(database, options) : openSqlite(database, options);

/** Applies the missing migrations and returns their versions. Every process calls it at its start. */
export const migrateDatabase = async (database: DatabaseTarget): Promise<number[]> =>
  isPostgres(database) ? migratePostgres(database) : migrate(database);

/** The version that this release brings a database to. */
export const knownVersion = (database: DatabaseTarget): number =>
  (isPostgres(database) ? postgresMigrations() : sqliteMigrations()).at(-1)?.version ?? 0;

/** Two looks must fit well within the 250 ms from an accepted call to its INVITE. */
const LOOK_EVERY_MS = 15;

/** The tables that changed, as they are called in SQL; null: not known, so any. */
export type ChangedTables = ReadonlySet<string> | null;

/**
 * Calls `onChange` after commits of other connections, at most once per `everyMs`; with PostgreSQL of their own too.
 * `engineId`: of an engine, which follows less than an API. Returns a function that stops.
 */
export const watchChanges = (
  database: DatabaseTarget,
  onChange: (tables: ChangedTables) => void,
  everyMs = LOOK_EVERY_MS,
  engineId: string | null = null,
): (() => void) =>
  isPostgres(database)
    ? watchPostgres(database, onChange, everyMs, engineId)
    : watchFile(database, () => onChange(null), everyMs);

export const touches = (changed: ChangedTables, ...tables: readonly string[]): boolean =>
  changed === null || tables.some((table) => changed.has(table));

/** Takes the lease of a folder: one process on the machine has it. Null while another does. */
export const tryFolderLease = (dataDir: string, name: string): Lease | null =>
  tryFileLease(join(dataDir, `${name}.lock`));

/** Takes the lease of that name in the installation; null while another process holds it. */
export const tryLease = async (
  { database, dataDir }: { database: DatabaseTarget; dataDir: string },
  name: string,
  lastsMs?: number,
): Promise<Lease | null> =>
  isPostgres(database) ? tryPostgresLease(database, name, lastsMs) : tryFileLease(join(dataDir, `${name}.lock`));

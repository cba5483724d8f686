// The port to the database: SQLite in a file of DATA_DIR, or PostgreSQL at DATABASE_URL. Queries are the same for both
// (db/queries, db/rules); SQL text that differs is in db/dialect.ts.
import { join } from 'node:path';
import type { OpenOptions } from './open-options.ts';
import { watchPostgres } from './postgres/changes.ts';
import { tryPostgresLock } from './postgres/lock.ts';
import { migratePostgres, postgresMigrations } from './postgres/migrate.ts';
import { openPostgres } from './postgres/open.ts';
import type { ProcessLock } from './process-lock.ts';
import type { Db } from './schema.ts';
import { watchFile } from './sqlite/changes.ts';
import { migrate, sqliteMigrations } from './sqlite/migrate.ts';
import { openSqlite } from './sqlite/open.ts';
import { tryFileLock } from './sqlite/process-lock.ts';

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

/** Calls `onChange` after commits of other connections, at most once per `everyMs`. Returns a function that stops. */
export const watchChanges = (database: DatabaseTarget, onChange: () => void, everyMs = LOOK_EVERY_MS): (() => void) =>
  isPostgres(database) ? watchPostgres(database, onChange, everyMs) : watchFile(database, onChange, everyMs);

/** Takes the lock of that name in the installation; null while another process holds it. */
export const tryLock = async (
  { database, dataDir }: { database: DatabaseTarget; dataDir: string },
  name: string,
): Promise<ProcessLock | null> =>
  isPostgres(database) ? tryPostgresLock(database, name) : tryFileLock(join(dataDir, `${name}.lock`));

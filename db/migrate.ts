// Brings a database file up to date: numbered SQL files, each in one transaction. Both processes call it at start; the
// second one waits for the lock and finds nothing to do.
import { readdirSync, readFileSync } from 'node:fs';
import { CALL_RECORDS_TRIGGER } from './queries/calls/record-json.ts';
import { openRaw } from './sqlite.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** A newer release has migrated the file. The message names both versions and the remedy. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

/** The migrations in order; files are named `NNNN-what.sql`. */
export function listMigrations(): Migration[] {
  return readdirSync(MIGRATIONS)
    .filter((file) => /^\d{4}-.+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      sql: readFileSync(new URL(file, MIGRATIONS), 'utf8'),
    }));
}

/**
 * Applies the missing migrations; returns their versions.
 * @throws {NewerDatabaseError} when the file is newer than this program, naming both versions
 */
export function migrate(path: string): number[] {
  const raw = openRaw(path);
  try {
    raw.pragma('journal_mode = WAL');
    const migrations = listMigrations();
    const newest = migrations.at(-1)?.version ?? 0;
    const applied: number[] = [];
    for (const { version, name, sql } of migrations) {
      raw.exec('begin immediate');
      try {
        const current = raw.pragma('user_version', { simple: true }) as number;
        if (current > newest) {
          throw new NewerDatabaseError(
            `${path} has schema ${current}, this release knows ${newest}: start a newer release, or restore the backup made before the upgrade`,
          );
        }
        if (current < version) {
          raw.exec(sql);
          raw.pragma(`user_version = ${version}`);
          applied.push(version);
        }
        raw.exec('commit');
      } catch (error) {
        if (raw.inTransaction) raw.exec('rollback');
        if (error instanceof Error && !(error instanceof NewerDatabaseError))
          error.message = `migration ${version} (${name}): ${error.message}`;
        throw error;
      }
    }
    keepCallRecords(raw);
    return applied;
  } finally {
    raw.close();
  }
}

/**
 * The columns of a call (schema/call-columns.ts) determine the trigger that keeps the records of calls, so no migration
 * contains it. If the file has another trigger, this creates it again and the records are rewritten from the newest
 * call on (queries/calls/records.ts); until then readers build them.
 */
function keepCallRecords(raw: ReturnType<typeof openRaw>): void {
  const wordsOf = (text: string): string => text.replaceAll(/\s+/g, '');
  raw.exec('begin immediate');
  try {
    const kept = raw.prepare(`select sql from sqlite_master where type = 'trigger' and name = 'call_records'`).get() as
      | { sql: string }
      | undefined;
    if (kept === undefined || wordsOf(kept.sql) !== wordsOf(CALL_RECORDS_TRIGGER)) {
      raw.exec(`drop trigger if exists call_records; ${CALL_RECORDS_TRIGGER};
        update calls set record_json = null where record_json is not null;
        delete from cursors where name = 'call-records';
        insert into cursors (name, value) select 'call-records', rowid from calls order by rowid desc limit 1`);
    }
    raw.exec('commit');
  } catch (error) {
    if (raw.inTransaction) raw.exec('rollback');
    throw error;
  }
}

// Brings a database file up to date: numbered SQL files, each in one transaction. Both processes call it at start; the
// second one waits for the lock and finds nothing to do.
import { failedMigration, migrationsIn, NewerDatabaseError } from '../migration-files.ts';
import { callRecordsTrigger } from '../queries/calls/list/record-json.ts';
import { SQLITE } from './dialect.ts';
import { openRaw, switchToWal } from './open.ts';

export const sqliteMigrations = () => migrationsIn(new URL('./migrations/', import.meta.url));

/** Of two processes that start together one migrates, which takes long where a release rewrites a large table. */
const WAIT_MAX_MS = 60_000;

/**
 * Applies the missing migrations; returns their versions.
 * @throws {NewerDatabaseError} when the file is newer than this program, naming both versions
 */
export function migrate(path: string): number[] {
  const raw = openRaw(path, { busyTimeoutMs: WAIT_MAX_MS });
  try {
    switchToWal(raw, WAIT_MAX_MS);
    const migrations = sqliteMigrations();
    const newest = migrations.at(-1)?.version ?? 0;
    const applied: number[] = [];
    for (const migration of migrations) {
      const { version, sql } = migration;
      raw.exec('begin immediate');
      try {
        const current = raw.pragma('user_version', { simple: true }) as number;
        if (current > newest) throw new NewerDatabaseError(path, current, newest);
        if (current < version) {
          raw.exec(sql);
          raw.pragma(`user_version = ${version}`);
          applied.push(version);
        }
        raw.exec('commit');
      } catch (error) {
        if (raw.inTransaction) raw.exec('rollback');
        throw error instanceof NewerDatabaseError ? error : failedMigration(migration, error);
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
 * call on (queries/calls/list/records.ts); until then readers build them.
 */
function keepCallRecords(raw: ReturnType<typeof openRaw>): void {
  const trigger = callRecordsTrigger(SQLITE);
  const wordsOf = (text: string): string => text.replaceAll(/\s+/g, '');
  raw.exec('begin immediate');
  try {
    const kept = raw.prepare(`select sql from sqlite_master where type = 'trigger' and name = 'call_records'`).get() as
      | { sql: string }
      | undefined;
    if (kept === undefined || wordsOf(kept.sql) !== wordsOf(trigger)) {
      raw.exec(`drop trigger if exists call_records; ${trigger};
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

// Keeps the triggers of a SQLite file from counting twice while rows and totals are copied into it.
import { openRaw } from './open.ts';

/**
 * Drops the triggers of a file whose totals are copied as rows. The returned function creates them again, and has the
 * records of calls written afterwards (queries/calls/list/records.ts).
 */
export function withoutTriggers(path: string): () => void {
  const raw = openRaw(path);
  const triggers = raw.prepare(`select name, sql from sqlite_master where type = 'trigger'`).all() as Array<{
    name: string;
    sql: string;
  }>;
  for (const { name } of triggers) raw.exec(`drop trigger "${name}"`);
  raw.close();
  return () => {
    const again = openRaw(path);
    for (const { sql } of triggers) again.exec(sql);
    again.exec(`insert into cursors (name, value) select 'call-records', rowid from calls order by rowid desc limit 1`);
    again.close();
  };
}

// Adds the records of calls that are older than the trigger (migration 0027). Rows are found by SQLite's rowid.
import { sql } from 'kysely';
import { dialectOf } from '../../../dialect.ts';
import type { Db } from '../../../schema.ts';
import { callJson } from './record-json.ts';

/** The cursor's value is the last row that may lack a record. */
const CURSOR = 'call-records';

/** Whether calls may lack their record. */
export async function lacksRecords(db: Db): Promise<boolean> {
  if (!dialectOf(db).keepsRecords) return false;
  const cursor = await db.selectFrom('cursors').select('name').where('name', '=', CURSOR).executeTakeFirst();
  return cursor !== undefined;
}

/** Adds the records of the next `rows` calls, the newest first. False: all calls have a record. */
export function addOlderRecords(db: Db, rows: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const cursor = await trx.selectFrom('cursors').select('value').where('name', '=', CURSOR).executeTakeFirst();
    if (cursor === undefined) return false;
    const first = Math.max(1, cursor.value - rows + 1);
    await sql`update calls set record_json = ${sql.raw(callJson(dialectOf(trx)))}
      where rowid between ${first} and ${cursor.value} and record_json is null`.execute(trx);
    if (first === 1) await trx.deleteFrom('cursors').where('name', '=', CURSOR).execute();
    else
      await trx
        .updateTable('cursors')
        .set({ value: first - 1 })
        .where('name', '=', CURSOR)
        .execute();
    return first > 1;
  });
}

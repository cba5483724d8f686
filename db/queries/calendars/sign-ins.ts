// Sign-ins to Google and Microsoft for calendars there. Each is of one account, and gone within hours.
import type { CalendarSignInTable } from '../../schema/calendars.ts';
import type { Db } from '../../schema.ts';

export async function insertSignIn(db: Db, row: CalendarSignInTable): Promise<void> {
  await db.insertInto('calendarSignIns').values(row).execute();
}

export function getSignIn(db: Db, accountId: string, id: string): Promise<CalendarSignInTable | undefined> {
  return db
    .selectFrom('calendarSignIns')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** How many of the account have not ended. */
export async function countSignIns(db: Db, accountId: string, nowMs: number): Promise<number> {
  const { total } = await db
    .selectFrom('calendarSignIns')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', nowMs)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** True: this request asks the other side whether somebody has signed in; nobody else does until `nextMs`. */
export async function claimSignIn(db: Db, id: string, nowMs: number, nextMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendarSignIns')
    .set({ askAt: nextMs })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('askAt', '<=', nowMs)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updateSignIn(
  db: Db,
  id: string,
  changes: Partial<Pick<CalendarSignInTable, 'state' | 'error' | 'sealed' | 'askAt' | 'askEveryMs' | 'expiresAt'>>,
): Promise<void> {
  await db.updateTable('calendarSignIns').set(changes).where('id', '=', id).execute();
}

/** All that ended before `beforeMs`. Returns their number. */
export async function deleteOldSignIns(db: Db, beforeMs: number, limit: number): Promise<number> {
  const old = db.selectFrom('calendarSignIns').select('id').where('expiresAt', '<', beforeMs).limit(limit);
  const { numDeletedRows } = await db.deleteFrom('calendarSignIns').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

// The account's do-not-call list, checked before every outbound call.

import type { DoNotCallTable } from '../../schema/campaigns.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';

/** Newest first, and how many match. */
export async function listDoNotCall(
  db: Db,
  accountId: string,
  { phoneNumber }: { phoneNumber?: string },
  page: Page,
): Promise<{ rows: DoNotCallTable[]; total: number }> {
  let query = db.selectFrom('doNotCall').where('accountId', '=', accountId);
  if (phoneNumber !== undefined) query = query.where('phoneNumber', '=', phoneNumber);
  return newestPage(query.selectAll(), page);
}

/** The entry of a number, or undefined. */
export function doNotCallEntry(db: Db, accountId: string, phoneNumber: string): Promise<DoNotCallTable | undefined> {
  return db
    .selectFrom('doNotCall')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('phoneNumber', '=', phoneNumber)
    .executeTakeFirst();
}

/** Lists a number; undefined when it is listed already. */
export function insertDoNotCall(
  db: Db,
  accountId: string,
  entry: Omit<DoNotCallTable, 'accountId'>,
): Promise<DoNotCallTable | undefined> {
  return db
    .insertInto('doNotCall')
    .values({ ...entry, accountId })
    .onConflict((conflict) => conflict.columns(['accountId', 'phoneNumber']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Removes a number from the list; undefined when it was not listed. */
export function deleteDoNotCall(db: Db, accountId: string, phoneNumber: string): Promise<DoNotCallTable | undefined> {
  return db
    .deleteFrom('doNotCall')
    .where('accountId', '=', accountId)
    .where('phoneNumber', '=', phoneNumber)
    .returningAll()
    .executeTakeFirst();
}

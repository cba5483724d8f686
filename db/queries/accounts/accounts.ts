// Accounts (tenants). Their resources have files of their own.

import type { AccountTable } from '../../schema/accounts.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';

export async function insertAccount(db: Db, account: AccountTable): Promise<void> {
  await db.insertInto('accounts').values(account).execute();
}

export function findAccount(db: Db, accountId: string): Promise<AccountTable | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst();
}

/** A page of all accounts, newest first, and how many there are: for an ADMIN of the installation. */
export const listAccounts = (db: Db, page: Page) => newestPage(db.selectFrom('accounts').selectAll(), page);

/** Changes columns of an account; returns the changed row, or undefined if there is none. */
export function updateAccount(
  db: Db,
  accountId: string,
  changes: Partial<Omit<AccountTable, 'id' | 'createdAt'>>,
): Promise<AccountTable | undefined> {
  return db.updateTable('accounts').set(changes).where('id', '=', accountId).returningAll().executeTakeFirst();
}

/** The zone in which the account's months are counted. */
export async function accountTimezone(db: Db, accountId: string): Promise<string> {
  const row = await db.selectFrom('accounts').select('timezone').where('id', '=', accountId).executeTakeFirst();
  return row?.timezone ?? 'UTC';
}

// Users: people who may sign in to an account. E-mail addresses are in lower case and unique over all accounts.

import type { UserTable } from '../../schema/users.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { revokeAccessTokens } from './access-tokens.ts';

/** A reader of mails, and the language of theirs; null: not known. */
export type MailReader = Pick<UserTable, 'email' | 'language'>;

export async function insertUser(db: Db, user: UserTable): Promise<void> {
  await db.insertInto('users').values(user).execute();
}

/** By address, in any account: sign-in finds the account this way. */
export function findUserByEmail(db: Db, email: string): Promise<UserTable | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst();
}

export function findUserById(db: Db, userId: string): Promise<UserTable | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
}

export function findUser(db: Db, accountId: string, userId: string): Promise<UserTable | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** A page of an account's users, newest first, and how many there are. */
export const listUsers = (db: Db, accountId: string, page: Page) =>
  newestPage(db.selectFrom('users').selectAll().where('accountId', '=', accountId), page);

export async function updateUser(db: Db, userId: string, changes: Partial<Omit<UserTable, 'id'>>): Promise<void> {
  await db.updateTable('users').set(changes).where('id', '=', userId).execute();
}

/** Removes a user with its sessions, codes and personal access tokens; false if the account has no such user. */
export async function deleteUser(db: Db, accountId: string, userId: string, nowMs: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('users')
    .where('accountId', '=', accountId)
    .where('id', '=', userId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await db.deleteFrom('refreshTokens').where('userId', '=', userId).execute();
  await db.deleteFrom('oneTimeTokens').where('userId', '=', userId).execute();
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  await db.deleteFrom('userIdentities').where('userId', '=', userId).execute();
  await revokeAccessTokens(db, { accountId, userId }, nowMs);
  return true;
}

/** Removes a user who has not verified the address, and the account that was registered with them. */
export async function deleteRegistration(db: Db, { id, accountId }: UserTable, nowMs: number): Promise<void> {
  await deleteUser(db, accountId, id, nowMs);
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('accountId', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  if (other === undefined) await db.deleteFrom('accounts').where('id', '=', accountId).execute();
}

/** Where the installation's ADMINs are reached, and their accounts. */
export function adminAddresses(db: Db): Promise<Array<MailReader & Pick<UserTable, 'accountId'>>> {
  return db
    .selectFrom('users')
    .select(['email', 'language', 'accountId'])
    .where('role', '=', 'ADMIN')
    .where('emailVerifiedAt', 'is not', null)
    .orderBy('createdAt')
    .limit(20)
    .execute();
}

/** The readers of an account's mails: its users with a verified address, oldest first. */
export function mailReaders(db: Db, accountId: string): Promise<MailReader[]> {
  return db
    .selectFrom('users')
    .select(['email', 'language'])
    .where('accountId', '=', accountId)
    .where('emailVerifiedAt', 'is not', null)
    .orderBy('createdAt')
    .limit(20)
    .execute();
}

/** The account of the installation's first ADMIN. */
export async function firstAdminAccount(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('accountId')
    .where('role', '=', 'ADMIN')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.accountId;
}

/** Whether an installation has an ADMIN yet. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('role', '=', 'ADMIN').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Whether the account is that of an ADMIN of the installation. */
export async function accountHasAdmin(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('accountId', '=', accountId)
    .where('role', '=', 'ADMIN')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Moves the last used TOTP step forward; false when that step, or a later one, was used already. */
export async function useTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ totpLastStep: step })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('totpLastStep', 'is', null), eb('totpLastStep', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Replaces all recovery codes of a user. */
export async function replaceRecoveryCodes(db: Db, userId: string, codeHashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  if (codeHashes.length === 0) return;
  await db
    .insertInto('recoveryCodes')
    .values(codeHashes.map((codeHash) => ({ userId, codeHash, usedAt: null })))
    .execute();
}

/** Uses up a recovery code; false when there is no such unused one. */
export async function useRecoveryCode(db: Db, userId: string, codeHash: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recoveryCodes')
    .set({ usedAt: nowMs })
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Of these accounts, the ones that have an ADMIN. */
export async function accountsOfAdmins(db: Db, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('users')
    .select('accountId')
    .distinct()
    .where('role', '=', 'ADMIN')
    .where('accountId', 'in', accountIds)
    .execute();
  return new Set(rows.map(({ accountId }) => accountId));
}

// Accounts of softphones, for an ADMIN's settings and for the engine. A password is stored only as a sealed box of
// db/shared/secrets/secret-box.ts, bound to the account's id.

import type { Selectable } from 'kysely';
import { DEMO_ALIAS } from '../../rules/routing.ts';
import type { SipAccountTable } from '../../schema/lines/sip-accounts.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { unseal } from '../../shared/secrets/secret-box.ts';
import { newestPage, type Page } from '../newest-page.ts';

export type SipAccountRow = Selectable<SipAccountTable>;
export type SipAccountFields = Omit<SipAccountTable, 'id' | 'createdAt' | 'deletedAt'>;

/** A new account's id, to seal its password with. */
export const newSipAccountId = (): string => newId('sip');

const current = (db: Db) => db.selectFrom('sipAccounts').selectAll().where('deletedAt', 'is', null);

/** Accounts that are not deleted, newest first. */
export async function listSipAccounts(db: Db, page: Page): Promise<{ rows: SipAccountRow[]; total: number }> {
  return newestPage(current(db), page);
}

export async function getSipAccount(db: Db, id: string): Promise<SipAccountRow | null> {
  return (await current(db).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** `username` in lower case. */
export async function sipAccountNamed(db: Db, username: string): Promise<SipAccountRow | null> {
  return (await current(db).where('username', '=', username).executeTakeFirst()) ?? null;
}

/** Adds an account under an existing id (its password is sealed for that id). */
export function addSipAccount(db: Db, id: string, fields: SipAccountFields, nowMs: number): Promise<SipAccountRow> {
  return db
    .insertInto('sipAccounts')
    .values({ ...fields, id, createdAt: nowMs, deletedAt: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateSipAccount(
  db: Db,
  id: string,
  changes: Partial<SipAccountFields>,
): Promise<SipAccountRow | null> {
  return Object.keys(changes).length === 0 ? getSipAccount(db, id) : changed(db, id, changes);
}

async function changed(db: Db, id: string, changes: Partial<SipAccountTable>): Promise<SipAccountRow | null> {
  const row = await db
    .updateTable('sipAccounts')
    .set(changes)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Its name is free again, and its password gone. */
export function deleteSipAccount(db: Db, id: string, nowMs: number): Promise<SipAccountRow | null> {
  return changed(db, id, { deletedAt: nowMs, passwordSealed: null });
}

/** The account that owns the demo number or a campaign; null if there is none. */
export async function callsToOwner(db: Db, callsTo: string): Promise<string | null> {
  const row =
    callsTo === DEMO_ALIAS
      ? await db
          .selectFrom('phoneNumbers')
          .select('accountId')
          .where('sipAlias', '=', DEMO_ALIAS)
          .where('status', '=', 'active')
          .executeTakeFirst()
      : await db
          .selectFrom('campaigns')
          .select('accountId')
          .where('id', '=', callsTo)
          .where('deletedAt', 'is', null)
          .executeTakeFirst();
  return row?.accountId ?? null;
}

/** An account for the registrar, with its password in plain text. Keep it in memory only. */
interface SipAccountConfig {
  id: string;
  accountId: string;
  username: string;
  displayName: string | null;
  password: string;
}

/**
 * Every account that may register. An account whose password cannot be unsealed is left out: it cannot authenticate.
 */
export async function listSipAccountConfigs(db: Db, sealKey: Buffer): Promise<SipAccountConfig[]> {
  const rows = await current(db).where('enabled', '=', 1).orderBy('id').execute();
  return rows.flatMap(({ id, accountId, username, displayName, passwordSealed }) => {
    const password = passwordSealed === null ? null : openPassword(sealKey, id, passwordSealed);
    return password === null ? [] : [{ id, accountId, username, displayName, password }];
  });
}

function openPassword(sealKey: Buffer, id: string, box: string): string | null {
  try {
    return unseal(sealKey, id, box);
  } catch {
    return null;
  }
}

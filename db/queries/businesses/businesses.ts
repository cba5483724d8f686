// Businesses, which define the behaviour of calls, and the audit log of their changes.

import type { BusinessAuditTable, BusinessTable } from '../../schema/businesses.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { deleteCalendarsOf } from '../calendars/calendars.ts';
import { eraseConversationsOf } from '../conversations/erasure.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { deleteNoticesOf } from '../notices/messages.ts';
import { tenantRows } from '../tenant-rows.ts';
import { deleteSuitesOfBusiness } from '../test-runs/suites.ts';
import { deleteVersions } from './versions.ts';

const businesses = tenantRows('businesses');

/** Businesses that are not deleted, newest first, and how many there are. */
export async function listBusinesses(
  db: Db,
  accountId: string,
  page: Page,
): Promise<{ rows: BusinessTable[]; total: number }> {
  return newestPage(businesses.current(db, accountId).selectAll(), page);
}

/** One business, deleted ones too. */
export function getBusiness(db: Db, accountId: string, id: string): Promise<BusinessTable | undefined> {
  return businesses.any(db, accountId, id).selectAll().executeTakeFirst();
}

export async function insertBusiness(
  db: Db,
  accountId: string,
  business: Omit<BusinessTable, 'accountId'>,
): Promise<void> {
  await db
    .insertInto('businesses')
    .values({ ...business, accountId })
    .execute();
}

/** Changes a business that is not deleted; undefined when there is none. */
export function updateBusiness(
  db: Db,
  accountId: string,
  id: string,
  changes: Partial<Omit<BusinessTable, 'id' | 'accountId' | 'createdAt' | 'deletedAt'>>,
): Promise<BusinessTable | undefined> {
  return businesses.change(db, accountId, id).set(changes).returningAll().executeTakeFirst();
}

/** Sets or clears deletedAt; undefined when nothing changes, or the business is missing. */
export function setBusinessDeleted(
  db: Db,
  accountId: string,
  id: string,
  deletedAt: number | null,
): Promise<BusinessTable | undefined> {
  return db
    .updateTable('businesses')
    .set({ deletedAt })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('deletedAt', deletedAt === null ? 'is not' : 'is', null)
    .returningAll()
    .executeTakeFirst();
}

export async function insertBusinessAudit(
  db: Db,
  accountId: string,
  entry: Omit<BusinessAuditTable, 'accountId'>,
): Promise<void> {
  await db
    .insertInto('businessAudit')
    .values({ ...entry, accountId })
    .execute();
}

const AUDIT_ENTRIES_KEPT = 2_000;

/** Deletes what is older than the newest entries of a business: each has old and new values. */
export async function keepNewestBusinessAudit(
  db: Db,
  accountId: string,
  businessId: string,
  kept = AUDIT_ENTRIES_KEPT,
): Promise<void> {
  const oldestKept = await db
    .selectFrom('businessAudit')
    .select('createdAt')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(kept - 1)
    .executeTakeFirst();
  if (oldestKept === undefined) return;
  await db
    .deleteFrom('businessAudit')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('createdAt', '<', oldestKept.createdAt)
    .execute();
}

/** An entry for what somebody who listens to a call does: the engine knows of it first. */
export async function auditControl(
  db: Db,
  args: { accountId: string; businessId: string; callId: string; actor: string; control: string; nowMs: number },
): Promise<void> {
  const { accountId, businessId, callId, actor, control, nowMs } = args;
  const changes = JSON.stringify({ callId: { from: null, to: callId }, control: { from: null, to: control } });
  const entry = { id: newId('aud'), businessId, actor, action: 'call-controlled', changes, createdAt: nowMs };
  await insertBusinessAudit(db, accountId, entry);
}

/** The audit log, newest first, and how many entries there are. */
export async function listBusinessAudit(
  db: Db,
  accountId: string,
  businessId: string,
  page: Page,
): Promise<{ rows: BusinessAuditTable[]; total: number }> {
  const query = db.selectFrom('businessAudit').where('accountId', '=', accountId).where('businessId', '=', businessId);
  return newestPage(query.selectAll(), page);
}

/**
 * Removes at most `limit` businesses of all accounts that were deleted before `beforeMs`, with their audit logs.
 * Returns their number. Calls and campaigns keep their reference.
 */
export async function purgeDeletedBusinesses(
  db: Db,
  { beforeMs, nowMs, limit }: { beforeMs: number; nowMs: number; limit: number },
): Promise<number> {
  const due = await db
    .selectFrom('businesses')
    .select(['id', 'accountId'])
    .where('deletedAt', 'is not', null)
    .where('deletedAt', '<', beforeMs)
    .orderBy('deletedAt')
    .limit(limit)
    .execute();
  let purged = 0;
  for (const { id, accountId } of due) {
    // Checks deletedAt again: the business may have been restored.
    const result = await db
      .deleteFrom('businesses')
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .where('deletedAt', '<', beforeMs)
      .executeTakeFirst();
    if (result.numDeletedRows === 0n) continue;
    await db.deleteFrom('businessAudit').where('accountId', '=', accountId).where('businessId', '=', id).execute();
    await deleteVersions(db, accountId, id);
    await deleteSuitesOfBusiness(db, accountId, id);
    await deleteNoticesOf(db, accountId, id);
    await deleteCalendarsOf(db, accountId, id);
    await eraseConversationsOf(db, accountId, id, nowMs);
    purged++;
  }
  return purged;
}

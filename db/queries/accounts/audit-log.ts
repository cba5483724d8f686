// The audit log: entries are only added, listed, and deleted when they are old.
import type { AuditLogTable } from '../../schema/audit.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { newestPage, type Page } from '../newest-page.ts';

export const AUDIT_ENTRIES_KEPT = 50_000;

export async function insertAudit(db: Db, entry: Omit<AuditLogTable, 'id'>): Promise<void> {
  await db
    .insertInto('auditLog')
    .values({ ...entry, id: newId('aud') })
    .execute();
}

/** Deletes what is older than the newest entries of an account. Null: of those of no account. */
export async function keepNewestAudit(db: Db, accountId: string | null, kept = AUDIT_ENTRIES_KEPT): Promise<void> {
  const oldestKept = await db
    .selectFrom('auditLog')
    .select('createdAt')
    .where('accountId', accountId === null ? 'is' : '=', accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(kept - 1)
    .executeTakeFirst();
  if (oldestKept === undefined) return;
  await db
    .deleteFrom('auditLog')
    .where('accountId', accountId === null ? 'is' : '=', accountId)
    .where('createdAt', '<', oldestKept.createdAt)
    .execute();
}

type AuditFilter = Partial<Pick<AuditLogTable, 'actor' | 'action' | 'resource'>> & {
  resourceId?: string;
  /** Bounds of `createdAt`, both inclusive. */
  fromMs?: number;
  toMs?: number;
};

/** Newest first, and how many match. `accountId` null: of the whole installation. */
export async function listAuditLog(db: Db, accountId: string | null, filter: AuditFilter, page: Page) {
  let query = db.selectFrom('auditLog');
  if (accountId !== null) query = query.where('accountId', '=', accountId);
  for (const column of ['actor', 'action', 'resource', 'resourceId'] as const) {
    const value = filter[column];
    if (value !== undefined) query = query.where(column, '=', value);
  }
  if (filter.fromMs !== undefined) query = query.where('createdAt', '>=', filter.fromMs);
  if (filter.toMs !== undefined) query = query.where('createdAt', '<=', filter.toMs);
  return newestPage(query.selectAll(), page);
}

export async function deleteOldAudit(db: Db, beforeMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('auditLog')
    .where('id', 'in', (qb) => qb.selectFrom('auditLog').select('id').where('createdAt', '<', beforeMs).limit(limit))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

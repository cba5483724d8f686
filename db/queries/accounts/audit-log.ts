// The audit log: entries are only added, listed, and deleted when they are old.
import type { AuditLogTable } from '../../schema/audit.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { newestPage, type Page } from '../newest-page.ts';

export async function insertAudit(db: Db, entry: Omit<AuditLogTable, 'id'>): Promise<void> {
  await db
    .insertInto('auditLog')
    .values({ ...entry, id: newId('aud') })
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

// The rows that a tenant has, marks as deleted and keeps for a while: the two conditions that each of their queries
// must have stand here.
import type { SelectQueryBuilder, UpdateQueryBuilder, UpdateResult } from 'kysely';
import type { Db, Schema } from '../schema.ts';

/** The tables with an id, an account and a time of deletion. */
type TenantTable = 'agents' | 'businesses' | 'campaigns' | 'tools' | 'webhooks';

type Rows<T extends TenantTable> = SelectQueryBuilder<Schema, T, object>;
type Changes<T extends TenantTable> = UpdateQueryBuilder<Schema, T, T, UpdateResult>;

interface TenantRows<T extends TenantTable> {
  /** The rows that are not deleted. */
  current(db: Db, accountId: string): Rows<T>;
  /** One of them, deleted or not. */
  any(db: Db, accountId: string, id: string): Rows<T>;
  /** A change of one that is not deleted. */
  change(db: Db, accountId: string, id: string): Changes<T>;
}

export function tenantRows<T extends TenantTable>(table: T): TenantRows<T> {
  // Kysely knows the columns of one named table; all of these have the three that count here.
  const name = table as 'agents';
  const own = (db: Db, accountId: string) => db.selectFrom(name).where('accountId', '=', accountId);
  return {
    current: (db, accountId) => own(db, accountId).where('deletedAt', 'is', null) as unknown as Rows<T>,
    any: (db, accountId, id) => own(db, accountId).where('id', '=', id) as unknown as Rows<T>,
    change: (db, accountId, id) =>
      db
        .updateTable(name)
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .where('deletedAt', 'is', null) as unknown as Changes<T>,
  };
}

/** Whether the account has this row, and it is not deleted. */
export async function hasCurrent(db: Db, table: TenantTable, accountId: string, id: string): Promise<boolean> {
  const rows = tenantRows(table as 'agents')
    .current(db, accountId)
    .select('id')
    .where('id', '=', id);
  return (await rows.executeTakeFirst()) !== undefined;
}

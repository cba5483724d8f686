// The registrations of softphones: the engine writes them when phones register, refresh and leave.
import type { Selectable } from 'kysely';
import type { SipBindingTable } from '../../schema/sip-accounts.ts';
import type { Db } from '../../schema.ts';

export type SipBindingRow = Selectable<SipBindingTable>;

export async function writeSipBinding(db: Db, row: SipBindingRow): Promise<void> {
  const { sipAccountId: _, ...rest } = row;
  await db
    .insertInto('sipBindings')
    .values(row)
    .onConflict((conflict) => conflict.column('sipAccountId').doUpdateSet(rest))
    .execute();
}

export async function deleteSipBinding(db: Db, { sipAccountId }: { sipAccountId: string }): Promise<void> {
  await db.deleteFrom('sipBindings').where('sipAccountId', '=', sipAccountId).execute();
}

/** Bindings that have not expired. */
export function listSipBindings(db: Db, nowMs: number): Promise<SipBindingRow[]> {
  return db.selectFrom('sipBindings').selectAll().where('expiresAt', '>', nowMs).execute();
}

/** The bindings of some accounts, by account id. */
export async function sipBindingsOf(
  db: Db,
  sipAccountIds: readonly string[],
  nowMs: number,
): Promise<Map<string, SipBindingRow>> {
  if (sipAccountIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('sipBindings')
    .selectAll()
    .where('sipAccountId', 'in', sipAccountIds)
    .where('expiresAt', '>', nowMs)
    .execute();
  return new Map(rows.map((row) => [row.sipAccountId, row]));
}

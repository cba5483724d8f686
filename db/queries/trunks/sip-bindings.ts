// The registrations of softphones: the engine writes them when phones register, refresh and leave.
import { type Selectable, sql } from 'kysely';
import type { SipBindingTable } from '../../schema/lines/sip-accounts.ts';
import type { Db } from '../../schema.ts';

export type SipBindingRow = Selectable<SipBindingTable>;

/** Not over a later REGISTER of the same series, which another engine has answered (RFC 3261 10.3). */
export async function writeSipBinding(db: Db, row: SipBindingRow): Promise<void> {
  const { sipAccountId: _, ...rest } = row;
  await db
    .insertInto('sipBindings')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('sipAccountId')
        .doUpdateSet(rest)
        .where((eb) =>
          eb.or([eb('sipBindings.sipCallId', '<>', row.sipCallId), eb('sipBindings.cseq', '<=', row.cseq)]),
        ),
    )
    .execute();
}

/** `ended`: only that registration, and none that has replaced it; null: whatever there is. */
export async function deleteSipBinding(
  db: Db,
  { sipAccountId, ended }: { sipAccountId: string; ended: Pick<SipBindingRow, 'sipCallId' | 'cseq'> | null },
): Promise<void> {
  let query = db.deleteFrom('sipBindings').where('sipAccountId', '=', sipAccountId);
  if (ended !== null) query = query.where('sipCallId', '=', ended.sipCallId).where('cseq', '=', ended.cseq);
  await query.execute();
}

/** Changes with every registration, refresh and end; cheaper to read than all of them. */
export async function sipBindingsState(db: Db): Promise<string> {
  const { count, expiries } = await db
    .selectFrom('sipBindings')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum(sql<number>`expires_at % 1000000000`).as('expiries')])
    .executeTakeFirstOrThrow();
  return `${count} ${expiries}`;
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

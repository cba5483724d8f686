// The retention sweep, which erases calls older than their account allows: the due accounts, and the progress of each.
import type { CallTable } from '../../../schema/call-columns.ts';
import type { Db } from '../../../schema.ts';

export interface Sweep {
  accountId: string;
  timezone: string;
  retentionDays: number;
  /** Every call that began before this time is erased, ms. */
  erasedUntil: number;
  sweptAt: number;
}

/** The accounts that keep their calls for a number of days. */
export async function listSweeps(db: Db): Promise<Sweep[]> {
  const rows = await db
    .selectFrom('accounts')
    .leftJoin('callSweeps', 'callSweeps.accountId', 'accounts.id')
    .select(['accounts.id', 'timezone', 'retentionDays', 'erasedUntil', 'sweptAt'])
    .where('retentionDays', 'is not', null)
    .execute();
  return rows.flatMap(({ id, timezone, retentionDays, erasedUntil, sweptAt }) =>
    retentionDays === null
      ? []
      : [{ accountId: id, timezone, retentionDays, erasedUntil: erasedUntil ?? 0, sweptAt: sweptAt ?? 0 }],
  );
}

/** The next calls to erase, oldest first. */
export function callsToErase(
  db: Db,
  accountId: string,
  range: { fromMs: number; beforeMs: number; limit: number },
): Promise<Array<Pick<CallTable, 'id' | 'startedAt' | 'recordingState' | 'recordingKey'>>> {
  return db
    .selectFrom('calls')
    .select(['id', 'startedAt', 'recordingState', 'recordingKey'])
    .where('accountId', '=', accountId)
    .where('startedAt', '>=', range.fromMs)
    .where('startedAt', '<', range.beforeMs)
    .where('erasedAt', 'is', null)
    .where('endedAt', 'is not', null)
    .orderBy('startedAt')
    .orderBy('id')
    .limit(range.limit)
    .execute();
}

/** The start of the oldest running call; null if none runs. */
export async function oldestRunningCall(db: Db, accountId: string): Promise<number | null> {
  const row = await db
    .selectFrom('calls')
    .select('startedAt')
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .orderBy('startedAt')
    .limit(1)
    .executeTakeFirst();
  return row?.startedAt ?? null;
}

export async function keepSweep(
  db: Db,
  accountId: string,
  changes: { erasedUntil?: number; sweptAt?: number },
): Promise<void> {
  await db
    .insertInto('callSweeps')
    .values({ accountId, erasedUntil: 0, sweptAt: 0, ...changes })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(changes))
    .execute();
}

/** Restarts the sweep's interval because the retention days were set. */
export function postponeSweep(db: Db, accountId: string, nowMs: number): Promise<void> {
  return keepSweep(db, accountId, { sweptAt: nowMs });
}

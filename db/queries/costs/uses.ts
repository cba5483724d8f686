// Uses that wait to be priced: written by engines at the end of a call and after work behind it, taken by the API.
import type { Use } from '../../domain/cost/uses.ts';
import type { CallTable } from '../../schema/call-columns.ts';
import type { CallUseTable } from '../../schema/costs.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import type { Write } from '../../statements/write-together.ts';

const ADD = `insert into call_uses (id, account_id, subject_id, uses, created_at)
  select cast(? as text), account_id, id, cast(? as text), cast(? as bigint) from calls where id = ?`;

/** Of a call that ends. */
export const usesWrite = (callId: string, uses: readonly Use[], nowMs: number): Write => ({
  name: 'uses',
  text: ADD,
  values: [newId('use'), JSON.stringify(uses), nowMs, uses.length === 0 ? null : callId],
  isNeeded: uses.length > 0,
});

/** The call's own leg, where it went over a trunk and was answered. */
export function ownLeg(call: Pick<CallTable, 'trunkId' | 'direction' | 'toNumber'>, ms: number): Use[] {
  const { trunkId, direction, toNumber: number } = call;
  return trunkId === null || ms === 0 ? [] : [{ kind: 'trunk', purpose: 'call', trunkId, direction, number, ms }];
}

/** Of work after a call, or of an answer in writing. */
export async function addUses(
  db: Db,
  { accountId, subjectId, uses, nowMs }: { accountId: string; subjectId: string; uses: readonly Use[]; nowMs: number },
): Promise<void> {
  if (uses.length === 0) return;
  await db
    .insertInto('callUses')
    .values({ id: newId('use'), accountId, subjectId, uses: JSON.stringify(uses), createdAt: nowMs })
    .execute();
}

export function waitingUses(db: Db, limit: number): Promise<Array<Pick<CallUseTable, 'id'>>> {
  return db.selectFrom('callUses').select('id').orderBy('id').limit(limit).execute();
}

/** Takes the ones of these that nobody else has taken. */
export async function takeUses(tx: Db, ids: readonly string[]): Promise<CallUseTable[]> {
  const rows = await tx.deleteFrom('callUses').where('id', 'in', ids).returningAll().execute();
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

// How each trunk is doing: registration, health, last error. The engine writes these rows, the API shows them and refuses
// calls over a trunk that is known to be down.
import type { Selectable } from 'kysely';
import type { TrunkStateTable } from '../schema/trunks.ts';
import type { Db } from '../sqlite.ts';

export type TrunkStateRow = Selectable<TrunkStateTable>;

/** The states of some trunks, by trunk id; a trunk that the engine has not seen yet has none. */
export async function trunkStates(db: Db, trunkIds: readonly string[]): Promise<Map<string, TrunkStateRow>> {
  if (trunkIds.length === 0) return new Map();
  const rows = await db.selectFrom('trunkStates').selectAll().where('trunkId', 'in', trunkIds).execute();
  // Counted from the calls, whose rows are right even after a crash, and include calls that no engine has taken yet.
  const open = await db
    .selectFrom('calls')
    .select((eb) => ['trunkId', eb.fn.countAll<number>().as('total')])
    .where('endedAt', 'is', null)
    .where('trunkId', 'in', trunkIds)
    .groupBy('trunkId')
    .execute();
  const calls = new Map(open.map(({ trunkId, total }) => [trunkId, Number(total)]));
  return new Map(
    rows.map((row) => [row.trunkId, { ...row, activeCalls: Math.max(row.activeCalls, calls.get(row.trunkId) ?? 0) }]),
  );
}

/** Registration, health and last error of a trunk, as `GET /admin/trunks` shows them. */
export async function writeTrunkState(db: Db, row: TrunkStateTable): Promise<void> {
  const { trunkId: _, ...rest } = row;
  await db
    .insertInto('trunkStates')
    .values(row)
    .onConflict((conflict) => conflict.column('trunkId').doUpdateSet(rest))
    .execute();
}

/** Whether a call over the trunk would certainly fail: OPTIONS unanswered, or its registration refused. */
export const isTrunkDown = (state: TrunkStateRow | undefined): boolean =>
  state !== undefined && (state.healthState === 'down' || state.registrationState === 'failed');

/**
 * The trunk for a number's outbound calls: its own, else the only one. `none`: there is no trunk at all, or several and
 * the number names none of them.
 */
export async function outboundTrunk(
  db: Db,
  numberTrunkId: string | null,
): Promise<{ trunkId: string; maxConcurrentCalls: number; state: TrunkStateRow | undefined } | 'none'> {
  const trunks = await db
    .selectFrom('trunks')
    .select(['id', 'maxConcurrentCalls'])
    .where('deletedAt', 'is', null)
    .$if(numberTrunkId !== null, (query) => query.where('id', '=', numberTrunkId ?? ''))
    .limit(2)
    .execute();
  const [trunk, another] = trunks;
  if (!trunk || another) return 'none';
  const states = await trunkStates(db, [trunk.id]);
  return { trunkId: trunk.id, maxConcurrentCalls: trunk.maxConcurrentCalls, state: states.get(trunk.id) };
}

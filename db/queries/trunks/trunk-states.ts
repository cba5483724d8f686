// The state of each trunk: registration, health, last error. The engine writes these rows, the API shows them and
// refuses calls over a trunk that is known to be down.
import type { Selectable } from 'kysely';
import { outboundTrunkId } from '../../domain/outbound-trunk.ts';
import { queueWaitMs } from '../../domain/pace.ts';
import { isDown } from '../../domain/trunk-state.ts';
import type { Flag } from '../../schema/columns.ts';
import type { TrunkStateTable } from '../../schema/lines/trunks.ts';
import type { Db } from '../../schema.ts';
import { mayPlaceCalls } from '../numbers/calling-numbers.ts';

export type TrunkStateRow = Selectable<TrunkStateTable>;

/** The states of some trunks, by trunk id; a trunk that the engine has not seen yet has none. */
export async function trunkStates(db: Db, trunkIds: readonly string[]): Promise<Map<string, TrunkStateRow>> {
  if (trunkIds.length === 0) return new Map();
  const rows = await db.selectFrom('trunkStates').selectAll().where('trunkId', 'in', trunkIds).execute();
  return new Map(rows.map((row) => [row.trunkId, row]));
}

/**
 * The running calls by trunk id, in either direction; no entry for none. Counted from the rows of calls: they are right
 * even after a crash, and include calls that no engine has taken yet.
 */
export async function openCallsOfTrunks(db: Db, trunkIds: readonly string[]): Promise<Map<string, number>> {
  if (trunkIds.length === 0) return new Map();
  const open = await db
    .selectFrom('calls')
    .select((eb) => ['trunkId', eb.fn.countAll<number>().as('total')])
    .where('endedAt', 'is', null)
    .where('trunkId', 'in', trunkIds)
    .groupBy('trunkId')
    .execute();
  return new Map(open.flatMap(({ trunkId, total }) => (trunkId === null ? [] : [[trunkId, Number(total)] as const])));
}

export interface NamedTrunkState {
  id: string;
  name: string;
  register: Flag;
  backupTrunkId: string | null;
  state: TrunkStateRow | undefined;
}

/** Every trunk in service, oldest first, with its state. */
export async function namedTrunkStates(db: Db): Promise<NamedTrunkState[]> {
  const trunks = await db
    .selectFrom('trunks')
    .select(['id', 'name', 'register', 'backupTrunkId'])
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  const rows = await db.selectFrom('trunkStates').selectAll().execute();
  const states = new Map(rows.map((row) => [row.trunkId, row]));
  return trunks.map((trunk) => ({ ...trunk, state: states.get(trunk.id) }));
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

export const isTrunkDown = (state: TrunkStateRow | undefined): boolean =>
  state !== undefined && isDown(state.registrationState, state.healthState);

/** Whether a call by any number of the campaign could leave now: its trunk, or that one's backup, is not down. */
export async function hasTrunkUp(db: Db, campaignId: string): Promise<boolean> {
  const trunks = await namedTrunkStates(db);
  const order = trunks.map(({ id }) => id);
  const isUp = (id: string | null): boolean => {
    const trunk = trunks.find((each) => each.id === id);
    return trunk !== undefined && !isTrunkDown(trunk.state);
  };
  const numbers = await db
    .selectFrom('phoneNumbers')
    .select('trunkId')
    .distinct()
    .where('campaignId', '=', campaignId)
    .where(mayPlaceCalls)
    .execute();
  return numbers.some((number) => {
    const id = outboundTrunkId(number.trunkId, order);
    return isUp(id) || isUp(trunks.find((each) => each.id === id)?.backupTrunkId ?? null);
  });
}

interface OutboundTrunk {
  trunkId: string;
  maxConcurrentCalls: number;
  callsPerSecond: number;
  activeCalls: number;
  /** Wait by the trunk's pace until a call that is accepted now would be dialled. */
  paceWaitMs: number;
  state: TrunkStateRow | undefined;
  /** Null if the trunk has no backup in service. */
  backup: { state: TrunkStateRow | undefined } | null;
}

/** The outbound trunk of a number; null if no trunk is configured. */
export async function outboundTrunk(db: Db, numberTrunkId: string | null): Promise<OutboundTrunk | null> {
  const trunks = await db
    .selectFrom('trunks')
    .select(['id', 'maxConcurrentCalls', 'callsPerSecond', 'backupTrunkId'])
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  const id = outboundTrunkId(
    numberTrunkId,
    trunks.map((trunk) => trunk.id),
  );
  const trunk = trunks.find((candidate) => candidate.id === id);
  if (!trunk) return null;
  const backup = trunks.find((candidate) => candidate.id === trunk.backupTrunkId);
  const states = await trunkStates(db, backup ? [trunk.id, backup.id] : [trunk.id]);
  return {
    trunkId: trunk.id,
    maxConcurrentCalls: trunk.maxConcurrentCalls,
    callsPerSecond: trunk.callsPerSecond,
    activeCalls: (await openCallsOfTrunks(db, [trunk.id])).get(trunk.id) ?? 0,
    paceWaitMs: queueWaitMs(await countUndialled(db, trunk.id), trunk.callsPerSecond),
    state: states.get(trunk.id),
    backup: backup ? { state: states.get(backup.id) } : null,
  };
}

/** Accepted calls of a trunk without an INVITE: none of their dialogs is stored yet. */
async function countUndialled(db: Db, trunkId: string): Promise<number> {
  const { total } = await db
    .selectFrom('calls')
    .leftJoin('callDialogs', 'callDialogs.callId', 'calls.id')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('calls.endedAt', 'is', null)
    .where('calls.trunkId', '=', trunkId)
    .where('calls.direction', '=', 'outbound')
    .where('calls.status', '=', 'RINGING')
    .where('callDialogs.callId', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(total);
}

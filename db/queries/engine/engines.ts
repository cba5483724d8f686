// The engines of the installation: who they are, where they are reached, whether they live, what they can carry. Each
// writes its own row every second. The API reads them for `/readyz`, admission and `/metrics`.

import type { EngineTable } from '../../schema/processes.ts';
import type { Db } from '../../schema.ts';
import { compiledStatement } from '../../statements/compiled-statement.ts';

/** False if another engine has taken this one for dead, and has ended its calls: it must not go on. */
export async function writeEngine(db: Db, row: EngineTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('engines')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row).where('engines.state', '<>', 'dead'))
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

type Beat = Pick<
  EngineTable,
  'id' | 'heartbeatAt' | 'maxCalls' | 'activeCalls' | 'isLate' | 'telephonyUp' | 'models' | 'metrics' | 'clockSkewMs'
>;

/** The same for an engine whose state is as it was: nobody waits to hear of it. */
export async function beatEngine(db: Db, beat: Beat): Promise<boolean> {
  const rows = await writeBeat(db, beat);
  return rows.length > 0;
}

const writeBeat = compiledStatement((db, beat: Beat) =>
  db
    .updateTable('engines')
    .set({
      heartbeatAt: beat.heartbeatAt,
      maxCalls: beat.maxCalls,
      activeCalls: beat.activeCalls,
      isLate: beat.isLate,
      telephonyUp: beat.telephonyUp,
      models: beat.models,
      metrics: beat.metrics,
      clockSkewMs: beat.clockSkewMs,
    })
    .where('id', '=', beat.id)
    .where('state', '<>', 'dead')
    .returning('id'),
);

/** Every engine that is not known to have ended, the one that started last first. */
export const listEngines = (db: Db): Promise<EngineTable[]> => readEngines(db, {});

const readEngines = compiledStatement((db) =>
  db.selectFrom('engines').selectAll().where('state', '<>', 'dead').orderBy('startedAt', 'desc'),
);

/** The SIP addresses of the other engines that were heard of since then, whatever became of them. */
export async function listKnownAddresses(
  db: Db,
  { sinceMs, exceptId }: { sinceMs: number; exceptId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('engines')
    .select('sipUri')
    .where('heartbeatAt', '>', sinceMs)
    .where('id', '<>', exceptId)
    .where('sipUri', 'is not', null)
    .execute();
  return rows.flatMap(({ sipUri }) => sipUri ?? []);
}

/** The latest engine of a home, whatever became of it. */
export function engineOfHome(
  db: Db,
  home: string,
): Promise<Pick<EngineTable, 'hostname' | 'state' | 'controlUrl'> | undefined> {
  return db
    .selectFrom('engines')
    .select(['hostname', 'state', 'controlUrl'])
    .where('home', '=', home)
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * The engines that were taken for dead and whose home has had no other one since: machines that have not come back.
 * Only of a database that several machines share; a single engine that is away is told otherwise.
 */
export const lostEngines = (db: Db): Promise<EngineTable[]> => readLostEngines(db, {});

const readLostEngines = compiledStatement((db) =>
  db
    .selectFrom('engines')
    .selectAll()
    .where('state', '=', 'dead')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('engines as later')
            .select('later.id')
            .whereRef('later.home', '=', 'engines.home')
            .whereRef('later.startedAt', '>', 'engines.startedAt'),
        ),
      ),
    )
    .orderBy('heartbeatAt', 'desc'),
);

/** Whether an engine was taken for dead that was last heard of after `sinceMs`. */
export async function hasDied(db: Db, { sinceMs }: { sinceMs: number }): Promise<boolean> {
  const rows = await recentlyDied(db, { sinceMs });
  return rows.length > 0;
}

const recentlyDied = compiledStatement((db, { sinceMs }: { sinceMs: number }) =>
  db.selectFrom('engines').select('id').where('state', '=', 'dead').where('heartbeatAt', '>', sinceMs).limit(1),
);

/** Whether one has beaten since then, and has not ended. */
export async function someEngineRuns(db: Db, sinceMs: number): Promise<boolean> {
  const engine = await db
    .selectFrom('engines')
    .select('id')
    .where('heartbeatAt', '>=', sinceMs)
    .where('state', 'not in', ['stopped', 'dead'])
    .limit(1)
    .executeTakeFirst();
  return engine !== undefined;
}

/** Takes an engine for dead. False if it has ended meanwhile, or another engine was faster. */
export async function markEngineDead(db: Db, { id }: { id: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('engines')
    .set({ state: 'dead', activeCalls: 0 })
    .where('id', '=', id)
    .where('state', 'not in', ['dead', 'stopped'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes the rows of engines that ended before that time and have no open call. */
export async function forgetEngines(db: Db, { beforeMs }: { beforeMs: number }): Promise<void> {
  await db
    .deleteFrom('engines')
    .where('state', 'in', ['stopped', 'dead'])
    .where('heartbeatAt', '<', beforeMs)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('calls')
            .select('calls.id')
            .where('calls.endedAt', 'is', null)
            .whereRef('calls.engineId', '=', 'engines.id'),
        ),
      ),
    )
    .execute();
}

export async function writeEngineVoices(db: Db, { voices }: { voices: string }): Promise<void> {
  await db
    .insertInto('engineVoices')
    .values({ id: 1, voices })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ voices }))
    .execute();
}

/** JSON of the voices of the running or last engine; undefined until an engine has started on this database. */
export async function findEngineVoices(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('engineVoices').select('voices').where('id', '=', 1).executeTakeFirst();
  return row?.voices;
}

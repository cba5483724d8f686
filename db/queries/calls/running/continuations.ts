// Running calls as another machine's engine would need them to go on with them: sealed, one row a call, written while
// several engines share the database (engine/journal/shared-journal.ts).

import type { Db } from '../../../schema.ts';
import { compiledStatement, runText } from '../../../statements/compiled-statement.ts';

/** Nothing is written of a call that has ended, or that another engine has. `writtenAt`: by the database's clock. */
export async function writeContinuation(
  db: Db,
  args: { callId: string; engineId: string; sealed: string; writtenAt: number },
): Promise<void> {
  const { callId, engineId, sealed, writtenAt } = args;
  await runText(db, 'write-continuation', () => WRITE, [callId, engineId, sealed, writtenAt, callId, engineId]);
}

/** `where` also lets SQLite see that the conflict is not a join's. */
const WRITE = `insert into call_continuations (call_id, engine_id, sealed, written_at)
  select ?, ?, ?, ? from calls where id = ? and engine_id = ? and ended_at is null
  on conflict (call_id) do update set
    engine_id = excluded.engine_id, sealed = excluded.sealed, written_at = excluded.written_at`;

/** Nobody else could go on with the call now; or it is over. */
export const deleteContinuation = compiledStatement((db, { callId }: { callId: string }) =>
  db.deleteFrom('callContinuations').where('callId', '=', callId),
);

/** A call, and the engine that had it last. */
export interface LeftCall {
  callId: string;
  engineId: string;
  /** The engine's folder, and when it was last heard of, by the database's clock. */
  home: string;
  heartbeatAt: number;
  /** It has written what another machine needs. */
  isWritten: boolean;
}

/**
 * The calls among them whose engine was taken for dead: one that has stopped has ended its calls, and may yet say so.
 */
export async function leftCalls(db: Db, callIds: readonly string[]): Promise<LeftCall[]> {
  // PostgreSQL has no empty list.
  if (callIds.length === 0) return [];
  const rows = await db
    .selectFrom('calls')
    .innerJoin('engines', 'engines.id', 'calls.engineId')
    .leftJoin('callContinuations', (join) =>
      join
        .onRef('callContinuations.callId', '=', 'calls.id')
        .onRef('callContinuations.engineId', '=', 'calls.engineId'),
    )
    .select([
      'calls.id as callId',
      'engines.id as engineId',
      'engines.home',
      'engines.heartbeatAt',
      'callContinuations.callId as written',
    ])
    .where('calls.id', 'in', callIds)
    .where('engines.state', '=', 'dead')
    .execute();
  return rows.map(({ written, ...row }) => ({ ...row, isWritten: written !== null }));
}

/** The engine's description of the call; undefined if there is none. */
export async function readContinuation(
  db: Db,
  { callId, engineId }: { callId: string; engineId: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('callContinuations')
    .select('sealed')
    .where('callId', '=', callId)
    .where('engineId', '=', engineId)
    .executeTakeFirst();
  return row?.sealed;
}

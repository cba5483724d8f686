// Running calls as another machine's engine would need them to go on with them: sealed, one row a call, written while
// several engines share the database (engine/journal/shared-journal.ts).
import { compiledStatement, runText } from '../../compiled-statement.ts';
import type { CallContinuationTable } from '../../schema/calls.ts';
import type { Db } from '../../schema.ts';

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

/** What its last engine wrote of the call, and when that engine was last heard of; undefined without either. */
export function readContinuation(
  db: Db,
  { callId, engineId }: { callId: string; engineId: string },
): Promise<(Pick<CallContinuationTable, 'sealed' | 'writtenAt'> & { heartbeatAt: number }) | undefined> {
  return db
    .selectFrom('callContinuations')
    .innerJoin('engines', 'engines.id', 'callContinuations.engineId')
    .select(['callContinuations.sealed', 'callContinuations.writtenAt', 'engines.heartbeatAt'])
    .where('callContinuations.callId', '=', callId)
    .where('callContinuations.engineId', '=', engineId)
    .executeTakeFirst();
}

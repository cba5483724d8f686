// Problems that people found in calls: at most one for a line of the transcript.
import type { CallProblemTable } from '../../../schema/calls.ts';
import type { Db } from '../../../schema.ts';

/** In the order of the call. */
export function problemsOf(db: Db, accountId: string, callId: string): Promise<CallProblemTable[]> {
  return db
    .selectFrom('callProblems')
    .selectAll()
    .where('callId', '=', callId)
    .where('accountId', '=', accountId)
    .orderBy('atMs')
    .execute();
}

/** In place of what was said of the line before. */
export async function saveProblem(db: Db, row: CallProblemTable): Promise<void> {
  const { kind, note, createdAt } = row;
  await db
    .insertInto('callProblems')
    .values(row)
    .onConflict((conflict) => conflict.columns(['callId', 'atMs']).doUpdateSet({ kind, note, createdAt }))
    .execute();
}

/** The row that was there; undefined if there was none. */
export function removeProblem(
  db: Db,
  { accountId, callId, atMs }: Pick<CallProblemTable, 'accountId' | 'callId' | 'atMs'>,
): Promise<CallProblemTable | undefined> {
  return db
    .deleteFrom('callProblems')
    .where('callId', '=', callId)
    .where('atMs', '=', atMs)
    .where('accountId', '=', accountId)
    .returningAll()
    .executeTakeFirst();
}

// Calls whose trace is to be sent: those that have ended, by a cursor of their own over the events.
import type { CallTable } from '../../../schema/call-columns.ts';
import type { Db } from '../../../schema.ts';

const CURSOR = 'traces';

/** The event of the last call whose trace was sent; null before the first. */
export async function tracePosition(db: Db): Promise<number | null> {
  const row = await db.selectFrom('cursors').select('value').where('name', '=', CURSOR).executeTakeFirst();
  return row?.value ?? null;
}

export async function moveTracePosition(db: Db, value: number): Promise<void> {
  await db
    .insertInto('cursors')
    .values({ name: CURSOR, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The newest event: the first start sends nothing of the past. */
export async function newestEvent(db: Db): Promise<number> {
  const row = await db.selectFrom('events').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}

/** Events of calls that ended before `beforeMs`, after `from`, oldest first. */
export function endsToTrace(
  db: Db,
  from: number,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<Array<{ seq: number; callId: string }>> {
  return db
    .selectFrom('events')
    .select(['seq', 'subjectId as callId'])
    .where('seq', '>', from)
    .where('type', '=', 'call.ended')
    .where('createdAt', '<', beforeMs)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** Of any account; erased ones are left out. */
export function callsToTrace(db: Db, ids: readonly string[]): Promise<CallTable[]> {
  return db.selectFrom('calls').selectAll().where('id', 'in', ids).where('erasedAt', 'is', null).execute();
}

/** The dialogue model that each agent names for itself, by the agent's id. */
export async function modelsOfAgents(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('agents').select(['id', 'conversation']).where('id', 'in', ids).execute();
  return new Map(
    rows.flatMap(({ id, conversation }): Array<[string, string]> => {
      const { model } = JSON.parse(conversation) as { model?: string };
      return model === undefined ? [] : [[id, model]];
    }),
  );
}

export async function timelinesOfCalls(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('callTimelines').select(['callId', 'data']).where('callId', 'in', ids).execute();
  return new Map(rows.map(({ callId, data }) => [callId, data]));
}

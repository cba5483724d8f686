// Texts about appointments that wait to be sent, and those that are done with, for as long as they are kept.
import type { AppointmentTextTable } from '../../schema/conversations.ts';
import type { Db } from '../../schema.ts';

export function dueAppointmentTexts(db: Db, nowMs: number, limit: number): Promise<AppointmentTextTable[]> {
  return db
    .selectFrom('appointmentTexts')
    .selectAll()
    .where('dueAt', '<=', nowMs)
    .orderBy('dueAt')
    .orderBy('appointmentId')
    .limit(limit)
    .execute();
}

export async function settleAppointmentText(
  tx: Db,
  { appointmentId, kind, sequence }: AppointmentTextTable,
  changes: Pick<AppointmentTextTable, 'dueAt' | 'messageId'>,
): Promise<void> {
  await tx
    .updateTable('appointmentTexts')
    .set(changes)
    .where('appointmentId', '=', appointmentId)
    .where('kind', '=', kind)
    .where('sequence', '=', sequence)
    .execute();
}

/** Up to `limit` from before `beforeMs` that are done with. */
export async function deleteOldAppointmentTexts(db: Db, beforeMs: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('appointmentTexts')
    .select(['appointmentId', 'kind', 'sequence'])
    .where('createdAt', '<', beforeMs)
    .where('dueAt', 'is', null)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  for (const { appointmentId, kind, sequence } of rows)
    await db
      .deleteFrom('appointmentTexts')
      .where('appointmentId', '=', appointmentId)
      .where('kind', '=', kind)
      .where('sequence', '=', sequence)
      .execute();
  return rows.length;
}

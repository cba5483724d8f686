// Names of appointments that were made by somebody who is erased, or by hand: they go when the appointment is over.
import type { Db } from '../../schema.ts';
import { scrubPages } from '../../upkeep.ts';
import { eraseAppointmentAnswers } from './answers.ts';
import { APPOINTMENT_BLANKS } from './blanks.ts';
import { eraseLog } from './log.ts';

/** A future appointment keeps its names until it is over: the business expects that person. Returns the ids of all. */
export async function eraseAppointments(
  trx: Db,
  of: 'callId' | 'conversationId' | 'id',
  ids: readonly string[],
  nowMs: number,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await trx
    .selectFrom('appointments')
    .select(['id', 'endsAt', 'status', 'reminderCallId'])
    .where(of, 'in', ids)
    .execute();
  await dropReminders(
    trx,
    rows.flatMap(({ reminderCallId }) => reminderCallId ?? []),
  );
  const isAhead = (row: (typeof rows)[number]) => row.status === 'booked' && row.endsAt > nowMs;
  for (const row of rows.filter(isAhead)) {
    await trx.updateTable('appointments').set({ eraseAfter: row.endsAt }).where('id', '=', row.id).execute();
  }
  await blankAppointments(
    trx,
    rows.filter((row) => !isAhead(row)).map(({ id }) => id),
  );
  return rows.map(({ id }) => id);
}

const madeByHand = (trx: Db, accountId: string) =>
  trx
    .selectFrom('appointments')
    .select('id')
    .where('accountId', '=', accountId)
    .where('callId', 'is', null)
    .where('conversationId', 'is', null)
    .where('eraseAfter', 'is', null);

/** Made by hand for a person; the others go with their calls and conversations. */
export async function eraseAppointmentsWith(trx: Db, accountId: string, phone: string, nowMs: number): Promise<void> {
  const rows = await madeByHand(trx, accountId).where('phone', '=', phone).execute();
  const ids = rows.map(({ id }) => id);
  await eraseLog(trx, await eraseAppointments(trx, 'id', ids, nowMs));
  await eraseAppointmentAnswers(trx, accountId, ids);
}

/** Up to `limit` that were made by hand and were over before; returns their number. */
export async function erasePastAppointments(
  trx: Db,
  accountId: string,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const rows = await madeByHand(trx, accountId)
    .where('endsAt', '<', beforeMs)
    .where((eb) => eb.or([eb('name', 'is not', null), eb('phone', 'is not', null), eb('notes', 'is not', null)]))
    .orderBy('startsAt')
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  await blankAppointments(trx, ids);
  await eraseLog(trx, ids);
  return ids.length;
}

/** Calls that wait to remind of them: nobody who was erased is called, and none of them leaves a record. */
async function dropReminders(trx: Db, callIds: readonly string[]): Promise<void> {
  if (callIds.length === 0) return;
  const dropped = await trx.deleteFrom('scheduledCalls').where('id', 'in', callIds).returning('id').execute();
  if (dropped.length === 0) return;
  const ids = dropped.map(({ id }) => id);
  await trx
    .updateTable('appointments')
    .set({ reminder: null, reminderCallId: null })
    .where('reminderCallId', 'in', ids)
    .execute();
}

async function blankAppointments(trx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('appointments')
    .set({ ...APPOINTMENT_BLANKS, eraseAfter: null })
    .where('id', 'in', ids)
    .execute();
  await scrubPages(trx, 'appointments', ids);
}

/**
 * Erases past or cancelled appointments of erased calls, and what was told of them since; returns their number. Call it
 * in a transaction.
 */
export async function eraseOldAppointments(trx: Db, nowMs: number, limit: number): Promise<number> {
  const rows = await trx
    .selectFrom('appointments')
    .select('id')
    .where('eraseAfter', 'is not', null)
    // One that was moved since is over at another time.
    .where((eb) => eb.or([eb('endsAt', '<', nowMs), eb('status', '=', 'cancelled')]))
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  await blankAppointments(trx, ids);
  await eraseLog(trx, ids);
  return ids.length;
}

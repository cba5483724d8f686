// Erasure of conversations in writing: they and their messages are gone, the appointments that were booked in them lose
// their names as those of erased calls do, and events and the log of their deliveries keep no word of them.
import type { Db } from '../../schema.ts';
import { ANSWERS_KEPT_MS, eraseWrittenAnswers } from '../erasure/answers.ts';
import { eraseAppointments, eraseAppointmentsWith } from '../erasure/appointments.ts';
import { eraseLog } from '../erasure/log.ts';

/** Call it in a transaction. */
export async function eraseConversations(
  tx: Db,
  accountId: string,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  const recent: string[] = [];
  for (const id of ids) {
    const messages = await tx
      .deleteFrom('messages')
      .where('accountId', '=', accountId)
      .where('conversationId', '=', id)
      .returning('id')
      .execute();
    await tx.deleteFrom('widgetVisitors').where('conversationId', '=', id).where('accountId', '=', accountId).execute();
    const gone = await tx
      .deleteFrom('conversations')
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .returning('lastMessageAt')
      .executeTakeFirst();
    if (gone !== undefined && gone.lastMessageAt > nowMs - ANSWERS_KEPT_MS) recent.push(id);
    const appointments = await eraseAppointments(tx, 'conversationId', [id], nowMs);
    await tx.updateTable('appointments').set({ conversationId: null }).where('conversationId', '=', id).execute();
    await eraseLog(tx, [...messages.map((each) => each.id), ...appointments]);
  }
  await eraseWrittenAnswers(tx, accountId, recent);
}

/** Of a person, of all numbers, and the appointments that were made by hand for them; returns how many there were. */
export async function eraseConversationsWith(
  tx: Db,
  accountId: string,
  personNumber: string,
  nowMs: number,
): Promise<number> {
  await eraseAppointmentsWith(tx, accountId, personNumber, nowMs);
  return eraseFound(tx, accountId, nowMs, (found) => found.where('personNumber', '=', personNumber));
}

/** Up to `limit` in which nobody has written since; returns their number. */
export function eraseOldConversations(
  tx: Db,
  accountId: string,
  { beforeMs, nowMs, limit }: { beforeMs: number; nowMs: number; limit: number },
): Promise<number> {
  return eraseFound(tx, accountId, nowMs, (found) =>
    found.where('lastMessageAt', '<', beforeMs).orderBy('lastMessageAt').limit(limit),
  );
}

/** All of a business that is gone. */
export async function eraseConversationsOf(
  tx: Db,
  accountId: string,
  businessId: string,
  nowMs: number,
): Promise<void> {
  await tx
    .deleteFrom('appointmentTexts')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .execute();
  await eraseFound(tx, accountId, nowMs, (found) => found.where('businessId', '=', businessId));
}

const idsOf = (db: Db, accountId: string) =>
  db.selectFrom('conversations').select('id').where('accountId', '=', accountId);

/** @returns how many there were */
async function eraseFound(
  tx: Db,
  accountId: string,
  nowMs: number,
  narrow: (found: ReturnType<typeof idsOf>) => ReturnType<typeof idsOf>,
): Promise<number> {
  const rows = await narrow(idsOf(tx, accountId)).execute();
  await eraseConversations(
    tx,
    accountId,
    rows.map(({ id }) => id),
    nowMs,
  );
  return rows.length;
}

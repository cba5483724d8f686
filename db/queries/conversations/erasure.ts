// Erasure of conversations in writing: they and their messages are gone, the appointments that were booked in them lose
// their names as those of erased calls do, and events and the log of their deliveries keep no word of them.
import type { Db } from '../../schema.ts';
import { eraseAppointments, eraseLog } from '../calls/ended/erasure.ts';

/** Call it in a transaction. */
export async function eraseConversations(
  tx: Db,
  accountId: string,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  for (const id of ids) {
    const messages = await tx
      .deleteFrom('messages')
      .where('accountId', '=', accountId)
      .where('conversationId', '=', id)
      .returning('id')
      .execute();
    await tx.deleteFrom('widgetVisitors').where('conversationId', '=', id).where('accountId', '=', accountId).execute();
    await tx.deleteFrom('conversations').where('accountId', '=', accountId).where('id', '=', id).execute();
    const appointments = await eraseAppointments(tx, 'conversationId', [id], nowMs);
    await tx.updateTable('appointments').set({ conversationId: null }).where('conversationId', '=', id).execute();
    await eraseLog(tx, [...messages.map((each) => each.id), ...appointments]);
  }
}

/** Of a person who was deleted as a contact, of all numbers. */
export async function eraseConversationsWith(
  tx: Db,
  accountId: string,
  personNumber: string,
  nowMs: number,
): Promise<void> {
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('accountId', '=', accountId)
    .where('personNumber', '=', personNumber)
    .execute();
  await eraseConversations(
    tx,
    accountId,
    rows.map(({ id }) => id),
    nowMs,
  );
}

/** Up to `limit` in which nobody has written since; returns their number. */
export async function eraseOldConversations(
  tx: Db,
  accountId: string,
  { beforeMs, nowMs, limit }: { beforeMs: number; nowMs: number; limit: number },
): Promise<number> {
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('accountId', '=', accountId)
    .where('lastMessageAt', '<', beforeMs)
    .orderBy('lastMessageAt')
    .limit(limit)
    .execute();
  await eraseConversations(
    tx,
    accountId,
    rows.map(({ id }) => id),
    nowMs,
  );
  return rows.length;
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
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .execute();
  await eraseConversations(
    tx,
    accountId,
    rows.map(({ id }) => id),
    nowMs,
  );
}

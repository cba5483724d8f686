// Tells clients of a message that came or was sent: an event with it as they read it.
import { addEvent } from '../../db/outbox.ts';
import { getConversation } from '../../db/queries/conversations/conversations.ts';
import type { ConversationTable, MessageTable } from '../../db/schema/conversations.ts';
import type { Db } from '../../db/schema.ts';
import { messageRecord } from './record.ts';

export async function tellOfSent(tx: Db, message: MessageTable, nowMs: number): Promise<void> {
  const conversation = await getConversation(tx, message.accountId, message.conversationId);
  if (conversation !== undefined) await tellOf(tx, 'message.sent', message, conversation, nowMs);
}

export async function tellOf(
  tx: Db,
  type: 'message.received' | 'message.sent',
  message: MessageTable,
  conversation: ConversationTable,
  nowMs: number,
): Promise<void> {
  const { accountId, id: subjectId } = message;
  await addEvent(tx, { accountId, type, subjectId, data: messageRecord(message, conversation), nowMs });
}

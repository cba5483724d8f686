// Conversations and messages as clients read them.
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { ConversationTable, MessageTable } from '../../db/schema/conversations.ts';
import type { ConversationRecord, MessageRecord } from './schema.ts';

export function messageRecord(row: MessageTable, { ownNumber, personNumber }: ConversationTable): MessageRecord {
  const isFromPerson = row.author === 'person';
  return {
    id: row.id,
    conversationId: row.conversationId,
    author: row.author,
    userId: row.userId,
    from: (isFromPerson ? personNumber : ownNumber) || null,
    to: (isFromPerson ? ownNumber : personNumber) || null,
    text: row.text,
    segments: row.segments,
    status: row.status,
    error: row.error,
    createdAt: isoTime(row.createdAt),
    doneAt: isoOrNull(row.doneAt),
  };
}

export function conversationRecord(row: ConversationTable, last: MessageTable | undefined): ConversationRecord {
  return {
    id: row.id,
    kind: row.kind,
    businessId: row.businessId,
    campaignId: row.campaignId,
    agentId: row.agentId,
    phoneNumberId: row.phoneNumberId,
    ownNumber: row.ownNumber || null,
    personNumber: row.personNumber || null,
    answeredBy: row.answeredBy,
    takenBy: row.takenBy,
    note: row.note,
    isWaiting: row.dueAt !== null,
    lastMessage: last === undefined ? null : messageRecord(last, row),
    lastMessageAt: isoTime(row.lastMessageAt),
    createdAt: isoTime(row.createdAt),
  };
}

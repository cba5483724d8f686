// Whether one more text may go to a person, and the row by which it goes: their wish, the account's limits, the rules
// of destinations. The carrier is asked later, by the API.

import { type RedactionRules, redact } from '../domain/redaction/find.ts';
import { rulesOf } from '../domain/redaction/policy.ts';
import {
  REPLIES_AN_HOUR,
  REPLIES_WINDOW_MS,
  SEGMENT_SECONDS,
  SERVICE_TEXTS_A_DAY,
  SERVICE_TEXTS_WINDOW_MS,
  TEXTS_A_DAY,
  TEXTS_WINDOW_MS,
} from '../domain/texts/limits.ts';
import { plainText, segmentsOf } from '../domain/texts/segments.ts';
import { optedOutAt } from '../queries/conversations/conversations.ts';
import { addMessage, countMessages, serviceTextsTo } from '../queries/conversations/messages.ts';
import { carrierOfNumber } from '../queries/numbers/carriers.ts';
import type { AgentTable } from '../schema/agents.ts';
import type { BusinessTable } from '../schema/businesses.ts';
import type { ConversationNote, ConversationTable, MessageTable } from '../schema/conversations.ts';
import type { Db } from '../schema.ts';
import { seal } from '../shared/secrets/secret-box.ts';
import { destinationObstacle } from './destinations.ts';
import { countSeconds, spendStop } from './spend.ts';

/** The writer. `keyword`, an answer of the service to STOP, START or HELP, goes to somebody who has opted out, too. */
type Purpose = 'agent' | 'user' | 'keyword' | 'appointment' | 'notice';

type TextObstacle = Exclude<ConversationNote, 'agent_failed' | 'call_back'>;

/** Why a text may not go; null: it may. */
export async function textObstacle(
  tx: Db,
  conversation: ConversationTable,
  purpose: Purpose,
  nowMs: number,
): Promise<TextObstacle | null> {
  const { id, accountId, kind, personNumber } = conversation;
  const ofConversation = { accountId, conversationId: id, author: 'agent' as const };
  if (kind !== 'sms') return null;
  if (purpose !== 'keyword' && (await optedOutAt(tx, conversation)) !== null) return 'opted_out';
  const carrier = await carrierOfNumber(tx, accountId, conversation.ownNumber);
  if (carrier === null) return 'not_allowed';
  if ((await destinationObstacle(tx, { toNumber: personNumber, accountId, trunkId: carrier.trunkId })) !== null)
    return 'not_allowed';
  if (purpose === 'agent') {
    const replies = await countMessages(tx, { ...ofConversation, sinceMs: nowMs - REPLIES_WINDOW_MS });
    if (replies >= REPLIES_AN_HOUR) return 'loop';
  }
  if (purpose === 'appointment' || purpose === 'keyword') {
    const told = await serviceTextsTo(tx, conversation, nowMs - SERVICE_TEXTS_WINDOW_MS);
    if (told >= SERVICE_TEXTS_A_DAY) return 'limit';
  }
  const account = await tx.selectFrom('accounts').select('plan').where('id', '=', accountId).executeTakeFirstOrThrow();
  const most = TEXTS_A_DAY[account.plan];
  const sent =
    most === null ? 0 : await countMessages(tx, { accountId, author: 'sent', sinceMs: nowMs - TEXTS_WINDOW_MS });
  if (most !== null && sent >= most) return 'limit';
  return (await spendStop(tx, accountId, nowMs)) === null ? null : 'limit';
}

export interface NewText {
  author: Exclude<MessageTable['author'], 'person'>;
  userId?: string;
  /** The part that is kept. */
  text: string;
  /** All of it, where that is more. */
  sealed: string | null;
  /** Of all of it. */
  segments?: number;
  /** Absent: at once. */
  dueAt?: number;
}

/** Has it sent, and counts it as spent. Ask `textObstacle` before, in the same transaction. */
export async function queueText(
  tx: Db,
  conversation: ConversationTable,
  { text, segments = segmentsOf(text), dueAt, ...of }: NewText,
  nowMs: number,
): Promise<MessageTable> {
  const isSent = conversation.kind === 'sms';
  const way = isSent
    ? { status: 'waiting' as const, dueAt: dueAt ?? nowMs }
    : { status: 'said' as const, sealed: null };
  const added = await addMessage(tx, conversation, { ...of, text, segments: isSent ? segments : 0, ...way }, nowMs);
  if (added === null) throw new Error('a text of ours has no id of a carrier');
  if (isSent) await countSeconds(tx, conversation.accountId, segments * SEGMENT_SECONDS, nowMs);
  return added;
}

/** A text that the service itself writes: its message, or why it may not go. */
export async function queueServiceText(
  tx: Db,
  conversation: ConversationTable,
  { text, purpose }: { text: string; purpose: Exclude<Purpose, 'agent' | 'user'> },
  nowMs: number,
): Promise<{ message: MessageTable } | { obstacle: TextObstacle }> {
  const obstacle = await textObstacle(tx, conversation, purpose, nowMs);
  if (obstacle !== null) return { obstacle };
  const ours = { author: 'service', text: plainText(text), sealed: null } as const;
  return { message: await queueText(tx, conversation, ours, nowMs) };
}

/** The rules that go over texts before they are kept; null: nothing is taken out. */
export const textRules = (
  business: Pick<BusinessTable, 'redaction'>,
  agent: Pick<AgentTable, 'language' | 'additionalLanguages'>,
  ownNumber: string,
): RedactionRules | null => rulesOf({ business, agent, ownNumber, otherName: null }, 'transcript');

/** PostgreSQL stores no NUL. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

/**
 * The words of a message as they are kept: without what the business has taken out of them; and all of them, sealed,
 * until who answers has read them. `rules`: null: nothing is taken out.
 */
export function keptText(
  text: string,
  rules: RedactionRules | null,
  conversationId: string,
  secretKey: Buffer,
): Pick<MessageTable, 'text' | 'sealed'> {
  const kept = rules === null ? text : redact(text, rules);
  return { text: kept, sealed: kept === text ? null : seal(secretKey, messageContext(conversationId), text) };
}

/** The context to which a sealed text is bound. */
export const messageContext = (conversationId: string): string => `message of ${conversationId}`;

// A conversation is taken over from the agent by a user, or given back to it.
import { getConversation, updateConversation } from '../../db/queries/conversations/conversations.ts';
import { unreadMessages } from '../../db/queries/conversations/messages.ts';
import type { ConversationTable } from '../../db/schema/conversations.ts';
import type { Db } from '../../db/schema.ts';
import { CONVERSATIONS, transact } from '../../db/scope.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { requireScope } from '../plugins/auth.ts';
import type { ConversationPatch, ConversationRecord } from './schema.ts';
import { missing, readConversation } from './service.ts';

/** Taken over by a user, or given back to the agent, who answers what came meanwhile. @throws {ApiError} 403, 404 */
export async function changeConversation(
  context: ApiContext,
  auth: Auth,
  id: string,
  { answeredBy }: ConversationPatch,
): Promise<ConversationRecord> {
  const { accountId, userId } = auth;
  await transact(context.db, CONVERSATIONS, async (tx) => {
    const row = await getConversation(tx, accountId, id);
    if (row === undefined) throw missing();
    if (answeredBy === 'person') await takeOver(tx, row, userId);
    if (answeredBy === 'agent' && row.answeredBy === 'person') {
      checkMayWrite(auth, row);
      await giveBack(tx, row, context.now());
    }
  });
  return readConversation(context, accountId, id);
}

/** A chat is with the agent alone; what is written in any other reaches a person, whoever writes it. */
export function checkMayWrite(auth: Auth, { kind }: ConversationTable): void {
  if (kind !== 'chat') requireScope(auth, 'call');
}

export async function takeOver(tx: Db, { accountId, id }: ConversationTable, userId: string): Promise<void> {
  const quiet = { dueAt: null, claimedBy: null, claimUntil: null, attempts: 0, note: null };
  await updateConversation(tx, accountId, id, { answeredBy: 'person', takenBy: userId, ...quiet });
}

/** It reads what was said meanwhile from the messages. */
async function giveBack(tx: Db, { accountId, id }: ConversationTable, nowMs: number): Promise<void> {
  const waiting = await unreadMessages(tx, { accountId, id }, 1);
  const dueAt = waiting.length === 0 ? null : nowMs;
  const agent = { answeredBy: 'agent' as const, takenBy: null, sealed: null, note: null, silentUntil: null, dueAt };
  await updateConversation(tx, accountId, id, agent);
}

// Texts to the people of a business, about its calls: by one of its own numbers, in a conversation that the agent does
// not answer.
import { conversationWith, updateConversation } from '../../db/queries/conversations/conversations.ts';
import { textingNumber } from '../../db/queries/conversations/texting-number.ts';
import { queueServiceText } from '../../db/rules/texting.ts';
import type { Db } from '../../db/schema.ts';

const REASONS = {
  opted_out: 'This number has written STOP',
  not_allowed: 'No texts may be sent to this number',
  limit: 'The account has reached its limit of texts or of spending',
  loop: 'Too many texts within an hour',
} as const;

/** In a transaction of `CONVERSATIONS`. Null: it is on its way; else why it is not. */
export async function textOwner(
  tx: Db,
  { accountId, businessId }: { accountId: string; businessId: string },
  { to, text }: { to: string; text: string },
  nowMs: number,
): Promise<string | null> {
  const number = await textingNumber(tx, { accountId, businessId });
  if (number === null) return 'No number of the business is at a carrier that sends texts';
  const conversation = await conversationWith(tx, { accountId, businessId, personNumber: to }, number, nowMs);
  const queued = await queueServiceText(tx, conversation, { text, purpose: 'notice' }, nowMs);
  if ('obstacle' in queued) return REASONS[queued.obstacle];
  await updateConversation(tx, accountId, conversation.id, { answeredBy: 'person' });
  return null;
}

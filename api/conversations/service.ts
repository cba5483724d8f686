// Conversations in writing for the people of an account: read, begun and erased.
import { asE164 } from '../../db/domain/numbers/phone.ts';
import {
  addConversation,
  conversationWith,
  getConversation,
  listConversations,
  updateConversation,
} from '../../db/queries/conversations/conversations.ts';
import { eraseConversations, eraseConversationsWith } from '../../db/queries/conversations/erasure.ts';
import { lastMessages, listMessages } from '../../db/queries/conversations/messages.ts';
import { textingNumber } from '../../db/queries/conversations/texting-number.ts';
import { CONVERSATIONS, transact } from '../../db/scope.ts';
import { namedCampaign } from '../campaigns/named-campaign.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { parseE164, queriedNumber } from '../frame/phone.ts';
import { requireScope } from '../plugins/auth.ts';
import { conversationRecord, messageRecord } from './record.ts';
import type { ConversationCreate, ConversationQuery, ConversationRecord } from './schema.ts';

export const missing = () => notFound('Conversation');

export async function conversationRecords(context: ApiContext, accountId: string, query: ConversationQuery) {
  const { page, limit, ...filter } = query;
  if (filter.personNumber !== undefined) filter.personNumber = queriedNumber(filter.personNumber);
  const { rows, total } = await listConversations(context.read, accountId, filter, { limit, offset: offsetOf(query) });
  const last = await lastMessages(
    context.read,
    rows.map(({ id }) => id),
  );
  return {
    data: rows.map((row) => conversationRecord(row, last.get(row.id))),
    pagination: pagination(page, limit, total),
  };
}

/** @throws {ApiError} 404 */
export async function readConversation(
  { read }: ApiContext,
  accountId: string,
  id: string,
): Promise<ConversationRecord> {
  const row = await getConversation(read, accountId, id);
  if (row === undefined) throw missing();
  return conversationRecord(row, (await lastMessages(read, [id])).get(id));
}

/** @throws {ApiError} 404 */
export async function messageRecords({ read }: ApiContext, accountId: string, id: string, query: PageQuery) {
  const row = await getConversation(read, accountId, id);
  if (row === undefined) throw missing();
  const { rows, total } = await listMessages(read, accountId, id, { limit: query.limit, offset: offsetOf(query) });
  return { data: rows.map((each) => messageRecord(each, row)), pagination: pagination(query.page, query.limit, total) };
}

/**
 * A chat with an agent, or the conversation with a person, which may be there already.
 * @throws {ApiError} 409, 422
 */
export async function beginConversation(
  context: ApiContext,
  auth: Auth,
  body: ConversationCreate,
): Promise<ConversationRecord> {
  const { db, now } = context;
  const { accountId, userId } = auth;
  if (body.to !== undefined) requireScope(auth, 'call');
  const to = body.to === undefined ? null : parseE164(body.to, 'to');
  const row = await transact(db, CONVERSATIONS, async (tx) => {
    const { id: campaignId, businessId, agentId } = await namedCampaign(tx, accountId, body.campaignId);
    const of = { accountId, campaignId, businessId, agentId };
    const chat = { ...of, kind: 'chat' as const, phoneNumberId: null, ownNumber: '', personNumber: '' };
    if (to === null) return addConversation(tx, chat, now());
    const number = await textingNumber(tx, { accountId, campaignId });
    if (number === null)
      throw refused('NO_TEXTING_NUMBER', 'No number of the campaign is at a carrier that sends texts');
    const found = await conversationWith(tx, { accountId, businessId, personNumber: to }, number, now());
    await updateConversation(tx, accountId, found.id, { answeredBy: 'person', takenBy: userId, dueAt: null });
    return { ...found, answeredBy: 'person' as const, takenBy: userId, dueAt: null };
  });
  return conversationRecord(row, (await lastMessages(db, [row.id])).get(row.id));
}

/** @throws {ApiError} 404 */
export async function eraseConversation(
  context: ApiContext,
  accountId: string,
  id: string,
): Promise<ConversationRecord> {
  const { db, now } = context;
  return transact(db, CONVERSATIONS, async (tx) => {
    const row = await getConversation(tx, accountId, id);
    if (row === undefined) throw missing();
    await eraseConversations(tx, accountId, [id], now());
    return conversationRecord({ ...row, personNumber: '', dueAt: null }, undefined);
  });
}

/** All with a number. */
export async function eraseWithNumber({ db, now }: ApiContext, accountId: string, number: string): Promise<number> {
  const personNumber = asE164(number) ?? number;
  return transact(db, CONVERSATIONS, (tx) => eraseConversationsWith(tx, accountId, personNumber, now()));
}

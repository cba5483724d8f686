// Conversations in writing for the people of an account: read, written in, taken over, given back to the agent, erased.
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { asE164 } from '../../db/domain/numbers/phone.ts';
import { redact } from '../../db/domain/redaction/find.ts';
import { plainText, segmentsOf } from '../../db/domain/texts/segments.ts';
import {
  addConversation,
  conversationWith,
  getConversation,
  listConversations,
  smsParties,
  updateConversation,
} from '../../db/queries/conversations/conversations.ts';
import { eraseConversations, eraseConversationsWith } from '../../db/queries/conversations/erasure.ts';
import {
  addMessage,
  lastMessages,
  listMessages,
  markRead,
  unreadMessages,
} from '../../db/queries/conversations/messages.ts';
import { textingNumber } from '../../db/queries/conversations/texting-number.ts';
import { type CallSetup, campaignSetup } from '../../db/rules/routing.ts';
import { readTestSetup } from '../../db/rules/test-setup.ts';
import { messageContext, queueText, textObstacle, textRules } from '../../db/rules/texting.ts';
import type { ConversationTable, MessageTable } from '../../db/schema/conversations.ts';
import type { Db } from '../../db/schema.ts';
import { CONVERSATIONS, transact } from '../../db/scope.ts';
import { seal } from '../../db/shared/secrets/secret-box.ts';
import type { Remember } from '../calls/place/place.ts';
import { campaignRow } from '../campaigns/service.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { invalid, notFound, refused, retryLater } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { parseE164, queriedNumber } from '../frame/phone.ts';
import { requireScope } from '../plugins/auth.ts';
import { conversationRecord, messageRecord } from './record.ts';
import type {
  ConversationCreate,
  ConversationPatch,
  ConversationQuery,
  ConversationRecord,
  MessageCreate,
  MessageRecord,
} from './schema.ts';

const missing = () => notFound('Conversation');

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
  const campaign = await campaignRow(context.read, accountId, body.campaignId).catch(() => {
    throw invalid([{ field: 'campaignId', message: 'names no campaign of this account' }]);
  });
  const { id: campaignId, businessId, agentId } = campaign;
  const row = await transact(db, CONVERSATIONS, async (tx) => {
    const of = { accountId, campaignId, businessId, agentId };
    const chat = { ...of, kind: 'chat' as const, phoneNumberId: null, ownNumber: '', personNumber: '' };
    if (to === null) return addConversation(tx, chat, now());
    const number = await textingNumber(tx, { accountId, campaignId });
    if (number === null)
      throw refused('NO_TEXTING_NUMBER', 'No number of the campaign is at a carrier that sends texts');
    const parties = smsParties({ accountId, businessId, personNumber: to }, number);
    const found = await conversationWith(tx, parties, now());
    await updateConversation(tx, accountId, found.id, { answeredBy: 'person', takenBy: userId, dueAt: null });
    return { ...found, answeredBy: 'person' as const, takenBy: userId, dueAt: null };
  });
  return conversationRecord(row, (await lastMessages(db, [row.id])).get(row.id));
}

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
      mayReachPerson(auth, row);
      await giveBack(tx, row, context.now());
    }
  });
  return readConversation(context, accountId, id);
}

/** A chat is with the agent alone; what is written in any other reaches a person, whoever writes it. */
function mayReachPerson(auth: Auth, { kind }: ConversationTable): void {
  if (kind !== 'chat') requireScope(auth, 'call');
}

async function takeOver(tx: Db, { accountId, id }: ConversationTable, userId: string): Promise<void> {
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

const LIMIT = () =>
  retryLater('TEXT_LIMIT', 'The account has reached its limit of texts or of spending', HOUR_MS / 1_000);
const OBSTACLES = {
  opted_out: () => refused('TEXT_OPTED_OUT', 'This person wants no texts from this number'),
  not_allowed: () => refused('TEXT_NOT_ALLOWED', 'No texts may be sent to this number, or from yours'),
  limit: LIMIT,
  loop: LIMIT,
} as const;

/** In a chat the person's words, which the agent answers; else a user's, who has taken it over. @throws {ApiError} */
export async function writeMessage(
  context: ApiContext,
  auth: Auth,
  id: string,
  body: MessageCreate,
  remember: Remember<MessageRecord>,
): Promise<MessageRecord> {
  const { db, now, secretKey } = context;
  const { accountId, userId } = auth;
  return transact(db, CONVERSATIONS, async (tx) => {
    const row = await getConversation(tx, accountId, id);
    if (row === undefined) throw missing();
    mayReachPerson(auth, row);
    const nowMs = now();
    const written = storable(body.text);
    const remembered = async (message: MessageTable): Promise<MessageRecord> => {
      const record = messageRecord(message, row);
      await remember(tx, record);
      return record;
    };
    if (row.kind === 'chat') return remembered(await hearPerson(context, tx, row, written, userId));
    const { text, sealed } = await keptText(tx, row, written, secretKey);
    const obstacle = await textObstacle(tx, row, 'user', nowMs);
    if (obstacle !== null) throw OBSTACLES[obstacle]();
    if (row.answeredBy !== 'person' || row.takenBy !== userId) await takeOver(tx, row, userId);
    await markRead(tx, row);
    const ours = {
      author: 'user',
      userId,
      text,
      sealed,
      segments: segmentsOf(plainText(written)),
    } as const;
    return remembered(await queueText(tx, row, ours, nowMs));
  });
}

/** PostgreSQL stores no NUL. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '').trim();

/** Words of the person on the other side of one without a carrier, which the agent answers unless it is taken over. */
export async function hearPerson(
  { now, secretKey }: ApiContext,
  tx: Db,
  row: ConversationTable,
  written: string,
  userId: string | null,
): Promise<MessageTable> {
  const nowMs = now();
  const kept = await keptText(tx, row, storable(written), secretKey);
  const said = { author: 'person', userId, ...kept, segments: 0, status: 'received' } as const;
  const message = await addMessage(tx, row, said, nowMs);
  if (message === null) throw missing();
  if (row.answeredBy === 'agent')
    await updateConversation(tx, row.accountId, row.id, { dueAt: row.dueAt ?? nowMs, note: null });
  return message;
}

/** As it is kept, and all of it where that is more. */
async function keptText(tx: Db, row: ConversationTable, written: string, secretKey: Buffer) {
  const text = row.kind === 'sms' ? plainText(written) : written;
  const setup = await setupOf(tx, row);
  const rules = setup === null ? null : textRules(setup.business, setup.agent, row.ownNumber);
  const kept = rules === null ? text : redact(text, rules);
  return { text: kept, sealed: kept === text ? null : seal(secretKey, messageContext(row.id), text) };
}

/** A visitor's words are kept by the rules that are published. */
async function setupOf(tx: Db, row: ConversationTable): Promise<CallSetup | null> {
  const { accountId, campaignId } = row;
  if (row.kind === 'web') return campaignSetup(tx, { accountId, campaignId, number: row.id });
  const found = await readTestSetup(tx, row);
  return 'setup' in found ? found.setup : null;
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

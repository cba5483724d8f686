// Takes what carriers tell of texts: one that a person has sent joins their conversation, and the agent is to answer
// it; what became of one of ours is noted. A carrier tells everything at least once, and here it counts once.

import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { asE164 } from '../../db/domain/numbers/phone.ts';
import { type Keyword, keywordOf } from '../../db/domain/texts/keywords.ts';
import {
  JOINED_WITHIN_MS,
  RECEIVED_BY_NUMBER_AN_HOUR,
  RECEIVED_OF_PERSON_AN_HOUR,
} from '../../db/domain/texts/limits.ts';
import { segmentsOf } from '../../db/domain/texts/segments.ts';
import {
  conversationWith,
  endOptOut,
  findConversation,
  optedOutAt,
  setOptOut,
  updateConversation,
} from '../../db/queries/conversations/conversations.ts';
import {
  addMessage,
  countMessages,
  findMessage,
  forgetWaiting,
  messageOfCarrier,
  receivedByNumber,
  updateMessage,
} from '../../db/queries/conversations/messages.ts';
import { type CarrierRow, ownerAtCarrier } from '../../db/queries/numbers/carriers.ts';
import type { PhoneNumberRow } from '../../db/queries/numbers/phone-numbers.ts';
import { type CallSetup, routeInbound } from '../../db/rules/routing.ts';
import { keptText, queueServiceText, storable, textRules } from '../../db/rules/texting.ts';
import type { ConversationTable, MessageTable } from '../../db/schema/conversations.ts';
import type { Db } from '../../db/schema.ts';
import { CONVERSATIONS, transact } from '../../db/scope.ts';
import type { TextEvent } from '../carriers/api/carrier-api.ts';
import type { ApiContext } from '../context.ts';
import { sentence } from './sentences.ts';
import { tellOf, tellOfSent } from './tell.ts';

type Received = Extract<TextEvent, { type: 'received' }>;
type Status = Extract<TextEvent, { type: 'status' }>;

/** Longer than a carrier joins. */
const TEXT_MAX = 4_000;
/** As texts show a sender that cannot be written to: a short code, or a name. */
const SENDER_MAX = 40;

export async function takeText(context: ApiContext, row: CarrierRow, received: Received): Promise<void> {
  const { read, now, log } = context;
  const nowMs = now();
  const to = asE164(received.to);
  const from = asE164(received.from) ?? received.from.slice(0, SENDER_MAX);
  // One carrier's account tells nothing of another's numbers.
  const accountId = to === null ? null : await ownerAtCarrier(read, row.id, to);
  if (to === null || accountId === null)
    return log.warn({ carrierId: row.id }, 'a text to a number that is not of this carrier was not taken');
  const text = storable(received.text.slice(0, TEXT_MAX));
  const route = await routeInbound(read, to, { forwardedFrom: null, callerNumber: from, nowMs });
  if (!route.found || route.number === null || route.accountId !== accountId) {
    // Nobody answers, and yet nobody writes to them any more.
    const keyword = keywordOf(text);
    if (keyword !== null)
      await transact(context.db, CONVERSATIONS, (tx) =>
        noteWish(tx, { accountId, ownNumber: to, personNumber: from }, keyword, nowMs),
      );
    return log.info(
      { carrierId: row.id, reason: route.found ? 'no_number' : route.reason, isNoted: keyword !== null },
      'a text was not taken',
    );
  }
  await transact(context.db, CONVERSATIONS, (tx) =>
    take(context, tx, {
      ...received,
      text,
      from,
      to,
      carrierId: row.id,
      number: route.number as PhoneNumberRow,
      setup: route.setup,
      nowMs,
    }),
  );
}

interface Taken extends Received {
  carrierId: string;
  number: PhoneNumberRow;
  setup: CallSetup;
  nowMs: number;
}

async function take(context: ApiContext, tx: Db, taken: Taken): Promise<void> {
  const { from, to, text, id, carrierId, number, setup, nowMs } = taken;
  const { accountId } = number;
  if ((await messageOfCarrier(tx, carrierId, id)) !== null) return;
  const own = { id: number.id, phoneNumber: to, campaignId: setup.campaign.id, agentId: setup.agent.id };
  const person = { accountId, businessId: setup.business.id, personNumber: from };
  const conversation = await conversationWith(tx, person, own, nowMs);
  const keyword = keywordOf(text);
  if (await isFlood(tx, conversation, nowMs)) {
    if (keyword !== null) await noteWish(tx, conversation, keyword, nowMs);
    return context.log.warn({ carrierId }, 'a flood of texts is dropped');
  }
  const rules = textRules(setup.business, setup.agent, to);
  const message = await addMessage(
    tx,
    conversation,
    {
      ...keptText(text, rules, conversation.id, context.secretKey),
      ...{ author: 'person', segments: segmentsOf(text), carrierId, reference: id },
      status: keyword === null ? 'received' : 'read',
    },
    nowMs,
  );
  if (message === null) return;
  await tellOf(tx, 'message.received', message, conversation, nowMs);
  if (keyword !== null) return obey(tx, conversation, { ...taken, keyword });
  // A picture alone: nobody can answer what it shows.
  if (text.trim() === '') return;
  const isSilent = conversation.silentUntil !== null && conversation.silentUntil > nowMs;
  const isAnswerable = asE164(from) !== null && (await optedOutAt(tx, conversation)) === null;
  if (conversation.answeredBy === 'person' || isSilent || !isAnswerable) return;
  const dueAt = conversation.dueAt ?? nowMs + JOINED_WITHIN_MS;
  await updateConversation(tx, accountId, conversation.id, { dueAt, note: null, silentUntil: null });
}

/** Beyond it a text costs nothing but its request. */
async function isFlood(tx: Db, { id, accountId, ownNumber }: ConversationTable, nowMs: number): Promise<boolean> {
  const sinceMs = nowMs - HOUR_MS;
  const ofPerson = await countMessages(tx, { accountId, conversationId: id, author: 'person', sinceMs });
  if (ofPerson >= RECEIVED_OF_PERSON_AN_HOUR) return true;
  return (await receivedByNumber(tx, accountId, ownNumber, sinceMs)) >= RECEIVED_BY_NUMBER_AN_HOUR;
}

/** A word that is the service's to obey, and not the agent's to answer. */
async function obey(
  tx: Db,
  conversation: ConversationTable,
  { keyword, isAnswered, setup, nowMs }: Taken & { keyword: Keyword },
): Promise<void> {
  const isNews = await noteWish(tx, conversation, keyword, nowMs);
  // One confirmation: a machine that answers it with STOP gets no other.
  if (!isNews || isAnswered || asE164(conversation.personNumber) === null) return;
  if (keyword === 'help' && (await optedOutAt(tx, conversation)) !== null) return;
  const text = sentence(keyword, setup.agent.language, setup.business.name);
  await queueServiceText(tx, conversation, { text, purpose: 'keyword' }, nowMs);
}

/** Whether texts are wanted, in whatever state the number and its campaign are. False: it was known. */
async function noteWish(
  tx: Db,
  of: Pick<ConversationTable, 'accountId' | 'ownNumber' | 'personNumber'>,
  keyword: Keyword,
  nowMs: number,
): Promise<boolean> {
  if (keyword === 'help') return true;
  const { accountId } = of;
  const isStop = keyword === 'stop';
  const isNews = isStop ? await setOptOut(tx, of, nowMs) : true;
  if (!isStop) await endOptOut(tx, of);
  const conversation = await findConversation(tx, accountId, of);
  if (conversation === undefined) return isNews;
  if (isStop) await forgetWaiting(tx, conversation.id, nowMs);
  const noted = isStop ? { dueAt: null, note: 'opted_out' as const } : { note: null };
  await updateConversation(tx, accountId, conversation.id, noted);
  return isNews;
}

/** The end of a text of ours. It may come before the answer to the request that sent it. */
export async function noteStatus({ db, now }: ApiContext, row: CarrierRow, told: Status): Promise<void> {
  await transact(db, CONVERSATIONS, async (tx) => {
    const message = await messageTold(tx, row.id, told);
    if (message === null || message.author === 'person' || message.status === 'delivered') return;
    const nowMs = now();
    const { status, id, error } = told;
    const isNew = message.reference === null;
    if (!isNew && status === message.status) return;
    const changes = { status, error, carrierId: row.id, reference: id, dueAt: null, sealed: null, doneAt: nowMs };
    const changed = await updateMessage(tx, message, changes);
    if (changed !== null && isNew && status !== 'failed') await tellOfSent(tx, changed, nowMs);
  });
}

async function messageTold(tx: Db, carrierId: string, { id, reference }: Status): Promise<MessageTable | null> {
  const known = await messageOfCarrier(tx, carrierId, id);
  if (known !== null || reference === null) return known;
  const message = await findMessage(tx, reference);
  // A reference that the carrier was not asked with is not its to speak of.
  return message?.reference === null && message.carrierId === carrierId ? message : null;
}

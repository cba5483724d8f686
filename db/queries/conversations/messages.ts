// Messages of conversations, and those that wait for a carrier: each is claimed before the carrier is asked, so that
// after a crash it is known that the carrier may have it.
import type { Insertable, Updateable } from 'kysely';
import type { ConversationTable, MessageTable } from '../../schema/conversations.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { newestPage, type Page } from '../newest-page.ts';

type NewMessage = Pick<MessageTable, 'author' | 'text' | 'sealed' | 'segments' | 'status'> &
  Partial<Pick<MessageTable, 'userId' | 'carrierId' | 'reference' | 'dueAt'>>;

type Subject = Pick<ConversationTable, 'id' | 'accountId'>;

/** Null: the carrier has told of it before. */
export async function addMessage(
  tx: Db,
  { id: conversationId, accountId }: Subject,
  message: NewMessage,
  nowMs: number,
): Promise<MessageTable | null> {
  const row: Insertable<MessageTable> = {
    ...{ id: newId('msg'), accountId, conversationId, userId: null, carrierId: null, reference: null },
    ...{ error: null, attempts: 0, dueAt: null, createdAt: nowMs, doneAt: null },
    ...message,
  };
  const added = await tx
    .insertInto('messages')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (added === undefined) return null;
  await tx.updateTable('conversations').set({ lastMessageAt: nowMs }).where('id', '=', conversationId).execute();
  return added;
}

/** A page of a conversation, newest first, and how many there are. */
export function listMessages(db: Db, accountId: string, conversationId: string, page: Page) {
  const rows = db
    .selectFrom('messages')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('conversationId', '=', conversationId);
  return newestPage(rows, page);
}

/** Messages that came after one of them, at most `limit`, oldest first; the newest where that one is not there. */
export async function messagesAfter(
  db: Db,
  conversationId: string,
  afterId: string | undefined,
  limit: number,
): Promise<MessageTable[]> {
  const all = db.selectFrom('messages').selectAll().where('conversationId', '=', conversationId);
  const known = afterId === undefined ? undefined : await all.where('id', '=', afterId).executeTakeFirst();
  if (known === undefined) {
    const newest = await all.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
    return newest.reverse();
  }
  const { createdAt, id } = known;
  const later = all.where((eb) =>
    eb.or([eb('createdAt', '>', createdAt), eb.and([eb('createdAt', '=', createdAt), eb('id', '>', id)])]),
  );
  return later.orderBy('createdAt').orderBy('id').limit(limit).execute();
}

/** The last message of each, by the conversation. */
export async function lastMessages(db: Db, conversationIds: readonly string[]): Promise<Map<string, MessageTable>> {
  const last = new Map<string, MessageTable>();
  for (const id of conversationIds) {
    const row = await db
      .selectFrom('messages')
      .selectAll()
      .where('conversationId', '=', id)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) last.set(id, row);
  }
  return last;
}

/** The person's words since the agent answered last, oldest first. */
export function unreadMessages(db: Db, of: Subject, limit: number): Promise<MessageTable[]> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('accountId', '=', of.accountId)
    .where('conversationId', '=', of.id)
    .where('status', '=', 'received')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Nobody has to answer them any more. */
export async function markRead(tx: Db, of: Subject): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ status: 'read', sealed: null })
    .where('accountId', '=', of.accountId)
    .where('conversationId', '=', of.id)
    .where('status', '=', 'received')
    .execute();
}

/** The words of the conversation before what is unread, oldest first: what an agent without a memory knows of it. */
export async function earlierMessages(db: Db, conversationId: string, limit: number): Promise<MessageTable[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('conversationId', '=', conversationId)
    .where('status', '<>', 'received')
    .where('status', '<>', 'failed')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

export async function countMessages(
  db: Db,
  of: { accountId: string; conversationId?: string; author: 'sent' | 'agent' | 'person'; sinceMs: number },
): Promise<number> {
  const { accountId, conversationId, author, sinceMs } = of;
  const since = db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .where('createdAt', '>', sinceMs)
    .where('status', '<>', 'said');
  const written = author === 'sent' ? since.where('author', '<>', 'person') : since.where('author', '=', author);
  const rows = conversationId === undefined ? written : written.where('conversationId', '=', conversationId);
  return Number((await rows.executeTakeFirstOrThrow()).total);
}

/** The message that has waited longest for its carrier. */
export function dueMessage(db: Db, nowMs: number, except: readonly string[]): Promise<MessageTable | undefined> {
  const due = db.selectFrom('messages').selectAll().where('dueAt', '<=', nowMs);
  return (except.length === 0 ? due : due.where('id', 'not in', except))
    .orderBy('dueAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Nobody else asks the carrier until `untilMs`; false when another process was first. */
export async function claimMessage(
  db: Db,
  { id, attempts }: MessageTable,
  { carrierId, untilMs }: { carrierId: string; untilMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ status: 'sending', attempts: attempts + 1, dueAt: untilMs, carrierId })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('dueAt', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function updateMessage(
  tx: Db,
  { id, accountId }: Pick<MessageTable, 'id' | 'accountId'>,
  changes: Updateable<Omit<MessageTable, 'id' | 'accountId'>>,
): Promise<MessageTable | null> {
  const found = tx.updateTable('messages').set(changes).where('id', '=', id).where('accountId', '=', accountId);
  return (await found.returningAll().executeTakeFirst()) ?? null;
}

export function getMessage(db: Db, accountId: string, id: string): Promise<MessageTable | undefined> {
  const rows = db.selectFrom('messages').selectAll().where('accountId', '=', accountId);
  return rows.where('id', '=', id).executeTakeFirst();
}

/** Of any account: a carrier tells of its texts by their ids alone. */
export async function findMessage(db: Db, id: string): Promise<MessageTable | null> {
  return (await db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function messageOfCarrier(db: Db, carrierId: string, reference: string): Promise<MessageTable | null> {
  const rows = db.selectFrom('messages').selectAll().where('carrierId', '=', carrierId);
  return (await rows.where('reference', '=', reference).executeTakeFirst()) ?? null;
}

/** Texts that wait for their carriers, and conversations whose person waits for an answer: how many, and since when. */
export async function waitingTexts(
  db: Db,
): Promise<Record<'texts' | 'answers', { depth: number; oldestAt: number | null }>> {
  const [texts, answers] = await Promise.all([
    db
      .selectFrom('messages')
      .select((eb) => [eb.fn.countAll<number>().as('depth'), eb.fn.min('createdAt').as('oldestAt')])
      .where('dueAt', 'is not', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('conversations')
      .select((eb) => [eb.fn.countAll<number>().as('depth'), eb.fn.min('dueAt').as('oldestAt')])
      .where('dueAt', 'is not', null)
      .executeTakeFirstOrThrow(),
  ]);
  const of = ({ depth, oldestAt }: typeof texts | typeof answers) => ({
    depth: Number(depth),
    oldestAt: oldestAt === null ? null : Number(oldestAt),
  });
  return { texts: of(texts), answers: of(answers) };
}

/** Texts of ours that wait for the carrier are not sent: the person wants none. */
export async function forgetWaiting(tx: Db, conversationId: string, nowMs: number): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ status: 'failed', error: 'The person wants no texts', dueAt: null, sealed: null, doneAt: nowMs })
    .where('conversationId', '=', conversationId)
    .where('status', '=', 'waiting')
    .execute();
}

/** Texts of the service itself to a person, from all numbers of the account. */
export async function serviceTextsTo(
  db: Db,
  { accountId, personNumber }: Pick<ConversationTable, 'accountId' | 'personNumber'>,
  sinceMs: number,
): Promise<number> {
  const { total } = await db
    .selectFrom('conversations')
    .innerJoin('messages', 'messages.conversationId', 'conversations.id')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('conversations.accountId', '=', accountId)
    .where('conversations.personNumber', '=', personNumber)
    .where('messages.createdAt', '>', sinceMs)
    .where('messages.author', '=', 'service')
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Texts of all persons to a number of ours. */
export async function receivedByNumber(db: Db, accountId: string, ownNumber: string, sinceMs: number): Promise<number> {
  const { total } = await db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversationId')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('messages.accountId', '=', accountId)
    .where('messages.createdAt', '>', sinceMs)
    .where('messages.author', '=', 'person')
    .where('conversations.ownNumber', '=', ownNumber)
    .executeTakeFirstOrThrow();
  return Number(total);
}

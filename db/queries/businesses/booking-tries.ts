// How often a conversation has booked and changed appointments, and how often references were wrong: an agent that
// writes is made anew for each message, and references are tried by many callers.
import { DAY_MS, HOUR_MS } from '../../domain/hours/durations.ts';
import type { BookingTryTable } from '../../schema/businesses.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';

export interface BookingTries {
  /** Of the conversation, in 24 hours. */
  booked: number;
  changed: number;
  wrongReferences: number;
  /** Of the business, by all callers and writers, in an hour. */
  wrongOfBusiness: number;
}

/** `conversationId`: null on a call, which counts its own. */
export async function bookingTries(
  db: Db,
  of: { accountId: string; businessId: string; conversationId: string | null; nowMs: number },
): Promise<BookingTries> {
  const { accountId, businessId, conversationId, nowMs } = of;
  const count = (kind: BookingTryTable['kind']) =>
    db
      .selectFrom('bookingTries')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('accountId', '=', accountId)
      .where('kind', '=', kind);
  const ofBusiness = count('wrong_reference')
    .where('businessId', '=', businessId)
    .where('createdAt', '>', nowMs - HOUR_MS);
  const wrongOfBusiness = await totalOf(ofBusiness);
  if (conversationId === null) return { booked: 0, changed: 0, wrongReferences: 0, wrongOfBusiness };
  const sinceMs = nowMs - DAY_MS;
  const ofConversation = (kind: BookingTryTable['kind']) =>
    totalOf(count(kind).where('subjectId', '=', conversationId).where('createdAt', '>', sinceMs));
  const booked = db
    .selectFrom('appointments')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .where('conversationId', '=', conversationId)
    .where('createdAt', '>', sinceMs);
  return {
    booked: await totalOf(booked),
    changed: await ofConversation('changed'),
    wrongReferences: await ofConversation('wrong_reference'),
    wrongOfBusiness,
  };
}

const totalOf = async (query: { executeTakeFirstOrThrow(): Promise<{ total: number }> }): Promise<number> =>
  Number((await query.executeTakeFirstOrThrow()).total);

export async function addBookingTry(
  db: Db,
  { nowMs, ...of }: Pick<BookingTryTable, 'accountId' | 'businessId' | 'subjectId' | 'kind'> & { nowMs: number },
): Promise<void> {
  await db
    .insertInto('bookingTries')
    .values({ ...of, id: newId('btr'), createdAt: nowMs })
    .execute();
}

/** Up to `limit` from before `beforeMs`; returns their number. */
export async function deleteOldBookingTries(db: Db, beforeMs: number, limit: number): Promise<number> {
  const old = db.selectFrom('bookingTries').select('id').where('createdAt', '<', beforeMs).limit(limit);
  const { numDeletedRows } = await db.deleteFrom('bookingTries').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

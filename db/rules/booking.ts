// Booking on a call, in writing or by hand: the slot is checked and taken in one transaction, so nobody gets the same
// one twice.

import { randomInt } from 'node:crypto';
import { firstFree, type Taken } from '../domain/booking/resources.ts';
import { addEvent } from '../outbox.ts';
import { appointmentResource } from '../records/resources.ts';
import type { AppointmentTable } from '../schema/businesses.ts';
import type { Db } from '../schema.ts';
import { newId } from '../shared/id.ts';
import { planTexts } from './appointment-texts.ts';

/** Of a million, few are taken. */
const REFERENCE_TRIES = 20;

export interface NewAppointment {
  accountId: string;
  businessId: string;
  callId: string | null;
  /** In writing; absent: on a call. */
  conversationId?: string | null;
  service: string | null;
  startsAtMs: number;
  endsAtMs: number;
  name: string | null;
  phone: string | null;
  /** It is the number that calls or writes; absent: somebody named it. */
  isPhoneProved?: boolean;
  notes: string | null;
  nowMs: number;
  /** Resources that may be booked then, and all of the business's; absent: it has none. */
  candidates?: ReadonlyArray<string | null>;
  known?: readonly string[];
  bufferMs?: number;
  /** Whether the person is told by text; absent: as the business has it. */
  isTold?: boolean;
}

type BookingResult =
  | { booked: true; appointmentId: string; resource: string | null; reference?: string }
  | { booked: false; reason: 'taken' };

/**
 * Books the first of the candidates that is free then; writes `appointment.scheduled`. A time that the same call has
 * booked already is booked: its engine may have died before the model knew of it, and the model asks again.
 */
export async function bookAppointment(db: Db, wish: NewAppointment): Promise<BookingResult> {
  const { accountId, businessId, candidates = [null], known = [], bufferMs = 0 } = wish;
  const time = { startMs: wish.startsAtMs, endMs: wish.endsAtMs };
  const around = { businessId, fromMs: time.startMs - bufferMs, toMs: time.endMs + bufferMs };
  const booked = await booksOf(db, accountId, around);
  const elsewhere = await takenElsewhere(db, accountId, around);
  const same = booked.find((each) => isSame(each, wish));
  if (same !== undefined) return bookedAs(same);
  const resource = firstFree(candidates, time, [...booked.map(takenBy), ...elsewhere], { known, bufferMs });
  if (resource === undefined) return { booked: false, reason: 'taken' };
  const row = await db
    .insertInto('appointments')
    .values({
      id: newId('apt'),
      accountId,
      businessId,
      callId: wish.callId,
      conversationId: wish.conversationId ?? null,
      service: wish.service,
      startsAt: wish.startsAtMs,
      endsAt: wish.endsAtMs,
      name: wish.name,
      phone: wish.phone,
      phoneProved: wish.isPhoneProved === true ? 1 : 0,
      notes: wish.notes,
      status: 'booked',
      resource,
      sequence: 0,
      history: '[]',
      reference: await newReference(db, accountId, businessId),
      eraseAfter: null,
      createdAt: wish.nowMs,
      reminderCallId: null,
      reminder: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await addEvent(db, {
    accountId,
    type: 'appointment.scheduled',
    subjectId: row.id,
    data: appointmentResource(row),
    nowMs: wish.nowMs,
  });
  await planTexts(db, row, wish.nowMs, wish.isTold);
  return bookedAs(row);
}

type Booked = Pick<
  AppointmentTable,
  'id' | 'callId' | 'conversationId' | 'startsAt' | 'endsAt' | 'service' | 'name' | 'resource' | 'reference'
>;

const bookedAs = ({ id, resource, reference }: Booked): BookingResult => ({
  booked: true,
  appointmentId: id,
  resource,
  ...(reference === null ? {} : { reference }),
});

/** Six digits that no other booked appointment of the business has; a caller may have to say them. */
export async function newReference(db: Db, accountId: string, businessId: string): Promise<string> {
  for (let left = REFERENCE_TRIES; ; left--) {
    const reference = String(randomInt(100_000, 1_000_000));
    if (left === 0 || !(await isReferenceTaken(db, { accountId, businessId, reference }))) return reference;
  }
}

type Named = Pick<AppointmentTable, 'accountId' | 'businessId' | 'reference'>;

/** Whether a booked appointment has it. */
export async function isReferenceTaken(db: Db, { accountId, businessId, reference }: Named): Promise<boolean> {
  const other = await db
    .selectFrom('appointments')
    .select('id')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('status', '=', 'booked')
    .where('reference', '=', reference)
    .executeTakeFirst();
  return other !== undefined;
}

const isSame = (booked: Booked, wish: NewAppointment): boolean =>
  (wish.callId !== null || wish.conversationId != null) &&
  booked.callId === wish.callId &&
  booked.conversationId === (wish.conversationId ?? null) &&
  booked.startsAt === wish.startsAtMs &&
  booked.endsAt === wish.endsAtMs &&
  booked.service === wish.service &&
  booked.name === wish.name;

const takenBy = ({ startsAt, endsAt, resource }: Booked): Taken => ({ startMs: startsAt, endMs: endsAt, resource });

interface Range {
  businessId: string;
  fromMs: number;
  toMs: number;
}

/** Booked appointments that overlap [fromMs, toMs), by time. */
async function booksOf(db: Db, accountId: string, { businessId, fromMs, toMs }: Range): Promise<Booked[]> {
  return db
    .selectFrom('appointments')
    .select(['id', 'callId', 'conversationId', 'startsAt', 'endsAt', 'service', 'name', 'resource', 'reference'])
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('status', '=', 'booked')
    .where('startsAt', '<', toMs)
    .where('endsAt', '>', fromMs)
    .orderBy('startsAt')
    .execute();
}

/** Times of a business that overlap [fromMs, toMs) and are taken; `besides`: an appointment that does not count. */
export async function listTaken(db: Db, accountId: string, range: Range, besides?: string): Promise<Taken[]> {
  const [booked, elsewhere] = await Promise.all([booksOf(db, accountId, range), takenElsewhere(db, accountId, range)]);
  return [...booked.filter(({ id }) => id !== besides).map(takenBy), ...elsewhere];
}

/** Times in calendars that the business has connected, as they were read last. */
async function takenElsewhere(db: Db, accountId: string, { businessId, fromMs, toMs }: Range): Promise<Taken[]> {
  const rows = await db
    .selectFrom('calendarSpans')
    .innerJoin('calendars', 'calendars.id', 'calendarSpans.calendarId')
    .select(['calendarSpans.startsAt', 'calendarSpans.endsAt', 'calendars.resource'])
    .where('calendars.accountId', '=', accountId)
    .where('calendars.businessId', '=', businessId)
    .where('calendarSpans.startsAt', '<', toMs)
    .where('calendarSpans.endsAt', '>', fromMs)
    .execute();
  return rows.map(({ startsAt, endsAt, resource }) => ({ startMs: startsAt, endMs: endsAt, resource }));
}

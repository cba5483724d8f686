// Booking by a call: the slot is checked and taken in one transaction, so two calls never get the same one.

import { addEvent } from '../outbox.ts';
import { appointmentResource } from '../records/resources.ts';
import type { AppointmentTable } from '../schema/businesses.ts';
import type { Db } from '../schema.ts';
import { newId } from '../shared/id.ts';

export interface NewAppointment {
  accountId: string;
  businessId: string;
  callId: string | null;
  service: string | null;
  startsAtMs: number;
  endsAtMs: number;
  name: string | null;
  phone: string | null;
  notes: string | null;
  nowMs: number;
}

type BookingResult = { booked: true; appointmentId: string } | { booked: false; reason: 'taken' };

/**
 * Books unless another booked appointment of the business overlaps; writes `appointment.scheduled`. A time that the
 * same call has booked already is booked: its engine may have died before the model knew of it, and the model asks
 * again.
 */
export async function bookAppointment(db: Db, wish: NewAppointment): Promise<BookingResult> {
  const overlapping = await db
    .selectFrom('appointments')
    .select(['id', 'callId', 'startsAt', 'endsAt', 'service', 'name'])
    .where('accountId', '=', wish.accountId)
    .where('businessId', '=', wish.businessId)
    .where('status', '=', 'booked')
    .where('startsAt', '<', wish.endsAtMs)
    .where('endsAt', '>', wish.startsAtMs)
    .executeTakeFirst();
  if (overlapping) {
    return isSame(overlapping, wish)
      ? { booked: true, appointmentId: overlapping.id }
      : { booked: false, reason: 'taken' };
  }
  const row = await db
    .insertInto('appointments')
    .values({
      id: newId('apt'),
      accountId: wish.accountId,
      businessId: wish.businessId,
      callId: wish.callId,
      service: wish.service,
      startsAt: wish.startsAtMs,
      endsAt: wish.endsAtMs,
      name: wish.name,
      phone: wish.phone,
      notes: wish.notes,
      status: 'booked',
      eraseAfter: null,
      createdAt: wish.nowMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await addEvent(db, {
    accountId: wish.accountId,
    type: 'appointment.scheduled',
    subjectId: row.id,
    data: appointmentResource(row),
    nowMs: wish.nowMs,
  });
  return { booked: true, appointmentId: row.id };
}

type Booked = Pick<AppointmentTable, 'callId' | 'startsAt' | 'endsAt' | 'service' | 'name'>;

const isSame = (booked: Booked, wish: NewAppointment): boolean =>
  wish.callId !== null &&
  booked.callId === wish.callId &&
  booked.startsAt === wish.startsAtMs &&
  booked.endsAt === wish.endsAtMs &&
  booked.service === wish.service &&
  booked.name === wish.name;

/** Booked appointments of a business that overlap [fromMs, toMs), by time. */
export async function listBooked(
  db: Db,
  accountId: string,
  args: { businessId: string; fromMs: number; toMs: number },
): Promise<Array<{ startsAt: number; endsAt: number }>> {
  return db
    .selectFrom('appointments')
    .select(['startsAt', 'endsAt'])
    .where('accountId', '=', accountId)
    .where('businessId', '=', args.businessId)
    .where('status', '=', 'booked')
    .where('startsAt', '<', args.toMs)
    .where('endsAt', '>', args.fromMs)
    .orderBy('startsAt')
    .execute();
}

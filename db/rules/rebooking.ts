// A caller finds, moves and cancels appointments of their own: those booked for the number that calls, or the one whose
// reference they know. An id alone proves nothing, whoever invented it.

import { changeNoted } from '../domain/booking/history.ts';
import { firstFree } from '../domain/booking/resources.ts';
import { addEvent } from '../outbox.ts';
import { addBookingTry } from '../queries/businesses/booking-tries.ts';
import { appointmentResource } from '../records/resources.ts';
import type { AppointmentTable } from '../schema/businesses.ts';
import type { Db } from '../schema.ts';
import { planTexts } from './appointment-texts.ts';
import { listTaken } from './booking.ts';

/** A family has fewer. */
const OWN_MAX = 10;

interface Proof {
  accountId: string;
  businessId: string;
  /** The number that calls; null: it is not shown. */
  phone: string | null;
  reference: string | null;
  nowMs: number;
}

export type OwnAppointment = Pick<
  AppointmentTable,
  'id' | 'service' | 'startsAt' | 'endsAt' | 'resource' | 'sequence' | 'history' | 'status' | 'reference'
>;

/** The booked ones ahead, the next first. */
export async function appointmentsOfCaller(
  db: Db,
  { accountId, businessId, phone, reference, nowMs }: Proof,
): Promise<OwnAppointment[]> {
  if (phone === null && reference === null) return [];
  return db
    .selectFrom('appointments')
    .select(['id', 'service', 'startsAt', 'endsAt', 'resource', 'sequence', 'history', 'status', 'reference'])
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('status', '=', 'booked')
    .where('startsAt', '>', nowMs)
    .where((eb) =>
      eb.or([
        ...(phone === null ? [] : [eb('phone', '=', phone)]),
        ...(reference === null ? [] : [eb('reference', '=', reference)]),
      ]),
    )
    .orderBy('startsAt')
    .limit(OWN_MAX)
    .execute();
}

interface NewTime {
  startsAtMs: number;
  endsAtMs: number;
  /** As of a booking. */
  candidates: ReadonlyArray<string | null>;
  known: readonly string[];
  bufferMs: number;
}

export type ChangeWish = Proof & {
  appointmentId: string;
  /** Null: it is cancelled. */
  to: NewTime | null;
  /** In writing, where it counts; absent: on a call. */
  conversationId?: string | null;
};

type ChangeResult = { changed: true; resource: string | null } | { changed: false; reason: 'not_found' | 'taken' };

/** Moves or cancels it, and writes `appointment.changed`. One that is at that time already has been moved. */
export async function changeAppointment(db: Db, wish: ChangeWish): Promise<ChangeResult> {
  const { accountId, businessId, appointmentId, to, nowMs } = wish;
  const own = (await appointmentsOfCaller(db, wish)).find(({ id }) => id === appointmentId);
  if (own === undefined) return { changed: false, reason: 'not_found' };
  if (to?.startsAtMs === own.startsAt && to.endsAtMs === own.endsAt && to.candidates.includes(own.resource))
    return { changed: true, resource: own.resource };
  const resource = to === null ? own.resource : await freeFor(db, accountId, businessId, own, to);
  if (resource === undefined) return { changed: false, reason: 'taken' };
  const change =
    to === null ? { status: 'cancelled' as const } : { startsAt: to.startsAtMs, endsAt: to.endsAtMs, resource };
  const row = await db
    .updateTable('appointments')
    .set({ ...change, ...changeNoted(own, 'call', nowMs) })
    .where('id', '=', appointmentId)
    .where('accountId', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await addChanged(db, await reminded(db, row, to === null ? 'cancelled' : 'moved'), nowMs);
  if (wish.conversationId != null)
    await addBookingTry(db, { accountId, businessId, subjectId: wish.conversationId, kind: 'changed', nowMs });
  return { changed: true, resource };
}

/** Notes it as the outcome of the call that reminded of it, if there was one. */
async function reminded(db: Db, row: AppointmentTable, reminder: 'cancelled' | 'moved'): Promise<AppointmentTable> {
  if (row.reminderCallId === null) return row;
  await db.updateTable('appointments').set({ reminder }).where('id', '=', row.id).execute();
  return { ...row, reminder };
}

/** Its own time is no obstacle: half an hour later may overlap it. */
async function freeFor(
  db: Db,
  accountId: string,
  businessId: string,
  own: OwnAppointment,
  { startsAtMs, endsAtMs, candidates, known, bufferMs }: NewTime,
): Promise<string | null | undefined> {
  const range = { businessId, fromMs: startsAtMs - bufferMs, toMs: endsAtMs + bufferMs };
  const taken = await listTaken(db, accountId, range, own.id);
  return firstFree(candidates, { startMs: startsAtMs, endMs: endsAtMs }, taken, { known, bufferMs });
}

/** For webhooks, and for its person: it is as it is now. */
export async function addChanged(db: Db, row: AppointmentTable, nowMs: number, isTold?: boolean): Promise<void> {
  await addEvent(db, {
    accountId: row.accountId,
    type: 'appointment.changed',
    subjectId: row.id,
    dedupe: String(row.sequence),
    data: appointmentResource(row),
    nowMs,
  });
  await planTexts(db, row, nowMs, isTold);
}

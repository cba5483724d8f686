// Which businesses have their appointments reminded of, which of these are ahead, and what came of the calls.
import type { AppointmentTable, BusinessTable } from '../../schema/businesses.ts';
import type { AppointmentReminderTable } from '../../schema/calendars.ts';
import type { Db } from '../../schema.ts';

export function getReminders(
  db: Db,
  accountId: string,
  businessId: string,
): Promise<AppointmentReminderTable | undefined> {
  return db
    .selectFrom('appointmentReminders')
    .selectAll()
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

export async function putReminders(db: Db, row: AppointmentReminderTable): Promise<void> {
  const { campaignId, dayBeforeAt, hoursBefore } = row;
  await db
    .insertInto('appointmentReminders')
    .values(row)
    .onConflict((conflict) => conflict.column('businessId').doUpdateSet({ campaignId, dayBeforeAt, hoursBefore }))
    .execute();
}

export async function deleteReminders(db: Db, accountId: string, businessId: string): Promise<void> {
  await db
    .deleteFrom('appointmentReminders')
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .execute();
}

export type RemindedAppointment = Pick<
  AppointmentTable,
  'id' | 'accountId' | 'businessId' | 'startsAt' | 'createdAt' | 'history'
> &
  Pick<AppointmentReminderTable, 'campaignId' | 'dayBeforeAt' | 'hoursBefore'> &
  Pick<BusinessTable, 'timezone'>;

/**
 * Booked ones in (fromMs, toMs] that are to be reminded of, and of which nobody was; by id, after `afterId`. None of a
 * call that was erased: its person is expected, but not called any more. None of a number that was only named.
 */
export function appointmentsToRemind(
  db: Db,
  { fromMs, toMs, afterId, limit }: { fromMs: number; toMs: number; afterId: string; limit: number },
): Promise<RemindedAppointment[]> {
  return db
    .selectFrom('appointmentReminders as r')
    .innerJoin('businesses as b', 'b.id', 'r.businessId')
    .innerJoin('appointments as a', 'a.businessId', 'r.businessId')
    .select(['a.id', 'a.accountId', 'a.businessId', 'a.startsAt', 'a.createdAt', 'a.history'])
    .select(['r.campaignId', 'r.dayBeforeAt', 'r.hoursBefore', 'b.timezone'])
    .where('b.deletedAt', 'is', null)
    .whereRef('a.accountId', '=', 'r.accountId')
    .where('a.status', '=', 'booked')
    .where('a.startsAt', '>', fromMs)
    .where('a.startsAt', '<=', toMs)
    .where('a.phone', 'like', '+%')
    .where('a.phoneProved', '=', 1)
    .where('a.reminderCallId', 'is', null)
    .where('a.eraseAfter', 'is', null)
    .where('a.id', '>', afterId)
    .orderBy('a.id')
    .limit(limit)
    .execute();
}

/** Reminders whose call has ended without a word on the appointment. */
export async function endedReminders(db: Db, limit: number) {
  return db
    .selectFrom('appointments')
    .innerJoin('calls', 'calls.id', 'appointments.reminderCallId')
    .select(['appointments.id', 'appointments.accountId', 'calls.answeredAt', 'calls.outcome'])
    .where('appointments.reminder', '=', 'calling')
    .where('calls.endedAt', 'is not', null)
    .limit(limit)
    .execute();
}

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

/** A business that has its appointments reminded of. */
export type RemindingBusiness = Pick<
  AppointmentReminderTable,
  'businessId' | 'accountId' | 'campaignId' | 'dayBeforeAt' | 'hoursBefore'
> &
  Pick<BusinessTable, 'timezone'>;

/** After `afterId`, by id. */
export function remindingBusinesses(
  db: Db,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<RemindingBusiness[]> {
  return db
    .selectFrom('appointmentReminders as r')
    .innerJoin('businesses as b', 'b.id', 'r.businessId')
    .select(['r.businessId', 'r.accountId', 'r.campaignId', 'r.dayBeforeAt', 'r.hoursBefore', 'b.timezone'])
    .where('b.deletedAt', 'is', null)
    .where('r.businessId', '>', afterId)
    .orderBy('r.businessId')
    .limit(limit)
    .execute();
}

export type RemindedAppointment = Pick<AppointmentTable, 'id' | 'startsAt' | 'createdAt' | 'history'>;

/**
 * Booked ones of a business in (fromMs, toMs] of which nobody was reminded; by time, after `after`. None of a call that
 * was erased: its person is expected, but not called any more. None of a number that was only named.
 */
export function appointmentsToRemind(
  db: Db,
  { accountId, businessId }: Pick<RemindingBusiness, 'accountId' | 'businessId'>,
  range: { fromMs: number; toMs: number; after: Pick<AppointmentTable, 'id' | 'startsAt'> | null; limit: number },
): Promise<RemindedAppointment[]> {
  const { fromMs, toMs, after, limit } = range;
  return db
    .selectFrom('appointments')
    .select(['id', 'startsAt', 'createdAt', 'history'])
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .where('status', '=', 'booked')
    .where('startsAt', '>', fromMs)
    .where('startsAt', '<=', toMs)
    .where('phone', 'like', '+%')
    .where('phoneProved', '=', 1)
    .where('reminderCallId', 'is', null)
    .where('eraseAfter', 'is', null)
    .$if(after !== null, (query) =>
      query
        .where('startsAt', '>=', after?.startsAt ?? 0)
        .where((eb) => eb.or([eb('startsAt', '>', after?.startsAt ?? 0), eb('id', '>', after?.id ?? '')])),
    )
    .orderBy('startsAt')
    .orderBy('id')
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

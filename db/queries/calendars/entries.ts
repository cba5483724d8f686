// Our appointments in calendars elsewhere: which differ from what was written last, and what is known of them there.
// Nothing is queued: an appointment whose sequence is another than the written one is to be written.
import type { AppointmentTable } from '../../schema/businesses.ts';
import type { CalendarEntryTable, CalendarTable } from '../../schema/calendars.ts';
import type { Db } from '../../schema.ts';

/** Appointments ahead that differ from what stands in their calendars. */
const pending = (db: Db, nowMs: number) =>
  db
    .selectFrom('calendars as c')
    .innerJoin('businesses as b', 'b.id', 'c.businessId')
    .innerJoin('appointments as a', 'a.businessId', 'c.businessId')
    .leftJoin('calendarEntries as e', (join) =>
      join.onRef('e.calendarId', '=', 'c.id').onRef('e.appointmentId', '=', 'a.id'),
    )
    .where('c.writes', '=', 1)
    .where('c.state', '<>', 'refused')
    .where('b.deletedAt', 'is', null)
    .whereRef('a.accountId', '=', 'c.accountId')
    .where('a.endsAt', '>', nowMs)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('e.appointmentId', 'is', null),
          eb('a.status', '=', 'booked'),
          eb.or([eb('c.resource', 'is', null), eb('c.resource', '=', eb.ref('a.resource'))]),
        ]),
        eb.and([
          eb('e.appointmentId', 'is not', null),
          eb('e.sequence', '<>', eb.ref('a.sequence')),
          eb('e.nextAttemptAt', '<=', nowMs),
        ]),
      ]),
    );

/** Of one calendar, the oldest first. */
export async function pendingEntries(
  db: Db,
  calendarId: string,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<string[]> {
  const rows = await pending(db, nowMs)
    .select('a.id')
    .where('c.id', '=', calendarId)
    .orderBy('a.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Calendars in which something is to be written. */
export function calendarsToWrite(db: Db, nowMs: number): Promise<Array<Pick<CalendarTable, 'id' | 'accountId'>>> {
  return pending(db, nowMs).select(['c.id', 'c.accountId']).distinct().execute();
}

/** The calendar, the appointment and what is known of it there; null: one of them is gone. */
export async function entryToWrite(
  db: Db,
  { calendarId, appointmentId }: { calendarId: string; appointmentId: string },
): Promise<{ calendar: CalendarTable; appointment: AppointmentTable; entry: CalendarEntryTable | undefined } | null> {
  const calendar = await db.selectFrom('calendars').selectAll().where('id', '=', calendarId).executeTakeFirst();
  const appointment = await db
    .selectFrom('appointments')
    .selectAll()
    .where('id', '=', appointmentId)
    .executeTakeFirst();
  if (calendar === undefined || appointment === undefined || appointment.accountId !== calendar.accountId) return null;
  const entry = await db
    .selectFrom('calendarEntries')
    .selectAll()
    .where('calendarId', '=', calendarId)
    .where('appointmentId', '=', appointmentId)
    .executeTakeFirst();
  return { calendar, appointment, entry };
}

/** Of an appointment that no calendar is known to have. */
export const blankEntry = (
  { id, accountId }: Pick<CalendarTable, 'id' | 'accountId'>,
  appointmentId: string,
): CalendarEntryTable => ({
  ...{ calendarId: id, appointmentId, accountId, sequence: -1, startsAt: 0, endsAt: 0 },
  ...{ isThere: 0, etag: null, attempts: 0, nextAttemptAt: 0, error: null },
});

export async function putEntry(db: Db, entry: CalendarEntryTable): Promise<void> {
  const { calendarId, appointmentId, accountId, ...changes } = entry;
  await db
    .insertInto('calendarEntries')
    .values(entry)
    .onConflict((conflict) => conflict.columns(['calendarId', 'appointmentId']).doUpdateSet(changes))
    .execute();
}

/** Our events in the calendar as they were written last, of appointments that lie ahead. */
export async function entriesOf(db: Db, calendarId: string, nowMs: number): Promise<Map<string, CalendarEntryTable>> {
  const rows = await db
    .selectFrom('calendarEntries')
    .selectAll()
    .where('calendarId', '=', calendarId)
    .where('endsAt', '>', nowMs)
    .execute();
  return new Map(rows.map((row) => [row.appointmentId, row]));
}

/** How many could not be written, and why the latest of them could not. */
export async function unwrittenOf(
  db: Db,
  calendarIds: readonly string[],
): Promise<Map<string, { count: number; error: string | null }>> {
  if (calendarIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('calendarEntries')
    .select(['calendarId', 'error'])
    .where('calendarId', 'in', calendarIds)
    .where('attempts', '>', 0)
    .orderBy('nextAttemptAt')
    .execute();
  const found = new Map<string, { count: number; error: string | null }>();
  for (const { calendarId, error } of rows)
    found.set(calendarId, { count: (found.get(calendarId)?.count ?? 0) + 1, error });
  return found;
}

/** Failed ones are tried at once: the calendar is opened with something else. */
export async function retryWriting(db: Db, calendarId: string): Promise<void> {
  await db.updateTable('calendarEntries').set({ nextAttemptAt: 0 }).where('calendarId', '=', calendarId).execute();
}

/** All that is there is compared and written again. */
export async function writeAgain(db: Db, calendarId: string): Promise<void> {
  const again = { sequence: -1, nextAttemptAt: 0 };
  await db.updateTable('calendarEntries').set(again).where('calendarId', '=', calendarId).execute();
}

/** Of appointments that were over before `beforeMs`. Returns their number. */
export async function deleteOldEntries(db: Db, beforeMs: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('calendarEntries')
    .select(['calendarId', 'appointmentId'])
    .where('endsAt', '<', beforeMs)
    .limit(limit)
    .execute();
  for (const { calendarId, appointmentId } of rows)
    await db
      .deleteFrom('calendarEntries')
      .where('calendarId', '=', calendarId)
      .where('appointmentId', '=', appointmentId)
      .where('endsAt', '<', beforeMs)
      .execute();
  return rows.length;
}

// Calendars that a business has connected: their rows, and the busy times that were read in them.
import type { Interval } from '../../domain/hours/opening-times.ts';
import type { CalendarTable } from '../../schema/calendars.ts';
import type { Db } from '../../schema.ts';
import { deleteReminders } from '../businesses/reminders.ts';
import { deleteFeed } from './feeds.ts';

/** Spans in one insert: three values each, and SQLite takes some 32,000. */
const SPANS_AT_ONCE = 1_000;

export async function insertCalendar(db: Db, row: CalendarTable): Promise<void> {
  await db.insertInto('calendars').values(row).execute();
}

/** In the order in which they were connected. */
export function calendarsOf(db: Db, accountId: string, businessId: string): Promise<CalendarTable[]> {
  return db
    .selectFrom('calendars')
    .selectAll()
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();
}

export function getCalendar(
  db: Db,
  accountId: string,
  businessId: string,
  id: string,
): Promise<CalendarTable | undefined> {
  return db
    .selectFrom('calendars')
    .selectAll()
    .where('id', '=', id)
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** A calendar that somebody has to open again; undefined where it is open, or gone. */
export function refusedCalendar(
  db: Db,
  accountId: string,
  id: string,
): Promise<Pick<CalendarTable, 'name' | 'error'> | undefined> {
  return db
    .selectFrom('calendars')
    .select(['name', 'error'])
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('state', '=', 'refused')
    .executeTakeFirst();
}

/** Calendars whose time to be read has come, the longest due first, so many of an account. */
export function calendarsDue(
  db: Db,
  nowMs: number,
  { limit, perAccount }: { limit: number; perAccount: number },
): Promise<CalendarTable[]> {
  const numbered = db
    .selectFrom('calendars')
    .innerJoin('businesses', 'businesses.id', 'calendars.businessId')
    .where('businesses.deletedAt', 'is', null)
    .where('dueAt', '<=', nowMs)
    .select(['calendars.id', 'dueAt'])
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((window) => window.partitionBy('calendars.accountId').orderBy('dueAt'))
        .as('place'),
    );
  return db
    .selectFrom('calendars')
    .innerJoin(numbered.as('due'), 'due.id', 'calendars.id')
    .selectAll('calendars')
    .where('due.place', '<=', perAccount)
    .orderBy('due.dueAt')
    .limit(limit)
    .execute();
}

type Changes = Partial<Pick<CalendarTable, 'name' | 'resource' | 'writes' | 'names' | 'sealed'>> &
  Partial<
    Pick<CalendarTable, 'state' | 'error' | 'readAt' | 'parsedAt' | 'tag' | 'busyTimes' | 'dueAt' | 'renewingUntil'>
  >;

/** False: it was taken out meanwhile. */
export async function updateCalendar(db: Db, id: string, changes: Changes): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('calendars').set(changes).where('id', '=', id).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** True: this process renews the calendar's access, and no other one until then. */
export async function claimRenewal(db: Db, id: string, nowMs: number, untilMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendars')
    .set({ renewingUntil: untilMs })
    .where('id', '=', id)
    .where('renewingUntil', '<=', nowMs)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** As it is now: another process may just have renewed its access, or somebody changed it. */
export function calendarById(db: Db, id: string): Promise<CalendarTable | undefined> {
  return db.selectFrom('calendars').selectAll().where('id', '=', id).executeTakeFirst();
}

/** No two of them begin at once. */
export async function replaceSpans(db: Db, calendarId: string, spans: readonly Interval[]): Promise<void> {
  await db.deleteFrom('calendarSpans').where('calendarId', '=', calendarId).execute();
  for (let from = 0; from < spans.length; from += SPANS_AT_ONCE) {
    const rows = spans
      .slice(from, from + SPANS_AT_ONCE)
      .map(({ startMs, endMs }) => ({ calendarId, startsAt: startMs, endsAt: endMs }));
    await db.insertInto('calendarSpans').values(rows).execute();
  }
}

/** Our events in it stay there. */
export async function deleteCalendar(db: Db, id: string): Promise<void> {
  await db.deleteFrom('calendarSpans').where('calendarId', '=', id).execute();
  await db.deleteFrom('calendarEntries').where('calendarId', '=', id).execute();
  await db.deleteFrom('calendars').where('id', '=', id).execute();
}

/** All of a business that is gone. */
export async function deleteCalendarsOf(db: Db, accountId: string, businessId: string): Promise<void> {
  for (const { id } of await calendarsOf(db, accountId, businessId)) await deleteCalendar(db, id);
  await deleteFeed(db, accountId, businessId);
  await deleteReminders(db, accountId, businessId);
}

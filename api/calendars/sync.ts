// The job that keeps calendars and appointments alike: what was booked is written within seconds, what stands elsewhere
// is read every few minutes. One API of the installation does it.
import { HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { calendarSubject } from '../../db/domain/notices/subjects.ts';
import { calendarsDue, updateCalendar } from '../../db/queries/calendars/calendars.ts';
import { tellingBusiness } from '../../db/queries/notices/notices.ts';
import type { CalendarTable } from '../../db/schema/calendars.ts';
import type { Db } from '../../db/schema.ts';
import { NOTICES, transact } from '../../db/scope.ts';
import type { ApiContext } from '../context.ts';
import { addNotices } from '../notices/add.ts';
import { knownFailure } from './known-failure.ts';
import { readCalendar } from './read.ts';
import { writeAppointments } from './write.ts';

const READ_EVERY_MS = 5 * MINUTE_MS;
/** Only its owner can mend it, but an outage may look like that. */
const REFUSED_EVERY_MS = HOUR_MS;
/** Calendars in one run, and how many are read at a time. */
const PER_RUN = 40;
const PER_RUN_OF_ACCOUNT = 8;
const LANES = 4;

export async function syncCalendars(context: ApiContext): Promise<void> {
  await writeAppointments(context);
  const of = { limit: PER_RUN, perAccount: PER_RUN_OF_ACCOUNT };
  const left = await calendarsDue(context.read, context.now(), of);
  const lane = async (): Promise<void> => {
    for (let calendar = left.shift(); calendar !== undefined; calendar = left.shift())
      await readAndNote(context, calendar);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Reads it; where it fails, what was read before stays, with the reason. */
export async function readAndNote(context: ApiContext, calendar: CalendarTable): Promise<void> {
  const nowMs = context.now();
  try {
    await updateCalendar(context.db, calendar.id, { dueAt: nowMs + READ_EVERY_MS });
    await readCalendar(context, calendar);
  } catch (error) {
    const { message, needsOwner, retryAfterMs } = knownFailure(context, calendar, error);
    await transact(context.db, NOTICES, async (tx) => {
      const isKnown = await updateCalendar(tx, calendar.id, {
        state: needsOwner ? 'refused' : 'failing',
        error: message,
        dueAt: nowMs + (needsOwner ? REFUSED_EVERY_MS : Math.max(READ_EVERY_MS, retryAfterMs)),
      });
      if (isKnown && needsOwner && calendar.state !== 'refused') await tellOwner(tx, calendar, context.now());
    });
  }
}

/** Somebody has to open the calendar again. */
async function tellOwner(tx: Db, { id, accountId, businessId }: CalendarTable, atMs: number): Promise<void> {
  const business = await tellingBusiness(tx, accountId, businessId);
  if (business === undefined) return;
  const of = { subjectId: calendarSubject(id, atMs), callId: null };
  await addNotices(tx, business, { ...of, atMs, isAbout: ({ on }) => on === 'calendar' });
}

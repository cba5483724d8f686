// Reads a calendar that a business has connected: when somebody is busy there, and what was done to our own events. The
// engine sees the busy times in the database alone, so that no call waits for a calendar's server.
import { changeNoted } from '../../db/domain/booking/history.ts';
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import type { Interval } from '../../db/domain/hours/opening-times.ts';
import { getAppointment, updateAppointment } from '../../db/queries/businesses/appointments.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { replaceSpans, updateCalendar } from '../../db/queries/calendars/calendars.ts';
import { blankEntry, entriesOf, putEntry } from '../../db/queries/calendars/entries.ts';
import { addChanged } from '../../db/rules/rebooking.ts';
import type { CalendarTable } from '../../db/schema/calendars.ts';
import type { Db } from '../../db/schema.ts';
import { appointmentsWord, transact } from '../../db/scope.ts';
import type { ApiContext } from '../context.ts';
import { openServer } from './open-server.ts';
import type { Wanted } from './reading/busy-times.ts';
import { joined } from './reading/joined.ts';
import type { CalendarServer, ServerRead, There } from './servers/server.ts';

/** Nobody books further ahead by phone. */
const AHEAD_MS = 367 * DAY_MS;
/** The year ahead has moved on by then, also where nothing has changed. */
const COUNT_AGAIN_MS = DAY_MS;
/** Of our events that are not in an answer each is asked for: one that is half an answer cancels nothing. */
const MISSING_ASKED_MAX = 50;
/** The rest is asked for at the next reading: others wait for this one's place. */
const MISSING_WITHIN_MS = 30_000;

type Calendar = Pick<CalendarTable, 'id' | 'accountId' | 'businessId' | 'kind' | 'sealed' | 'tag' | 'parsedAt'>;

/**
 * Reads it, and does here what was done to our events there. Returns how many busy times it has; null: nothing has
 * changed. @throws {CalendarFailed}
 */
export async function readCalendar(context: ApiContext, calendar: Calendar): Promise<number | null> {
  const nowMs = context.now();
  const isCounted = calendar.parsedAt !== null && nowMs - calendar.parsedAt < COUNT_AGAIN_MS;
  const read = await readThere(context, calendar, isCounted ? calendar.tag : null);
  const isRead = { state: 'ok', error: null, readAt: nowMs } as const;
  if (read === null) {
    await updateCalendar(context.db, calendar.id, isRead);
    return null;
  }
  await transact(context.db, { words: [appointmentsWord(calendar.businessId)] }, async (tx) => {
    const strange = await followOwn(tx, calendar, read.own, nowMs);
    const spans = joined([...read.busy, ...strange]);
    const changes = { ...isRead, parsedAt: nowMs, tag: read.tag, busyTimes: spans.length };
    if (await updateCalendar(tx, calendar.id, changes)) await replaceSpans(tx, calendar.id, spans);
  });
  return read.busy.length;
}

/** Null: as `tag` has it. */
async function readThere(context: ApiContext, calendar: Calendar, tag: string | null): Promise<ServerRead | null> {
  const nowMs = context.now();
  const business = await getBusiness(context.read, calendar.accountId, calendar.businessId);
  const wanted = { timezone: business?.timezone ?? 'UTC', fromMs: nowMs - DAY_MS, toMs: nowMs + AHEAD_MS };
  const server = openServer(context, calendar);
  const read = await server.read(wanted, tag);
  if (read === null) return null;
  const own = new Map(read.own);
  for (const [id, there] of await missing(context, calendar, server, { found: own, wanted })) own.set(id, there);
  return { ...read, own };
}

/** Our events that should be there and were not in the answer, each as its own address has it. */
async function missing(
  context: ApiContext,
  { id, kind }: Calendar,
  server: CalendarServer,
  { found, wanted }: { found: ReadonlyMap<string, There>; wanted: Wanted },
): Promise<Array<[string, There]>> {
  if (kind === 'ics') return [];
  const entries = await entriesOf(context.read, id, context.now());
  const asked = [...entries.values()].filter((entry) => entry.isThere === 1 && !found.has(entry.appointmentId));
  const answers: Array<[string, There]> = [];
  const overAtMs = performance.now() + MISSING_WITHIN_MS;
  for (const { appointmentId } of asked.slice(0, MISSING_ASKED_MAX)) {
    if (performance.now() >= overAtMs) break;
    const there = await server.event(appointmentId, wanted);
    if (there !== undefined) answers.push([appointmentId, there]);
  }
  return answers;
}

/**
 * Moves and cancels here what was moved and cancelled there. Where both have changed ours stands: somebody was told so
 * on the telephone. Returns the times of events that are another business's.
 */
async function followOwn(
  tx: Db,
  calendar: Calendar,
  own: ReadonlyMap<string, There>,
  nowMs: number,
): Promise<Interval[]> {
  const strange: Interval[] = [];
  const { id: calendarId, accountId } = calendar;
  const entries = await entriesOf(tx, calendarId, nowMs);
  for (const [appointmentId, there] of own) {
    const appointment = await getAppointment(tx, accountId, appointmentId);
    if (appointment?.businessId !== calendar.businessId) {
      if (there !== null && !there.isCancelled) strange.push(there);
      continue;
    }
    // Events of ours at a mere address are our own feed on its way round.
    if (calendar.kind === 'ics') continue;
    const entry = entries.get(appointmentId);
    if (entry === undefined) {
      // Written just before a process died, or put back: it is compared and written again.
      if (there !== null) await putEntry(tx, { ...blankEntry(calendar, appointmentId), ...timesOf(there), isThere: 1 });
      continue;
    }
    if (entry.sequence !== appointment.sequence || appointment.endsAt <= nowMs) continue;
    const isGone = there === null || there.isCancelled;
    const isMoved = !isGone && (there.startMs !== appointment.startsAt || there.endMs !== appointment.endsAt);
    const isThere = there === null ? 0 : 1;
    const etag = there?.etag ?? null;
    if (appointment.status === 'booked' && (isGone || isMoved)) {
      const noted = changeNoted(appointment, 'calendar', nowMs);
      const change = isGone ? { status: 'cancelled' as const } : { startsAt: there.startMs, endsAt: there.endMs };
      const row = await updateAppointment(tx, accountId, appointmentId, { ...change, ...noted });
      if (row !== undefined) await addChanged(tx, row, nowMs);
      const times = there === null ? {} : timesOf(there);
      await putEntry(tx, { ...entry, ...times, sequence: noted.sequence, isThere, etag });
    } else if (entry.etag !== etag || entry.isThere !== isThere) {
      await putEntry(tx, { ...entry, isThere, etag });
    }
  }
  return strange;
}

const timesOf = ({ startMs, endMs }: Interval) => ({ startsAt: startMs, endsAt: endMs });

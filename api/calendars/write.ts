// Writes appointments into the calendars that a business has connected for it: booked, moved, cancelled. Nothing is
// queued, and an event's address follows from its appointment, so that a process that dies between the server's answer
// and its own row writes nothing twice.
import { HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { blankEntry, entryToWrite, pendingEntries, putEntry } from '../../db/queries/calendars/entries.ts';
import type { CalendarTable } from '../../db/schema/calendars.ts';
import type { ApiContext } from '../context.ts';
import type { Shown } from './compose.ts';
import { knownFailure } from './known-failure.ts';
import { openServer } from './open-server.ts';

/** Of one calendar in one run; the next one follows within seconds. */
const AT_ONCE = 50;
const RETRY_FIRST_MS = MINUTE_MS / 2;
const RETRY_MAX_MS = HOUR_MS;

/** Writes what differs in one calendar, until something fails or `isOver`. */
export async function writeAppointments(
  context: ApiContext,
  calendarId: string,
  isOver: () => boolean = () => false,
): Promise<void> {
  const pending = await pendingEntries(context.read, calendarId, { nowMs: context.now(), limit: AT_ONCE });
  for (const appointmentId of pending) {
    if (isOver()) return;
    const found = await entryToWrite(context.read, { calendarId, appointmentId });
    // A server that is down is asked once a run.
    if (found !== null && !(await write(context, found))) return;
  }
}

type ToWrite = NonNullable<Awaited<ReturnType<typeof entryToWrite>>>;

async function write(context: ApiContext, { calendar, appointment, entry }: ToWrite): Promise<boolean> {
  const { sequence, startsAt, endsAt } = appointment;
  const known = entry ?? blankEntry(calendar, appointment.id);
  try {
    const server = openServer(context, calendar);
    const isWanted =
      appointment.status === 'booked' && (calendar.resource === null || calendar.resource === appointment.resource);
    const etag = isWanted
      ? await server.put(appointment, { ...(await shownOf(context, calendar)), etag: known.etag })
      : await server.remove(appointment.id, known.etag);
    const isThere = isWanted ? 1 : 0;
    const written = { sequence, startsAt, endsAt, isThere, etag, attempts: 0, nextAttemptAt: 0, error: null } as const;
    await putEntry(context.db, { ...known, ...written });
    return true;
  } catch (error) {
    const { needsOwner, message, retryAfterMs } = knownFailure(context, calendar, error);
    const { attempts } = known;
    const backoffMs = Math.min(RETRY_FIRST_MS * 2 ** Math.min(attempts, 10), RETRY_MAX_MS);
    const nextAttemptAt = context.now() + (needsOwner ? RETRY_MAX_MS : Math.max(backoffMs, retryAfterMs));
    await putEntry(context.db, { ...known, endsAt, attempts: attempts + 1, nextAttemptAt, error: message });
    return false;
  }
}

async function shownOf(context: ApiContext, { accountId, businessId, names }: CalendarTable): Promise<Shown> {
  const business = await getBusiness(context.read, accountId, businessId);
  return { names: names === 1, location: business?.address ?? null, nowMs: context.now() };
}

// Calendars of a business: connected once they could be read, changed, read again, taken out.
import { resourceKey, storedResources } from '../../db/domain/booking/resources.ts';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import {
  calendarsOf,
  deleteCalendar,
  getCalendar,
  insertCalendar,
  updateCalendar,
} from '../../db/queries/calendars/calendars.ts';
import { retryWriting, unwrittenOf, writeAgain } from '../../db/queries/calendars/entries.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { CalendarTable } from '../../db/schema/calendars.ts';
import type { Db } from '../../db/schema.ts';
import { transact } from '../../db/scope.ts';
import { newId } from '../../db/shared/id.ts';
import { businessRow, liveBusiness } from '../businesses/service.ts';
import type { ApiContext } from '../context.ts';
import { invalid, notFound, retryLater } from '../frame/errors.ts';
import { PlacesPerAccount } from '../threads/places-per-account.ts';
import { sealedAccess } from './access.ts';
import { openCalendar, openedAnew, unreadable } from './access-given.ts';
import { readCalendar } from './read.ts';
import type { CalendarCreate, CalendarPatch, CalendarRecord } from './schema.ts';
import { readAndNote } from './sync.ts';

const CALENDARS_MAX = 40;
/** A first reading is the request's own; the job's comes after it. */
const FIRST_READ_MS = 5 * MINUTE_MS;
/** Each may take a minute of a slow server, and a thread. */
const places = new PlacesPerAccount({
  what: 'calendars',
  total: 16,
  perAccount: 2,
  full: () => retryLater('CALENDARS_BUSY', 'Too many calendars are being read', 5),
});

export async function listCalendars(
  context: ApiContext,
  accountId: string,
  businessId: string,
): Promise<CalendarRecord[]> {
  await businessRow(context.read, accountId, businessId);
  return records(context.read, await calendarsOf(context.read, accountId, businessId));
}

/** @throws {ApiError} 422 where it cannot be read, with the reason */
export async function connectCalendar(
  context: ApiContext,
  accountId: string,
  businessId: string,
  body: CalendarCreate,
): Promise<CalendarRecord> {
  const business = await liveBusiness(context.read, accountId, businessId);
  const resource = resourceOf(business, body.resource);
  await checkCount(context.read, accountId, businessId);
  return places.hold(accountId, async () => {
    const { access, name, address, isWritable } = await openCalendar(context, accountId, body);
    const id = newId('cal');
    const nowMs = context.now();
    const row: CalendarTable = {
      id,
      accountId,
      businessId,
      kind: body.kind,
      name: (body.name ?? name).slice(0, 200),
      resource,
      address,
      sealed: sealedAccess(context, id, access),
      writes: (body.writes ?? isWritable) ? 1 : 0,
      names: (body.names ?? true) ? 1 : 0,
      state: 'ok',
      error: null,
      readAt: null,
      parsedAt: null,
      tag: null,
      busyTimes: 0,
      dueAt: nowMs + FIRST_READ_MS,
      createdAt: nowMs,
      renewingUntil: 0,
    };
    await transact(context.db, { accounts: [accountId] }, async (tx) => {
      // Again: others may have been connected while this one was opened.
      await checkCount(tx, accountId, businessId);
      await insertCalendar(tx, row);
    });
    try {
      await readCalendar(context, row);
    } catch (error) {
      await deleteCalendar(context.db, id);
      throw unreadable(error);
    }
    return calendarRecord(context, accountId, businessId, id);
  });
}

/** @throws {ApiError} 422 */
async function checkCount(db: Db, accountId: string, businessId: string): Promise<void> {
  if ((await calendarsOf(db, accountId, businessId)).length < CALENDARS_MAX) return;
  throw invalid([{ field: 'kind', message: `the business has ${CALENDARS_MAX} calendars, as many as one may have` }]);
}

export async function patchCalendar(
  context: ApiContext,
  accountId: string,
  businessId: string,
  id: string,
  body: CalendarPatch,
): Promise<CalendarRecord> {
  const business = await liveBusiness(context.read, accountId, businessId);
  const calendar = await calendarRow(context.read, accountId, businessId, id);
  const { name, writes, names } = body;
  const access = await openedAnew(context, calendar, body);
  const resource = body.resource === undefined ? calendar.resource : resourceOf(business, body.resource);
  await context.db.transaction().execute(async (trx) => {
    await updateCalendar(trx, id, {
      ...(name === undefined ? {} : { name }),
      ...(writes === undefined ? {} : { writes: writes ? 1 : 0 }),
      ...(names === undefined ? {} : { names: names ? 1 : 0 }),
      ...(access === null ? {} : { sealed: sealedAccess(context, id, access), dueAt: context.now(), tag: null }),
      resource,
    });
    if (access !== null) await retryWriting(trx, id);
    if (resource !== calendar.resource || (names !== undefined && (names ? 1 : 0) !== calendar.names))
      await writeAgain(trx, id);
  });
  return calendarRecord(context, accountId, businessId, id);
}

/** Reads it now. */
export async function refreshCalendar(
  context: ApiContext,
  accountId: string,
  businessId: string,
  id: string,
): Promise<CalendarRecord> {
  await liveBusiness(context.read, accountId, businessId);
  const calendar = await calendarRow(context.read, accountId, businessId, id);
  await places.hold(accountId, () => readAndNote(context, calendar));
  return calendarRecord(context, accountId, businessId, id);
}

/** Our events in it stay there. */
export async function removeCalendar(
  context: ApiContext,
  accountId: string,
  businessId: string,
  id: string,
): Promise<CalendarRecord> {
  await businessRow(context.read, accountId, businessId);
  const record = await calendarRecord(context, accountId, businessId, id);
  await context.db.transaction().execute((trx) => deleteCalendar(trx, id));
  return record;
}

/** @throws {ApiError} 422 */
function resourceOf({ resources }: BusinessTable, wanted: string | null | undefined): string | null {
  if (wanted == null) return null;
  const named = storedResources(resources).find(({ name }) => resourceKey(name) === resourceKey(wanted));
  if (named !== undefined) return named.name;
  throw invalid([{ field: 'resource', message: 'is not one of the resources of the business' }]);
}

/** @throws {ApiError} 404 */
async function calendarRow(db: Db, accountId: string, businessId: string, id: string): Promise<CalendarTable> {
  const row = await getCalendar(db, accountId, businessId, id);
  if (row === undefined) throw notFound('Calendar');
  return row;
}

async function calendarRecord(
  { db }: ApiContext,
  accountId: string,
  businessId: string,
  id: string,
): Promise<CalendarRecord> {
  const [record] = await records(db, [await calendarRow(db, accountId, businessId, id)]);
  if (record === undefined) throw notFound('Calendar');
  return record;
}

async function records(db: Db, rows: readonly CalendarTable[]): Promise<CalendarRecord[]> {
  const unwritten = await unwrittenOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    resource: row.resource,
    address: row.address,
    writes: row.writes === 1,
    names: row.names === 1,
    state: row.state,
    error: row.error,
    readAt: isoOrNull(row.readAt),
    busyTimes: row.busyTimes,
    unwritten: unwritten.get(row.id)?.count ?? 0,
    writeError: unwritten.get(row.id)?.error ?? null,
    createdAt: isoTime(row.createdAt),
  }));
}

// Appointments that clients make, and the times that are free for them: by the rules of a booking on a call. What an
// agent hears as words (a service that sounds like one, a wish for somebody) stands here by its name.

import {
  BOOK_AHEAD_DAYS,
  DEFAULT_DURATION_MIN,
  freeTimes,
  staffOf,
  timeFaultOf,
  type Wanted,
  workingAt,
} from '../../db/domain/booking/free-times.ts';
import { resourceKey } from '../../db/domain/booking/resources.ts';
import { DAY_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { getAppointment } from '../../db/queries/businesses/appointments.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { businessContent } from '../../db/queries/businesses/content.ts';
import { type AppointmentResource, appointmentResource } from '../../db/records/resources.ts';
import { bookAppointment, listTaken } from '../../db/rules/booking.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { Db } from '../../db/schema.ts';
import { appointmentsWord, transact } from '../../db/scope.ts';
import { hasScope } from '../../db/shared/secrets/token-scopes.ts';
import { businessDeleted, liveBusiness } from '../businesses/service.ts';
import { dateRange } from '../calls/list/filters.ts';
import type { Remember } from '../calls/place/place.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { type FieldError, invalid, refused } from '../frame/errors.ts';
import { parseE164 } from '../frame/phone.ts';
import { requireScope } from '../plugins/auth.ts';
import type { AppointmentCreate, FreeTimesQuery } from './schema.ts';

/** A diary shows a week or a month; each time is one in fifteen minutes. */
const FREE_TIMES_MAX = 3_000;
const FREE_DAYS_MAX = 31;

type Content = ReturnType<typeof businessContent>;

/** Free times of a business for one of its services. @throws {ApiError} 404, 409, 422 */
export async function freeTimesOf({ read, now }: ApiContext, accountId: string, id: string, query: FreeTimesQuery) {
  const business = businessContent(await liveBusiness(read, accountId, id));
  const faults: FieldError[] = [];
  const durationMs = durationOf(business, query, faults);
  const wanted = wantedOf(business, query.resource, faults);
  if (faults.length > 0) throw invalid(faults);
  const { fromMs = now(), toMs = fromMs + FREE_DAYS_MAX * DAY_MS } = dateRange(
    { startDate: query.from, endDate: query.to },
    [],
    ['from', 'to'],
  );
  const nowMs = now();
  const search = {
    // Nobody is booked at this very moment.
    fromMs: Math.max(fromMs, nowMs + 1),
    toMs: Math.min(toMs + 1, fromMs + FREE_DAYS_MAX * DAY_MS, nowMs + BOOK_AHEAD_DAYS * DAY_MS),
    limit: FREE_TIMES_MAX,
  };
  const taken = (from: number, to: number) =>
    listTaken(read, accountId, { businessId: id, fromMs: from, toMs: to }, query.besides);
  const times = await freeTimes(business, { durationMs, wanted, listTaken: taken }, search);
  return {
    timezone: business.timezone,
    durationMinutes: durationMs / MINUTE_MS,
    times: times.map((ms) => new Date(ms).toISOString()),
  };
}

/** @throws {ApiError} 403, 409, 422 */
export async function createAppointment(
  context: ApiContext,
  auth: Auth,
  body: AppointmentCreate,
  remember: Remember<AppointmentResource>,
): Promise<AppointmentResource> {
  if (body.tellPerson === true) requireScope(auth, 'call');
  const { accountId } = auth;
  const scope = { accounts: [accountId], words: [appointmentsWord(body.businessId)] };
  return transact(context.db, scope, async (tx) => {
    const nowMs = context.now();
    const row = await bookedBusiness(tx, accountId, body.businessId);
    const { wish, business, wanted } = checkedWish(businessContent(row), body, nowMs);
    const working = workingAt(business, wanted, wish.startsAtMs, wish.endsAtMs);
    // By hand somebody may be taken in after hours; with whom is then their own wish.
    const candidates = working.length === 0 && body.outsideHours === true ? wanted : working;
    if (candidates.length === 0)
      throw refused('APPOINTMENT_OUTSIDE_HOURS', 'The business is not open for the whole of that time');
    const booked = await bookAppointment(tx, {
      ...wish,
      ...{ accountId, businessId: row.id, callId: null, nowMs },
      candidates: candidates.map((resource) => resource?.name ?? null),
      known: staffOf(business).map(({ name }) => name),
      bufferMs: business.bufferMinutes * MINUTE_MS,
      // A token that may not reach people has nobody written to or called by naming a number.
      isPhoneProved: hasScope(auth.scopes, 'call'),
      ...(body.tellPerson === undefined ? {} : { isTold: body.tellPerson }),
    });
    if (!booked.booked) throw refused('APPOINTMENT_TAKEN', 'Another appointment is booked at that time');
    const made = await getAppointment(tx, accountId, booked.appointmentId);
    if (made === undefined) throw new Error('an appointment that was booked is gone');
    const record = appointmentResource(made);
    await remember(tx, record);
    return record;
  });
}

/** @throws {ApiError} 409, 422 */
async function bookedBusiness(tx: Db, accountId: string, id: string): Promise<BusinessTable> {
  const row = await getBusiness(tx, accountId, id);
  if (row === undefined) throw invalid([{ field: 'businessId', message: 'names no business' }]);
  if (row.deletedAt !== null) throw businessDeleted();
  return row;
}

/** @throws {ApiError} 422 naming every field at fault */
function checkedWish(business: Content, body: AppointmentCreate, nowMs: number) {
  const faults: FieldError[] = [];
  const durationMs = durationOf(business, body, faults);
  const wanted = wantedOf(business, body.resource, faults);
  const startsAtMs = Date.parse(body.startsAt);
  const fault = timeFaultOf(startsAtMs, nowMs);
  if (fault !== null)
    faults.push({
      field: 'startsAt',
      message: fault === 'in_the_past' ? 'has passed' : `is more than ${BOOK_AHEAD_DAYS} days ahead`,
    });
  if (faults.length > 0) throw invalid(faults);
  const wish = {
    service: serviceOf(business, body.service)?.name ?? body.service?.trim() ?? null,
    startsAtMs,
    endsAtMs: startsAtMs + durationMs,
    name: body.name?.trim() ?? null,
    phone: body.phone == null ? null : parseE164(body.phone, 'phone'),
    notes: body.notes?.trim() || null,
  };
  return { wish, business, wanted };
}

interface NamedService {
  name: string;
  duration: number | null;
}

function serviceOf({ services }: Content, wanted: string | null | undefined): NamedService | undefined {
  if (wanted == null) return undefined;
  return (services as NamedService[]).find(({ name }) => resourceKey(name) === resourceKey(wanted));
}

/** As long as is asked for, else as the service takes. A business without services has any. */
function durationOf(
  business: Content,
  { service, durationMinutes }: Pick<AppointmentCreate, 'service' | 'durationMinutes'>,
  faults: FieldError[],
): number {
  const found = serviceOf(business, service);
  if (service != null && found === undefined && business.services.length > 0)
    faults.push({ field: 'service', message: 'is not one of the services of the business' });
  return (durationMinutes ?? found?.duration ?? DEFAULT_DURATION_MIN) * MINUTE_MS;
}

function wantedOf(business: Content, wanted: string | null | undefined, faults: FieldError[]): Wanted {
  const staff = staffOf(business);
  if (wanted == null) return staff.length === 0 ? [null] : staff;
  const found = staff.find(({ name }) => resourceKey(name) === resourceKey(wanted));
  if (found !== undefined) return [found];
  faults.push({ field: 'resource', message: 'is not one of the resources of the business' });
  return [];
}

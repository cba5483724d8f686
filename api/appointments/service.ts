// Appointments: read, moved, cancelled and rebooked; nobody has two at the same time.

import { changeNoted } from '../../db/domain/booking/history.ts';
import { resourceKey, storedResources, takenOf } from '../../db/domain/booking/resources.ts';
import {
  getAppointment,
  listAppointments,
  overlappingAppointments,
  updateAppointment,
} from '../../db/queries/businesses/appointments.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { type AppointmentResource, appointmentResource } from '../../db/records/resources.ts';
import { isReferenceTaken, newReference } from '../../db/rules/booking.ts';
import { addChanged } from '../../db/rules/rebooking.ts';
import type { AppointmentTable } from '../../db/schema/businesses.ts';
import type { Db } from '../../db/schema.ts';
import { dateRange } from '../calls/list/filters.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { queriedNumber } from '../frame/phone.ts';
import { requireScope } from '../plugins/auth.ts';
import type { AppointmentPatch, AppointmentQuery } from './schema.ts';

export async function listAppointmentRecords(context: ApiContext, accountId: string, query: AppointmentQuery) {
  const { page, limit, from, to, ...filter } = query;
  const within = dateRange({ startDate: from, endDate: to }, [], ['from', 'to']);
  if (filter.phone !== undefined) filter.phone = queriedNumber(filter.phone);
  const wanted = { limit, offset: offsetOf(query) };
  const { rows, total } = await listAppointments(context.read, accountId, { ...filter, ...within }, wanted);
  return { data: rows.map(appointmentResource), pagination: pagination(page, limit, total) };
}

/** @throws {ApiError} 404 */
export async function appointmentRecord(
  context: ApiContext,
  accountId: string,
  id: string,
): Promise<AppointmentResource> {
  const row = await getAppointment(context.read, accountId, id);
  if (row === undefined) throw notFound('Appointment');
  return appointmentResource(row);
}

/** A moved one keeps its duration. @throws {ApiError} 403; 409 if the time is taken; 422 for an unknown resource */
export async function patchAppointment(
  context: ApiContext,
  auth: Auth,
  id: string,
  body: AppointmentPatch,
): Promise<AppointmentResource> {
  if (body.tellPerson === true) requireScope(auth, 'call');
  const { accountId } = auth;
  return context.db.transaction().execute(async (trx) => {
    const current = await getAppointment(trx, accountId, id);
    if (current === undefined) throw notFound('Appointment');
    const startsAt = body.startsAt === undefined ? current.startsAt : Date.parse(body.startsAt);
    const endsAt = startsAt + (current.endsAt - current.startsAt);
    const status = body.status ?? current.status;
    const known = await resourceNames(trx, current);
    const resource = chosenResource(body.resource, current.resource, known);
    if (status === 'booked') {
      const others = (await overlappingAppointments(trx, accountId, current.businessId, startsAt, endsAt))
        .filter((other) => other.id !== id)
        .map((other) => ({ startMs: other.startsAt, endMs: other.endsAt, resource: other.resource }));
      // One without a resource, or with one that is gone, takes the whole business, as others find it.
      const isWhole = resource === null || !known.includes(resource);
      const isTaken = isWhole ? others.length > 0 : takenOf(others, { resource, known, bufferMs: 0 }).length > 0;
      if (isTaken) throw refused('APPOINTMENT_TAKEN', 'Another appointment is booked at that time');
    }
    if (startsAt === current.startsAt && status === current.status && resource === current.resource)
      return appointmentResource(current);
    const noted = changeNoted(current, 'client', context.now());
    // Somebody else may have got its reference meanwhile.
    const isRenamed = status === 'booked' && current.status !== 'booked' && (await isReferenceTaken(trx, current));
    const reference = isRenamed ? await newReference(trx, accountId, current.businessId) : current.reference;
    const change = { startsAt, endsAt, status, resource, reference, ...noted };
    const row = await updateAppointment(trx, accountId, id, change);
    if (row !== undefined) await addChanged(trx, row, context.now(), body.tellPerson);
    return appointmentResource(row ?? current);
  });
}

/** Names of the business's resources. */
async function resourceNames(trx: Db, { accountId, businessId }: AppointmentTable): Promise<string[]> {
  const business = await getBusiness(trx, accountId, businessId);
  return storedResources(business?.resources ?? '[]').map(({ name }) => name);
}

/** @throws {ApiError} 422 */
function chosenResource(wanted: string | null | undefined, current: string | null, known: readonly string[]) {
  if (wanted === undefined || wanted === current) return current;
  if (wanted === null) return null;
  const found = known.find((name) => resourceKey(name) === resourceKey(wanted));
  if (found !== undefined) return found;
  throw invalid([{ field: 'resource', message: 'is not one of the resources of the business' }]);
}

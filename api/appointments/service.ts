// Appointments: read, moved, cancelled and rebooked; a business never has two at the same time.
import {
  getAppointment,
  listAppointments,
  overlappingAppointments,
  updateAppointment,
} from '../../db/queries/businesses/appointments.ts';
import { type AppointmentResource, appointmentResource } from '../../db/records/resources.ts';
import type { ApiContext } from '../context.ts';
import { notFound, refused } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import type { AppointmentPatch, AppointmentQuery } from './schema.ts';

export async function listAppointmentRecords(context: ApiContext, accountId: string, query: AppointmentQuery) {
  const { page, limit, ...filter } = query;
  const { rows, total } = await listAppointments(context.read, accountId, filter, { limit, offset: offsetOf(query) });
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

/** A moved appointment keeps its duration. @throws {ApiError} 409 if the time is taken */
export async function patchAppointment(
  context: ApiContext,
  accountId: string,
  id: string,
  body: AppointmentPatch,
): Promise<AppointmentResource> {
  return context.db.transaction().execute(async (trx) => {
    const current = await getAppointment(trx, accountId, id);
    if (current === undefined) throw notFound('Appointment');
    const startsAt = body.startsAt === undefined ? current.startsAt : Date.parse(body.startsAt);
    const endsAt = startsAt + (current.endsAt - current.startsAt);
    const status = body.status ?? current.status;
    if (status === 'booked') {
      const others = await overlappingAppointments(trx, accountId, current.businessId, startsAt, endsAt);
      if (others.some((other) => other.id !== id))
        throw refused('APPOINTMENT_TAKEN', 'Another appointment is booked at that time');
    }
    const row = await updateAppointment(trx, accountId, id, { startsAt, endsAt, status });
    return appointmentResource(row ?? current);
  });
}

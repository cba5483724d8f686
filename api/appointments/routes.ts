// /appointments: the appointments that agents booked, which clients may move, cancel or book again.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { refuseFixedFields } from '../plugins/fixed-fields.ts';
import { AppointmentPatch, AppointmentQuery, AppointmentRecord } from './schema.ts';
import { appointmentRecord, listAppointmentRecords, patchAppointment } from './service.ts';

const tags = ['Appointments'];
/** Clients may change the time, the status and the resource only. */
const config = {
  scope: 'work' as const,
  // The end moves with the start.
  readOnlyFields: ['id', 'endsAt', 'history', 'reference', 'reminder', 'createdAt', 'deletedAt', '_count'],
  fixedFields: ['callId', 'conversationId', 'businessId', 'service', 'name', 'phone', 'notes'],
};

export function registerAppointments(app: App, context: ApiContext): void {
  app.get(
    '/appointments',
    {
      schema: {
        tags,
        summary: 'List appointments',
        querystring: AppointmentQuery,
        response: { 200: okList(AppointmentRecord), ...errorResponses(401, 422, 429) },
      },
    },
    async (request) => listAppointmentRecords(context, request.auth.accountId, request.query),
  );
  app.patch(
    '/appointments/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Move, cancel or book again',
        params: Type.Object({ id: Type.String() }),
        body: AppointmentPatch,
        response: { 200: ok(AppointmentRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request) => {
      const { accountId } = request.auth;
      const { id } = request.params;
      await refuseFixedFields(request, () => appointmentRecord(context, accountId, id));
      return { data: await patchAppointment(context, accountId, id, request.body) };
    },
  );
}

// /appointments: the appointments of businesses, booked by agents or by hand, which clients may move, cancel or book
// again; and the times that are free.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { refuseFixedFields } from '../plugins/fixed-fields.ts';
import { rememberCreated } from '../plugins/idempotency.ts';
import { createAppointment, freeTimesOf } from './booking.ts';
import {
  AppointmentCreate,
  AppointmentPatch,
  AppointmentQuery,
  AppointmentRecord,
  FreeTimesQuery,
  FreeTimesRecord,
} from './schema.ts';
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
  app.get(
    '/businesses/:id/free-times',
    {
      schema: {
        tags,
        summary: 'Times that are free for an appointment',
        params: Type.Object({ id: Type.String() }),
        querystring: FreeTimesQuery,
        response: { 200: ok(FreeTimesRecord), ...errorResponses(401, 404, 409, 422, 429) },
      },
    },
    async ({ auth, params, query }) => ({ data: await freeTimesOf(context, auth.accountId, params.id, query) }),
  );
  app.post(
    '/appointments',
    {
      config: { idempotent: true, scope: 'work' },
      schema: {
        tags,
        summary: 'Book an appointment by hand',
        body: AppointmentCreate,
        response: { 201: ok(AppointmentRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      const { auth, body } = request;
      const data = await createAppointment(context, auth, body, (tx, made) => rememberCreated(tx, request, made));
      return reply.code(201).send({ data });
    },
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
      const { auth, body } = request;
      const { id } = request.params;
      await refuseFixedFields(request, () => appointmentRecord(context, auth.accountId, id));
      return { data: await patchAppointment(context, auth, id, body) };
    },
  );
}

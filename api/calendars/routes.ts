// /businesses/:id/calendars: calendars elsewhere that appointments are booked around, and written into.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok } from '../frame/envelope-schema.ts';
import { CalendarCreate, CalendarPatch, CalendarRecord } from './schema.ts';
import { connectCalendar, listCalendars, patchCalendar, refreshCalendar, removeCalendar } from './service.ts';

const tags = ['Calendars'];
const OfBusiness = Type.Object({ id: Type.String() });
const OfCalendar = Type.Object({ id: Type.String(), calendarId: Type.String() });
/** Their bodies and answers concern secrets of other services: nothing of them is kept. */
const config = { idempotent: false };

export function registerCalendars(app: App, context: ApiContext): void {
  app.get(
    '/businesses/:id/calendars',
    {
      schema: {
        tags,
        summary: 'Calendars that appointments are booked around, in the order in which they were connected',
        params: OfBusiness,
        response: { 200: ok(Type.Array(CalendarRecord)), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await listCalendars(context, request.auth.accountId, request.params.id) }),
  );
  app.post(
    '/businesses/:id/calendars',
    {
      config,
      schema: {
        tags,
        summary: 'Connect a calendar: it is read at once',
        params: OfBusiness,
        body: CalendarCreate,
        response: { 201: ok(CalendarRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return { data: await connectCalendar(context, request.auth.accountId, request.params.id, request.body) };
    },
  );
  app.patch(
    '/businesses/:id/calendars/:calendarId',
    {
      schema: {
        tags,
        summary: 'Change what a calendar is for, or what opens it',
        params: OfCalendar,
        body: CalendarPatch,
        response: { 200: ok(CalendarRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async ({ auth, params, body }) => ({
      data: await patchCalendar(context, auth.accountId, params.id, params.calendarId, body),
    }),
  );
  app.post(
    '/businesses/:id/calendars/:calendarId/refresh',
    {
      config,
      schema: {
        tags,
        summary: 'Read a calendar now',
        params: OfCalendar,
        response: { 200: ok(CalendarRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async ({ auth, params }) => ({
      data: await refreshCalendar(context, auth.accountId, params.id, params.calendarId),
    }),
  );
  app.delete(
    '/businesses/:id/calendars/:calendarId',
    {
      schema: {
        tags,
        summary: 'Take a calendar out; what was written there stays there',
        params: OfCalendar,
        response: { 200: ok(CalendarRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async ({ auth, params }) => ({ data: await removeCalendar(context, auth.accountId, params.id, params.calendarId) }),
  );
}

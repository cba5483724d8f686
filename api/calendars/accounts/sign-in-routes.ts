// /calendar-sign-ins: somebody signs in to Google or Microsoft, for calendars there.
import { Type } from 'typebox';
import type { ApiContext } from '../../context.ts';
import type { App } from '../../frame/app.ts';
import { errorResponses, ok } from '../../frame/envelope-schema.ts';
import {
  CalendarAccountsRecord,
  CalendarSignInCode,
  CalendarSignInCreate,
  CalendarSignInRecord,
} from './sign-in-schema.ts';
import { beginSignIn, signInNow, takeCode } from './sign-ins.ts';

const tags = ['Calendars'];
const OfSignIn = Type.Object({ id: Type.String() });
/** Their bodies and answers concern secrets of other services: nothing of them is kept. */
const config = { idempotent: false };

export function registerCalendarSignIns(app: App, context: ApiContext): void {
  app.get(
    '/calendar-sign-ins',
    {
      schema: {
        tags,
        summary: 'Where somebody can sign in for a calendar',
        response: { 200: ok(CalendarAccountsRecord), ...errorResponses(401, 429) },
      },
    },
    async () => {
      const { google, microsoft } = context.config.calendarAccounts;
      return { data: { google: google !== null, microsoft: microsoft !== null } };
    },
  );
  app.post(
    '/calendar-sign-ins',
    {
      config,
      schema: {
        tags,
        summary: 'Begin to sign in to Google or Microsoft, for a calendar there',
        body: CalendarSignInCreate,
        response: { 201: ok(CalendarSignInRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return { data: await beginSignIn(context, request.auth.accountId, request.body.kind) };
    },
  );
  app.get(
    '/calendar-sign-ins/:id',
    {
      schema: {
        tags,
        summary: 'Whether somebody has signed in, and the calendars there',
        params: OfSignIn,
        response: { 200: ok(CalendarSignInRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async ({ auth, params }) => ({ data: await signInNow(context, auth.accountId, params.id) }),
  );
  app.post(
    '/calendar-sign-ins/:id/code',
    {
      config,
      schema: {
        tags,
        summary: 'Hand over what Google sent back to the browser',
        params: OfSignIn,
        body: CalendarSignInCode,
        response: { 200: ok(CalendarSignInRecord), ...errorResponses(400, 401, 404, 422, 429) },
      },
    },
    async ({ auth, params, body }) => ({ data: await takeCode(context, auth.accountId, params.id, body) }),
  );
}

// GET /live: the account's running calls.

import { appointmentsOfCalls, listLiveCalls } from '../../db/queries/calls/calls.ts';
import { callResource } from '../../db/records/call-record.ts';
import { CallRecord } from '../calls/schema.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, okList } from '../frame/envelope-schema.ts';
import { offsetOf, PageQuery, pagination } from '../frame/pagination.ts';

export function registerLive(app: App, context: ApiContext): void {
  app.get(
    '/live',
    {
      schema: {
        tags: ['Calls'],
        summary: 'Running calls',
        querystring: PageQuery,
        response: { 200: okList(CallRecord), ...errorResponses(401, 422, 429) },
      },
    },
    async (request) => {
      const { accountId } = request.auth;
      const { page, limit } = request.query;
      const { rows, total } = await listLiveCalls(context.read, accountId, { limit, offset: offsetOf(request.query) });
      const booked = await appointmentsOfCalls(
        context.read,
        accountId,
        rows.map((row) => row.id),
      );
      return {
        data: rows.map((row) =>
          callResource(
            row,
            booked.filter(({ callId }) => callId === row.id),
          ),
        ),
        pagination: pagination(page, limit, total),
      };
    },
  );
}

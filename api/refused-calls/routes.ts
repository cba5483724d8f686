// /admin/refused-calls: inbound calls that were refused before a call record existed, with the reasons.
import { type Static, Type } from 'typebox';
import { refusalsInWords } from '../../db/domain/calls/invite-refusals.ts';
import { listRefusedCalls } from '../../db/queries/trunks/refused-calls.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, nullable, okList, Timestamp } from '../frame/envelope-schema.ts';
import { offsetOf, PageQuery, pagination } from '../frame/pagination.ts';

const RefusedCall = Type.Object(
  {
    id: Type.String(),
    calledNumber: Type.String({ description: 'E.164 where it can be converted, else as it was received' }),
    callerNumber: Type.String(),
    sourceAddress: Type.String(),
    trunkId: nullable(Type.String()),
    sipStatus: Type.Integer(),
    reason: Type.String({ description: `${refusalsInWords()}. The list is open` }),
    count: Type.Integer({ description: 'Refusals alike within some seconds are one entry' }),
    createdAt: Timestamp,
  },
  { title: 'RefusedCall' },
);

export function registerRefusedCalls(app: App, context: ApiContext): void {
  app.get(
    '/admin/refused-calls',
    {
      config: { admin: true },
      schema: {
        tags: ['Administration'],
        summary: 'Calls that were refused before there was a call, the newest 1,000',
        querystring: PageQuery,
        response: { 200: okList(RefusedCall), ...errorResponses(401, 403, 422, 429) },
      },
    },
    async ({ query }) => {
      const { rows, total } = await listRefusedCalls(context.read, { limit: query.limit, offset: offsetOf(query) });
      const data: Static<typeof RefusedCall>[] = rows.map((row) => ({ ...row, createdAt: isoTime(row.createdAt) }));
      return { data, pagination: pagination(query.page, query.limit, total) };
    },
  );
}

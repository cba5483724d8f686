// /admin/refused-calls: inbound calls that were refused before a call record existed, with the reasons.
import { type Static, Type } from 'typebox';
import { listRefusedCalls } from '../../db/queries/trunks/refused-calls.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, nullable, okList, Timestamp } from '../frame/envelope-schema.ts';
import { offsetOf, PageQuery, pagination } from '../frame/pagination.ts';

const REASONS = [
  'source_not_allowed: the address is no trunk’s and in no allowed network',
  'capacity: MAX_CALLS are running',
  'stopping',
  'database: it did not answer',
  'unknown_number: no account has it',
  'number_inactive',
  'no_campaign: the number has none, and the account no default one',
  'campaign_not_answering: it is neither RUNNING nor COMPLETED',
  'look_up: the look-up of the business refused the caller',
  'softphone_may_not_call: its account has no callsTo',
  'no_common_codec',
  'media_address: its audio is at IPv6 where the service has IPv4, or at a name without an address',
  'srtp: it is required and was not offered, or was offered without TLS or with a key that is not usable',
  'bad_request: no Contact, a sips address without TLS, or a SIP extension, body or session timer that is not understood',
];

const RefusedCall = Type.Object(
  {
    id: Type.String(),
    calledNumber: Type.String({ description: 'E.164 where it can be converted, else as it was received' }),
    callerNumber: Type.String(),
    sourceAddress: Type.String(),
    trunkId: nullable(Type.String()),
    sipStatus: Type.Integer(),
    reason: Type.String({ description: `${REASONS.join('; ')}. The list is open` }),
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

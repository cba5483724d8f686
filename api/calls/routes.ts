// Reading calls: lists of them, one of them, its recording and its picture. The routes that begin, end and follow calls
// are in write-routes.ts.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';
import { getScheduled } from '../../db/queries/calls/scheduled.ts';
import { campaignRow } from '../campaigns/service.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { Binary, errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery, pagination } from '../frame/pagination.ts';
import { CallEventRecord, callEvents } from './events.ts';
import { callsCsv } from './list/export.ts';
import { exportStream } from './list/export-places.ts';
import { callFilterOf } from './list/filters.ts';
import { KeptPages } from './list/kept-pages.ts';
import { CallFilterQuery, CallQuery } from './list/query-schema.ts';
import { CallReader } from './list/reader.ts';
import { scheduledPage } from './place/scheduled.ts';
import { findRecording } from './recording/audio.ts';
import { RECORDING_RESPONSES, sendRecording } from './recording/send.ts';
import { CallRecord, TranscriptRecord } from './schema.ts';
import { listCallsJson, readCall, readTranscript } from './service.ts';
import { callDetails, timelinePicture } from './timeline/timeline.ts';

const tags = ['Calls'];
const Params = Type.Object({ id: Type.String() });
const RESULTS_FILTER =
  '`output.NAME=value` is a parameter too, for each output of your businesses and campaigns that is no list and no ' +
  'object: calls with exactly this value. At most five of them.';

export function registerCalls(app: App, context: ApiContext): void {
  registerLists(app, context);
  registerOne(app, context);
  registerMedia(app, context);
}

function registerLists(app: App, context: ApiContext): void {
  const reader = new CallReader(context.read, context.config.database, context.now);
  app.addHook('onClose', async () => reader.close());
  const pages = new KeptPages();
  const keyOf = ({ auth, url }: FastifyRequest): string => `${auth.accountId} ${url}`;
  /** Its page passed every check when it was made, by the same address. */
  const answerKept: onRequestHookHandler = (request, reply, done) => {
    const kept = pages.find(request.auth.seen, keyOf(request));
    if (kept === undefined) done();
    else asJson(reply).send(kept);
  };
  const list = async (
    request: FastifyRequest<{ Querystring: CallQuery }>,
    reply: FastifyReply,
    campaignId?: string,
  ) => {
    const { accountId, seen } = request.auth;
    const { query } = request;
    if (campaignId !== undefined) await campaignRow(context.read, accountId, campaignId);
    const filter = await callFilterOf(context.read, accountId, query);
    if (campaignId !== undefined) {
      // Of no call both are true.
      if (filter.campaignId !== undefined && filter.campaignId !== campaignId)
        return { data: [], pagination: pagination(query.page, query.limit, 0) };
      filter.campaignId = campaignId;
    }
    if (query.status === 'SCHEDULED') {
      const { records, total } = await scheduledPage(context.read, accountId, filter, query);
      return { data: records, pagination: pagination(query.page, query.limit, total) };
    }
    const { json, isExact } = await listCallsJson(reader, accountId, filter, query);
    if (isExact) pages.keep(seen, keyOf(request), json);
    return asJson(reply).send(json);
  };

  app.get(
    '/calls',
    {
      onRequest: answerKept,
      schema: {
        tags,
        summary: 'List calls',
        description: RESULTS_FILTER,
        querystring: CallQuery,
        response: { 200: okList(CallRecord), ...errorResponses(401, 422, 429) },
      },
    },
    (request, reply) => list(request, reply),
  );
  app.get(
    '/calls/export',
    {
      schema: {
        tags,
        summary: 'All calls that match, as CSV, newest first, with a column for each output',
        description: RESULTS_FILTER,
        querystring: CallFilterQuery,
        response: {
          200: { description: 'The table', content: { 'text/csv': { schema: Binary } } },
          ...errorResponses(401, 422, 429),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.auth;
      const filter = await callFilterOf(context.read, accountId, request.query);
      // The framework would read a whole stream for HEAD, and throw it away.
      const isHead = request.method === 'HEAD';
      const lines = isHead ? Readable.from([]) : exportStream(accountId, callsCsv(context.read, accountId, filter));
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="calls.csv"')
        .send(lines);
    },
  );
  app.get(
    '/campaigns/:id/calls',
    {
      onRequest: answerKept,
      schema: {
        tags: ['Campaigns'],
        summary: 'Calls of a campaign',
        description: RESULTS_FILTER,
        params: Params,
        querystring: CallQuery,
        response: { 200: okList(CallRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    (request, reply) => list(request, reply, request.params.id),
  );
}

function registerOne(app: App, context: ApiContext): void {
  app.get(
    '/calls/:id',
    {
      schema: {
        tags,
        summary: 'One call',
        params: Params,
        response: { 200: ok(CallRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => {
      const { accountId } = request.auth;
      const { id } = request.params;
      const call = await readCall(context.read, accountId, id).catch(async (error: unknown) => {
        const scheduled = await getScheduled(context.read, accountId, id);
        if (scheduled === null) throw error;
        return scheduled;
      });
      if (call.status === 'SCHEDULED') return { data: call };
      return { data: { ...call, ...(await callDetails(context.read, accountId, call)) } };
    },
  );
  app.get(
    '/calls/:id/transcript',
    {
      schema: {
        tags,
        summary: 'What was said; of a running call, so far',
        params: Params,
        response: { 200: ok(Type.Array(TranscriptRecord)), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await readTranscript(context, request.auth.accountId, request.params.id) }),
  );
  app.get(
    '/calls/:id/events',
    {
      schema: {
        tags,
        summary: 'What happened on a call, newest first, and whether each webhook has it',
        description:
          'Also the events of appointments that it booked. Events are kept as long as the log of deliveries.',
        params: Params,
        querystring: PageQuery,
        response: { 200: okList(CallEventRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    (request) => callEvents(context, request.auth.accountId, request.params.id, request.query),
  );
}

function registerMedia(app: App, context: ApiContext): void {
  app.get(
    '/calls/:id/audio',
    {
      schema: {
        tags,
        summary: 'The recording: stereo, the caller left, the agent right',
        description:
          'Honours `Range`, `If-Range` and `If-None-Match` by `ETag`: the WAV may become an MP3. 404 until there is a recording.',
        params: Params,
        response: RECORDING_RESPONSES,
      },
    },
    async (request, reply) =>
      sendRecording(request, reply, await findRecording(context, request.auth.accountId, request.params.id)),
  );
  app.get(
    '/calls/:id/timeline.svg',
    {
      schema: {
        tags,
        summary: 'A picture of the call: who spoke when, response gaps with their stages, interruptions',
        description: '404 until the call has ended.',
        params: Params,
        response: {
          200: { description: 'The picture', content: { 'image/svg+xml': { schema: Binary } } },
          ...errorResponses(401, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const picture = await timelinePicture(context.read, request.auth.accountId, request.params.id);
      return reply.type('image/svg+xml').header('cache-control', 'private, no-cache').send(picture);
    },
  );
}

/** The type of bytes that already are the whole answer: they get no envelope, and are not serialised again. */
const asJson = (reply: FastifyReply): FastifyReply => reply.type('application/json; charset=utf-8');

// The calendar of a business's appointments for those who subscribe to it: a secret address, which can be renewed and
// taken back.

import { randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { DAY_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { overlappingAppointments } from '../../db/queries/businesses/appointments.ts';
import { deleteFeed, feedAt, getFeed, putFeed } from '../../db/queries/calendars/feeds.ts';
import { isoTime } from '../../db/records/resources.ts';
import { tokenHash } from '../../db/shared/secrets/token-hash.ts';
import { businessRow, liveBusiness } from '../businesses/service.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { tagOf } from '../frame/assets.ts';
import { Binary, errorResponses, nullable, ok, Timestamp } from '../frame/envelope-schema.ts';
import { notFound, retryLater } from '../frame/errors.ts';
import { feedText } from './compose.ts';

const tags = ['Calendars'];
const Params = Type.Object({ id: Type.String() });
/** Past appointments stay for those who look back. */
const BACK_MS = 30 * DAY_MS;
const AHEAD_MS = 400 * DAY_MS;
const EVENTS_MAX = 5_000;
/** Of one feed, whoever asks: that of 5,000 appointments takes a quarter of a second to make. */
const READS_A_MINUTE = 30;
/** 256 bits. */
const TOKEN_BYTES = 32;

const FeedRecord = Type.Object(
  {
    createdAt: nullable(Timestamp),
    names: Type.Boolean({ description: 'Names, numbers and notes are in it; else that a time is booked' }),
    url: nullable(Type.String({ description: 'Shown when it is made, and never again' })),
  },
  { title: 'CalendarFeed' },
);
type FeedRecord = Static<typeof FeedRecord>;

const FeedBody = Type.Object(
  {
    names: Type.Optional(
      Type.Boolean({ default: true, description: 'Names, numbers and notes are in it; false: that a time is booked' }),
    ),
  },
  { additionalProperties: false },
);

export function registerCalendarFeed(app: App, context: ApiContext): void {
  const checkReads = app.createRateLimit({
    ...{ max: READS_A_MINUTE, timeWindow: MINUTE_MS },
    keyGenerator: ({ params }) => `calendar feed ${(params as Static<typeof Params>).id}`,
  });
  app.get(
    '/businesses/:id/calendar-feed',
    {
      schema: {
        tags,
        summary: 'Whether the appointments can be read as a calendar, at a secret address',
        params: Params,
        response: { 200: ok(FeedRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await feedRecord(context, request.auth.accountId, request.params.id) }),
  );
  app.post(
    '/businesses/:id/calendar-feed',
    {
      config: { idempotent: false },
      schema: {
        tags,
        summary: 'Make the secret address, or another one in its place',
        params: Params,
        body: FeedBody,
        response: { 201: ok(FeedRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      const { names = true } = request.body;
      return { data: await makeFeed(context, request.auth.accountId, request.params.id, names) };
    },
  );
  app.delete(
    '/businesses/:id/calendar-feed',
    {
      schema: {
        tags,
        summary: 'Take the secret address back',
        params: Params,
        response: { 200: ok(FeedRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => {
      const { accountId } = request.auth;
      await businessRow(context.read, accountId, request.params.id);
      if (!(await deleteFeed(context.db, accountId, request.params.id))) throw notFound('Calendar feed');
      return { data: NONE };
    },
  );
  app.get(
    '/businesses/:id/calendar.ics',
    {
      config: { public: true },
      schema: {
        tags,
        security: [],
        summary: 'The appointments as a calendar (RFC 5545), for those who subscribe to its secret address',
        params: Params,
        querystring: Type.Object({
          token: Type.Optional(Type.String({ maxLength: 100, description: 'The secret; without it 404' })),
          resource: Type.Optional(
            Type.String({ minLength: 1, maxLength: 80, description: 'Of one of the staff, a chair or a room alone' }),
          ),
        }),
        response: {
          304: { description: 'The client has it already', type: 'null' },
          200: { description: 'The calendar', content: { 'text/calendar': { schema: Binary } } },
          ...errorResponses(404, 422, 429),
        },
      },
    },
    async (request, reply) => {
      const { token = '', resource } = request.query;
      const found = await openFeed(context, request.params.id, token);
      // Strangers, who have no right token, take nothing away from those who subscribe.
      const reads = await checkReads(request);
      if (!reads.isAllowed && reads.isExceeded)
        throw retryLater('RATE_LIMITED', 'The calendar is read too often', reads.ttlInSeconds);
      const body = await readFeed(context, found, resource);
      const etag = tagOf(body);
      reply.header('etag', etag).header('cache-control', 'private, no-cache');
      if (request.headers['if-none-match'] === etag) return reply.code(304).send(null);
      return reply.type('text/calendar; charset=utf-8').send(Buffer.from(body));
    },
  );
}

const NONE: FeedRecord = { createdAt: null, names: false, url: null };

async function feedRecord(context: ApiContext, accountId: string, businessId: string): Promise<FeedRecord> {
  await businessRow(context.read, accountId, businessId);
  const feed = await getFeed(context.read, accountId, businessId);
  return feed === undefined ? NONE : { createdAt: isoTime(feed.createdAt), names: feed.names === 1, url: null };
}

async function makeFeed(
  context: ApiContext,
  accountId: string,
  businessId: string,
  names: boolean,
): Promise<FeedRecord> {
  await liveBusiness(context.read, accountId, businessId);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const createdAt = context.now();
  await putFeed(context.db, { businessId, accountId, tokenHash: tokenHash(token), names: names ? 1 : 0, createdAt });
  const url = `${context.publicUrl()}/api/v1/businesses/${businessId}/calendar.ics?token=${token}`;
  return { createdAt: isoTime(createdAt), names, url };
}

type OpenFeed = NonNullable<Awaited<ReturnType<typeof feedAt>>>;

/** @throws {ApiError} 404, by which a wrong token cannot be told from a business that is not there */
async function openFeed(context: ApiContext, businessId: string, token: string): Promise<OpenFeed> {
  const found = await feedAt(context.read, businessId, tokenHash(token));
  if (found === null) throw notFound('Calendar');
  return found;
}

async function readFeed(context: ApiContext, { feed, business }: OpenFeed, resource?: string): Promise<string> {
  const nowMs = context.now();
  const [from, to] = [nowMs - BACK_MS, nowMs + AHEAD_MS];
  const all = await overlappingAppointments(context.read, feed.accountId, feed.businessId, from, to, EVENTS_MAX);
  const shown = resource === undefined ? all : all.filter((each) => each.resource === resource);
  const name = resource === undefined ? business.name : `${business.name}: ${resource}`;
  // Its stamp is the newest booking: the same appointments are the same text. Of two versions of one, SEQUENCE says
  // which is the later (RFC 5546 2.1.4); each move counts it up.
  const stampMs = Math.max(feed.createdAt, ...shown.map(({ createdAt }) => createdAt));
  return feedText(shown, name, { names: feed.names === 1, location: business.address, nowMs: stampMs });
}

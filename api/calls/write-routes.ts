// Routes of calls that change or follow one: begun by telephone or browser, ended, controlled, heard, erased, streamed.
import { Type } from 'typebox';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok } from '../frame/envelope-schema.ts';
import { isStillValid } from '../plugins/auth.ts';
import { rememberCreated } from '../plugins/idempotency.ts';
import { controlCall, listenToCall } from './control/control.ts';
import { ControlBody, ControlRecord, ListenRecord } from './control/control-schema.ts';
import { endCall } from './control/end.ts';
import { eraseCall } from './erase/erase.ts';
import { LiveFeed } from './live/live-feed.ts';
import { CallStreams } from './live/stream.ts';
import { placeCall, placeWebCall, type Remember } from './place/place.ts';
import { scheduleCall } from './place/scheduled.ts';
import { CallCreate, WebCallCreate, WebCallRecord } from './place/schema.ts';
import { CallRecord } from './schema.ts';

const tags = ['Calls'];
const Params = Type.Object({ id: Type.String() });
const config = { idempotent: true, scope: 'call' } as const;

export function registerCallWrites(app: App, context: ApiContext): void {
  app.post(
    '/calls',
    {
      config,
      schema: {
        tags,
        summary: 'Place a call; it is dialled within about 2 seconds',
        description:
          'With `scheduledAt` it is placed then, within about 2 seconds, or up to 15 minutes later where there is no room. Until then it has the status SCHEDULED; `GET /calls?status=SCHEDULED` lists such calls, `POST /calls/:id/end` cancels one.',
        body: CallCreate,
        response: { 201: ok(CallRecord), ...errorResponses(400, 401, 409, 422, 429, 503) },
      },
    },
    async (request, reply) => {
      const { auth, body } = request;
      const { scheduledAt } = body;
      // The key's answer is stored with the call: after a crash before the answer is sent, a retry must not dial again.
      const remember: Remember<unknown> = (trx, answer) => rememberCreated(trx, request, answer);
      const data =
        scheduledAt === undefined
          ? await placeCall(context, auth.accountId, body, remember)
          : await scheduleCall(context, auth.accountId, { ...body, scheduledAt }, remember);
      reply.code(201);
      return { data };
    },
  );
  app.post(
    '/calls/web',
    {
      config,
      schema: {
        tags,
        summary: 'Begin a call from a browser',
        description:
          'The socket carries binary PCM16 mono 16 kHz both ways and JSON text: `{type: transcript, speaker, text, timestamp}` or `{type: state, state}`.',
        body: WebCallCreate,
        response: { 201: ok(WebCallRecord), ...errorResponses(400, 401, 409, 422, 429, 503) },
      },
    },
    async (request, reply) => {
      const data = await placeWebCall(context, request.auth.accountId, request.body);
      reply.code(201);
      return { data };
    },
  );
  app.post(
    '/calls/:id/end',
    {
      config,
      schema: {
        tags,
        summary: 'End a call at once, or cancel a scheduled one',
        params: Params,
        response: { 200: ok(CallRecord), ...errorResponses(401, 404, 409, 422, 429, 503) },
      },
    },
    async (request) => ({ data: await endCall(context, request.auth.accountId, request.params.id) }),
  );
  app.post(
    '/calls/:id/control',
    {
      config,
      schema: {
        tags,
        summary: 'Do something to a running call',
        description:
          'Answered once it is done. 409 says why it cannot be done; an entry of the audit log of the business says who asked for what.',
        params: Params,
        body: ControlBody,
        response: { 200: ok(ControlRecord), ...errorResponses(400, 401, 404, 409, 422, 429, 503) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const state = await controlCall(context, request.auth, id, request.body);
      return { data: { kind: request.body.kind, callId: id, state } };
    },
  );
  app.post(
    '/calls/:id/listen',
    {
      config: { idempotent: false, scope: 'call' },
      schema: {
        tags,
        summary: 'Listen to a running call',
        description:
          'The socket sends binary PCM16 stereo at 16 kHz, 20 ms at a time, the caller left and the agent right, and JSON text as that of a browser call. `{type: mode, mode: listen | whisper | take-over}` to it says what the microphone is for.',
        params: Params,
        response: { 201: ok(ListenRecord), ...errorResponses(401, 404, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const data = await listenToCall(context, request.auth, request.params.id);
      reply.code(201);
      return { data };
    },
  );
  app.delete(
    '/calls/:id',
    {
      schema: {
        tags,
        summary: 'Erase what is personal of a call that has ended',
        description:
          'Recording, transcript, summary, names, numbers, variables and metadata are gone afterwards, also from the log of deliveries. Ids, times, duration, status and an entry in the audit log of the business remain.',
        params: Params,
        response: { 200: ok(CallRecord), ...errorResponses(401, 404, 409, 429) },
      },
    },
    async (request) => ({ data: await eraseCall(context, request.auth, request.params.id) }),
  );
  registerStream(app, context);
}

function registerStream(app: App, context: ApiContext): void {
  const feed = new LiveFeed(context, (error) => context.log.error({ err: error }, 'could not read the live feed'));
  const streams = new CallStreams(context, feed);
  app.addHook('preClose', async () => streams.close());
  app.get(
    '/calls/:id/stream',
    {
      // HEAD would keep the stream open without a reader.
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'The call as it goes, as server-sent events',
        description:
          'Events `transcript`, `state`, `latency` and `ended`; what was said before comes first, and the stream ends with the call. Send `Last-Event-ID` to go on where it broke off. The event `words` says what is being said right now, `{said: [{speaker, text, timestamp}]}`, some three times a second; each takes the place of the one before, and the `transcript` event with the same speaker and timestamp has the whole sentence.',
        params: Params,
        response: {
          200: {
            description: 'The events',
            content: { 'text/event-stream': { schema: Type.Unsafe<unknown>({ type: 'string' }) } },
          },
          ...errorResponses(401, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const last = request.headers['last-event-id'];
      const afterSeq = typeof last === 'string' && /^\d{1,15}$/.test(last) ? Number(last) : 0;
      const stream = await streams.open(request.auth.accountId, request.params.id, afterSeq, () =>
        isStillValid(context, request.auth),
      );
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-cache, no-transform')
        .header('x-accel-buffering', 'no')
        .send(stream);
    },
  );
}

// /businesses/:id/hold-music: what callers hear while a person is looked for, in place of our own music.
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import {
  deleteHoldMusic,
  getHoldMusic,
  holdMusicSamples,
  putHoldMusic,
} from '../../db/queries/businesses/hold-music.ts';
import { isoOrNull } from '../../db/records/resources.ts';
import { HOLD_MUSIC_RATE_HZ } from '../../media/hold-music-file.ts';
import { wavHeader } from '../../media/wav.ts';
import { audit } from '../audit/business-log.ts';
import type { ApiContext } from '../context.ts';
import type { Actor, App } from '../frame/app.ts';
import { Binary, errorResponses, nullable, ok, Timestamp } from '../frame/envelope-schema.ts';
import { invalid, notFound, refused, retryLater } from '../frame/errors.ts';
import { withUnnamedFile } from '../frame/unnamed-file.ts';
import { onLimitedThread } from '../threads/limited-thread.ts';
import { PlacesPerAccount } from '../threads/places-per-account.ts';
import { withUploadPlace } from '../threads/upload-places.ts';
import type { MusicFile, MusicRead } from './hold-music-thread.ts';
import { businessRow, liveBusiness } from './service.ts';

const tags = ['Businesses'];
const Params = Type.Object({ id: Type.String() });

const HoldMusicRecord = Type.Object(
  {
    isOwn: Type.Boolean({ description: 'False: callers hear our music' }),
    durationMs: nullable(Type.Integer()),
    updatedAt: nullable(Timestamp),
  },
  { title: 'HoldMusic' },
);

/** Two minutes in stereo at 48 kHz, and its header. */
const WAV_BYTES_MAX = 24 * 1024 * 1024;
const WAV_TYPES = ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'];
const THREAD = { withinMs: 10_000, heapMib: 128, bufferMib: 256 };
/** Each takes a thread, and the memory of a file and of its samples. */
const threads = new PlacesPerAccount({
  what: 'pieces of music',
  total: 2,
  perAccount: 1,
  full: () => retryLater('UPLOADS_BUSY', 'Too many pieces of music are being read', 5),
});

export function registerHoldMusic(app: App, context: ApiContext): void {
  app.get(
    '/businesses/:id/hold-music',
    {
      schema: {
        tags,
        summary: 'What callers hear while a person is looked for: the business’s own music, or ours',
        params: Params,
        response: { 200: ok(HoldMusicRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await musicRecord(context, request.auth.accountId, request.params.id) }),
  );
  app.get(
    '/businesses/:id/hold-music/audio',
    {
      schema: {
        tags,
        summary: 'It as callers hear it, audio/wav',
        params: Params,
        response: {
          200: { description: 'The music', content: { 'audio/wav': { schema: Binary } } },
          ...errorResponses(401, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.auth;
      await businessRow(context.read, accountId, request.params.id);
      const samples = await holdMusicSamples(context.read, accountId, request.params.id);
      if (samples === null) throw notFound('Hold music');
      const header = wavHeader({ sampleRateHz: HOLD_MUSIC_RATE_HZ, channels: 1 }, samples.length);
      return reply.type('audio/wav').send(Buffer.concat([header, samples]));
    },
  );
  app.delete(
    '/businesses/:id/hold-music',
    {
      schema: {
        tags,
        summary: 'Go back to our own music',
        params: Params,
        response: { 200: ok(HoldMusicRecord), ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await removeMusic(context, request.auth, request.params.id) }),
  );
  // In a scope of its own: no other route takes a sound.
  app.register(async (scope) => {
    // As a stream: a place is taken before anything of it is read.
    scope.addContentTypeParser(WAV_TYPES, (_request, body, done) => done(null, body));
    registerUpload(scope as App, context);
  });
}

function registerUpload(app: App, context: ApiContext): void {
  app.put(
    '/businesses/:id/hold-music',
    {
      bodyLimit: WAV_BYTES_MAX,
      // The body is a sound. The schema is for the OpenAPI document.
      validatorCompiler: () => () => true,
      schema: {
        tags,
        summary: 'Bring hold music: a WAV of 16-bit PCM, 2 to 120 s, at any rate, mono or stereo',
        consumes: ['audio/wav'],
        params: Params,
        body: Binary,
        response: { 200: ok(HoldMusicRecord), ...errorResponses(400, 401, 404, 409, 413, 415, 422, 429) },
      },
    },
    async (request) => {
      const { body } = request as { body: unknown };
      if (!(body instanceof Readable)) throw refused('UNSUPPORTED_MEDIA_TYPE', 'Send it as audio/wav');
      return { data: await bringMusic(context, request.auth, request.params.id, body) };
    },
  );
}

/** @throws {ApiError} 404, 409, 422 */
async function bringMusic(context: ApiContext, actor: Actor, businessId: string, sent: Readable) {
  const { accountId } = actor;
  await businessRow(context.read, accountId, businessId);
  const samples = await withUploadPlace(accountId, () =>
    withUnnamedFile(context, async (file) => {
      await receive(file, sent);
      return threads.hold(accountId, () => samplesOf(file));
    }),
  );
  const music = {
    businessId,
    accountId,
    durationMs: Math.round((samples.length * 1_000) / HOLD_MUSIC_RATE_HZ),
    samples: Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength),
    updatedAt: context.now(),
  };
  await context.db.transaction().execute(async (trx) => {
    await liveBusiness(trx, accountId, businessId);
    const before = (await getHoldMusic(trx, accountId, businessId)) ?? null;
    await putHoldMusic(trx, music);
    await noteChange(context, trx, actor, businessId, before, music);
  });
  return recordOf(music);
}

/** @throws {ApiError} 413 */
async function receive(file: FileHandle, sent: Readable): Promise<void> {
  let bytes = 0;
  for await (const chunk of sent as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > WAV_BYTES_MAX) throw refused('BODY_TOO_LARGE', 'Request body is too large');
    await file.write(chunk);
  }
}

/** @throws {ApiError} 422 */
async function samplesOf(file: FileHandle): Promise<Int16Array> {
  const { size } = await file.stat();
  const task: MusicFile = { descriptor: file.fd, bytes: size };
  const read = await onLimitedThread<MusicRead>(new URL('./hold-music-thread.ts', import.meta.url), task, THREAD);
  if ('stopped' in read) throw invalid([{ field: 'body', message: 'cannot be read within the limits' }]);
  if ('fault' in read.value) throw invalid([{ field: 'body', message: `is no hold music: ${read.value.fault}` }]);
  return read.value.samples;
}

/** @throws {ApiError} 404 */
function removeMusic(context: ApiContext, actor: Actor, businessId: string) {
  const { accountId } = actor;
  return context.db.transaction().execute(async (trx) => {
    await businessRow(trx, accountId, businessId);
    const before = await getHoldMusic(trx, accountId, businessId);
    if (before === undefined) throw notFound('Hold music');
    await deleteHoldMusic(trx, accountId, businessId);
    await noteChange(context, trx, actor, businessId, before, null);
    return recordOf(null);
  });
}

/** @throws {ApiError} 404 */
async function musicRecord(context: ApiContext, accountId: string, businessId: string) {
  await businessRow(context.read, accountId, businessId);
  return recordOf((await getHoldMusic(context.read, accountId, businessId)) ?? null);
}

type Music = { durationMs: number; updatedAt: number };

const recordOf = (music: Music | null) => ({
  isOwn: music !== null,
  durationMs: music?.durationMs ?? null,
  updatedAt: isoOrNull(music?.updatedAt ?? null),
});

const noteChange = (
  context: ApiContext,
  trx: Parameters<typeof audit>[0],
  actor: Actor,
  businessId: string,
  from: Music | null,
  to: Music | null,
): Promise<void> =>
  audit(
    trx,
    actor,
    businessId,
    'updated',
    { holdMusic: { from: from && recordOf(from), to: to && recordOf(to) } },
    context.now(),
  );

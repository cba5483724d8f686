// The headers of answers, as components: those of every answer, and those that only some operations send. Headers of
// transport and of browsers' security policies are left out: they say nothing to a client of the interface.
import type { Json, Operation } from './components.ts';

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const number = (description: string): Json => ({ description, schema: { type: 'integer' } });

export const HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-Id': { ...text("The request's name in the log: the client's own, or a new one"), required: true },
  RateLimit: text('`"default";r=<requests left>;t=<seconds until there are all again>`'),
  'RateLimit-Policy': text('`"default";q=<requests>;w=<seconds>`'),
  'Retry-After': number('Seconds to wait before the next try'),
  'WWW-Authenticate': text('`Bearer`'),
  'Idempotent-Replayed': text('`true` where this is the first answer to the Idempotency-Key once more'),
  'Accept-Ranges': text('`bytes`: Range may ask for a part'),
  'Content-Range': text('Which bytes of how many'),
  'Last-Modified': text('When the file was written'),
  ETag: text('The name of the file as it is, for `If-Range` and `If-None-Match`'),
  'Cache-Control': text('Who may keep the answer'),
  'Content-Disposition': text('`attachment`, with the name of the file'),
};

const ALWAYS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
const AUDIO = {
  200: ['Accept-Ranges', 'ETag', 'Last-Modified', 'Cache-Control'],
  206: ['Accept-Ranges', 'Content-Range', 'ETag', 'Last-Modified', 'Cache-Control'],
};
/** Headers that one operation sends with a success, beside those of all. */
const BY_OPERATION: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  getRecording: AUDIO,
  getTestRecording: AUDIO,
  exportCalls: { 200: ['Content-Disposition'] },
  exportCosts: { 200: ['Content-Disposition'] },
  exportAllCosts: { 200: ['Content-Disposition'] },
  exportTrunkPrices: { 200: ['Content-Disposition'] },
  readCalendarFeed: { 200: ['Cache-Control', 'ETag'], 304: ['Cache-Control', 'ETag'] },
  getTimelinePicture: { 200: ['Cache-Control'] },
  getVoicePreview: { 200: ['Cache-Control'] },
  downloadPortDocument: { 200: ['Content-Disposition'] },
  streamCall: { 200: ['Cache-Control'] },
};

export function headersOfSuccess(operation: Operation, status: string): Json {
  const isIdempotent = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
  const more = BY_OPERATION[operation.operationId ?? '']?.[status] ?? [];
  return refs([...ALWAYS, ...(isIdempotent ? ['Idempotent-Replayed'] : []), ...more]);
}

export function headersOfError(status: number | null): Json {
  const waits = status === 429 || status === 503 || status === null;
  const more = [...(waits ? ['Retry-After'] : []), ...(status === 401 ? ['WWW-Authenticate'] : [])];
  return refs([...ALWAYS, ...more]);
}

const refs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

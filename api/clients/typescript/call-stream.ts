// A running call as it goes: server-sent events, which go on after a broken connection where it broke off.
import { ApiError } from './api-error.ts';
import type { RequestOptions, Transport } from './transport.ts';
import type { Call, TranscriptEntry } from './types.ts';

export type CallStreamEvent =
  /** A finished sentence; first all that was said before. */
  | ({ type: 'transcript' } & TranscriptEntry)
  /** All that is being said now, in place of the `words` before. */
  | { type: 'words'; said: TranscriptEntry[] }
  | { type: 'state'; state: string }
  /** How long the caller waited for an answer. */
  | { type: 'latency'; ms: number }
  /** The last one. */
  | ({ type: 'ended' } & Pick<Call, 'status' | 'outcome' | 'endReason'> & Partial<Pick<Call, 'durationSeconds'>>);

/** Of a service that is newer than this package. */
type Unknown = { type: string };

const KNOWN: ReadonlySet<string> = new Set(['transcript', 'words', 'state', 'latency', 'ended']);
/** The service says something each 15 s. */
const SILENCE_MAX_MS = 45_000;
const RETRY_MS = { first: 500, most: 10_000 };
/** In a row, without an event: some two minutes. */
const TRIES_MAX = 15;

/** Ends with the call. @throws {ApiError} if there is no such call, or no more of it comes */
export async function* callStream(
  transport: Transport,
  path: string,
  options: RequestOptions,
): AsyncGenerator<CallStreamEvent, void, undefined> {
  let lastId: string | null = null;
  let waitMs = RETRY_MS.first;
  for (let tries = 1; ; tries++) {
    let why: unknown = new ApiError({ status: 0, code: 'UNREACHABLE', message: 'The stream ended before the call' });
    try {
      for await (const { id, type, data } of events(transport, path, lastId, options)) {
        lastId = id ?? lastId;
        waitMs = RETRY_MS.first;
        tries = 0;
        if (!KNOWN.has(type)) continue;
        const event = { ...(JSON.parse(data) as object), type } as Unknown as CallStreamEvent;
        yield event;
        if (event.type === 'ended') return;
      }
    } catch (fault) {
      options.signal?.throwIfAborted();
      const isRefused = fault instanceof ApiError && fault.status >= 300 && fault.status < 500 && fault.status !== 429;
      if (isRefused) throw fault;
      why = fault;
    }
    if (tries >= TRIES_MAX) throw why;
    await transport.pause(waitMs, options.signal);
    waitMs = Math.min(RETRY_MS.most, waitMs * 2);
  }
}

interface ServerSentEvent {
  id: string | null;
  type: string;
  data: string;
}

async function* events(
  transport: Transport,
  path: string,
  lastId: string | null,
  options: RequestOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const headers = { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) };
  const response = await transport.send({ method: 'GET', path, headers }, options, async (answer) => answer);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  try {
    let text = '';
    for (;;) {
      const { done, value } = await withinTime(reader.read());
      if (done) return;
      text += value;
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Null: a comment, which keeps the connection open. */
function eventOf(block: string): ServerSentEvent | null {
  const event: ServerSentEvent = { id: null, type: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const [field, value] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    if (field === 'id') event.id = value;
    if (field === 'event') event.type = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? null : { ...event, data: data.join('\n') };
}

/** @throws where nothing comes for so long that the connection must be dead */
async function withinTime<T>(reading: Promise<T>): Promise<T> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error('the stream is silent')), SILENCE_MAX_MS);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(limit);
  }
}

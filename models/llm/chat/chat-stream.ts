// Reads the answer to a chat completion as chunks of the dialogue port. Servers stream different things, so a reply is
// an error only when no part of it can be used.
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type DialogueChunk, LlmError } from '../llm.ts';
import { type ChatServer, readText } from './chat-server.ts';
import type { Deadline } from './deadline.ts';
import { type AskedWith, noteNativeCall, ownCalls } from './echoes.ts';
import { dataLines } from './event-stream.ts';
import { Repeats } from './repeats.ts';
import { SpokenText } from './spoken-text.ts';
import { type Part, ToolCallAssembler } from './tool-calls.ts';

type Body = Dispatcher.ResponseData['body'];

/** An endless reply is cut at this length. */
const MAX_REPLY_CHARS = 4_000;
/** The same with thoughts, of which a model may write a lot. */
const MAX_READ_CHARS = 200_000;
/** Longest wait for the end of a complete answer; after that its connection is not reused. */
const DRAIN_MS = 1_000;

interface Delta {
  content?: unknown;
  tool_calls?: unknown;
}

interface Chunk {
  error?: unknown;
  choices?: Array<{ delta?: Delta | null; message?: Delta | null; finish_reason?: string | null } | null> | null;
  usage?: {
    prompt_tokens?: unknown;
    completion_tokens?: unknown;
    prompt_tokens_details?: { cached_tokens?: unknown } | null;
    /** DeepSeek's name for cached tokens. */
    prompt_cache_hit_tokens?: unknown;
  } | null;
}

interface ReplyOptions {
  /** Between two chunks, once there was a word. */
  chunkTimeoutMs: number;
  model: string;
  /** Tools that the model may ask for, and what others have said and written before it. */
  request: AskedWith;
}

/** Servers and models that end a thought which they have not begun. */
const thinkersAloud = new Set<string>();
const MAX_KNOWN = 100;

/**
 * Before the first word the one who waits decides how long: chunks without a word (a role, thoughts) are worth nothing
 * to a caller.
 * @throws {LlmError}
 */
export async function* readReply(
  server: ChatServer,
  response: Dispatcher.ResponseData,
  deadline: Deadline,
  { chunkTimeoutMs, model, request }: ReplyOptions,
): AsyncIterable<DialogueChunk> {
  const tools = new ToolCallAssembler();
  const key = `${server.place} ${model}`;
  const spoken = new SpokenText({ startsInThought: thinkersAloud.has(key) });
  const repeats = new Repeats();
  let chars = 0;
  let read = 0;
  let isCut = false;
  let isFinished = false;
  let usage: Chunk['usage'] = null;
  for await (const chunk of chunksOf(response)) {
    if (chunk.error) throw server.refused(statusIn(chunk.error), chunk);
    // Some servers repeat a running total, so only the last counts.
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    const { content, tool_calls: toolCalls } = choice?.delta ?? choice?.message ?? {};
    const text = contentText(content);
    read += text.length;
    const words = text === '' ? '' : spoken.push(text);
    chars += words.length;
    const hasCalls = Array.isArray(toolCalls) && toolCalls.length > 0;
    if (chars > 0 || tools.hasBegun || hasCalls) deadline.arm(chunkTimeoutMs, 'the stream stood still');
    if (words !== '') yield { type: 'text', text: words };
    if (hasCalls) {
      if (!tools.hasBegun) yield { type: 'began' };
      for (const part of toolCalls) tools.add(part as Part);
    }
    if (choice?.finish_reason) isFinished = true;
    isCut = chars >= MAX_REPLY_CHARS || (repeats.push(words) && !tools.hasBegun);
    if (isCut || read >= MAX_READ_CHARS) break;
  }
  const rest = isCut ? '' : spoken.finish();
  chars += rest.length;
  if (rest !== '') yield { type: 'text', text: rest };
  if (spoken.sawLoneEnd) {
    if (thinkersAloud.size >= MAX_KNOWN) thinkersAloud.clear();
    thinkersAloud.add(key);
  } else thinkersAloud.delete(key);
  const used = usageOf(usage);
  if (used) yield used;
  const calls = tools.finish();
  if (calls.length > 0) noteNativeCall(server.place, model);
  else {
    const own = ownCalls(spoken.calls, request, server.place, model);
    calls.push(...own.calls);
    if (chars === 0 && calls.length === 0 && own.hasEcho) {
      // Nothing is wrong with a model that repeats what it was asked to.
      const words = spoken.calls.join(' ').slice(0, MAX_REPLY_CHARS);
      chars += words.length;
      yield { type: 'text', text: words };
    }
  }
  if (!isFinished && chars === 0 && calls.length === 0)
    throw new LlmError('LLM_GARBAGE', 'the stream ended without text, tool call or end mark');
  if (!isFinished && chars > 0 && !isCut && calls.length === 0)
    throw new LlmError('LLM_UNAVAILABLE', 'the stream broke off in the middle of the reply');
  if (isFinished && chars === 0 && calls.length === 0) {
    const isBroken = tools.sawBroken || spoken.sawCall;
    throw new LlmError('LLM_GARBAGE', isBroken ? 'the tool call was not valid JSON' : 'the reply was empty');
  }
  for (const { extra, ...call } of calls)
    yield { type: 'tool-call', ...call, ...(extra ? { extra: { place: server.place, ...extra } } : {}) };
}

/** Text, or a list of parts of which those of text count. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => {
      const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
      return typeof text === 'string' && (type === undefined || /^(output_)?text$/.test(String(type))) ? text : '';
    })
    .join('');
}

/** A whole answer to a task, without the thoughts before it. */
export function wordsWithoutThoughts(text: string): string {
  const spoken = new SpokenText({ startsInThought: true, keepsJson: true });
  return spoken.push(text) + spoken.finish();
}

/** The chunks of a stream; a server that ignores `stream` answers with one. Labels are not believed: the text is. */
async function* chunksOf({ headers, body }: Dispatcher.ResponseData): AsyncIterable<Chunk> {
  let isWhole = false;
  // Destroying a body during a read emits an error.
  body.on('error', () => {});
  try {
    const source = unpacked(body, String(headers['content-encoding'] ?? 'identity'));
    const { isJson, bytes } = await peeked(source);
    if (isJson) yield chunkOf(await readText(bytes, 1_000_000));
    else for await (const data of dataLines(bytes)) yield chunkOf(data);
    isWhole = true;
  } catch (error) {
    if (error instanceof RangeError) throw new LlmError('LLM_GARBAGE', error.message);
    throw error;
  } finally {
    if (isWhole) drain(body);
    else body.destroy();
  }
}

/** A body that came packed although nobody asked for that (RFC 9110 12.5.3). */
function unpacked(body: Body, encoding: string): AsyncIterable<Uint8Array> {
  const plain = body.iterator({ destroyOnReturn: false });
  const unpack = UNPACKERS[encoding.trim().toLowerCase()]?.();
  if (unpack === undefined) return plain;
  return pipeline(Readable.from(plain), unpack, () => {});
}

const UNPACKERS: Record<string, () => Transform> = {
  gzip: () => createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress(),
};

/** By its first character that is no blank: a stream of events never begins with a bracket. */
async function peeked(
  source: AsyncIterable<Uint8Array>,
): Promise<{ isJson: boolean; bytes: AsyncIterable<Uint8Array> }> {
  const reading = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let begins = '';
  while (begins === '') {
    const { value, done } = await reading.next();
    if (done) break;
    first.push(value);
    begins = Buffer.from(value)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimStart()
      .slice(0, 1);
  }
  const bytes = (async function* () {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => reading };
  })();
  return { isJson: begins === '{' || begins === '[' || begins === '"', bytes };
}

/** Reads the rest after `[DONE]`, so that the connection can serve the next turn. */
function drain(body: Body): void {
  const timer = setTimeout(() => body.destroy(), DRAIN_MS);
  body.once('close', () => clearTimeout(timer));
  body.resume();
}

function chunkOf(data: string): Chunk {
  try {
    const value: unknown = JSON.parse(data);
    if (value !== null && typeof value === 'object') return value as Chunk;
  } catch {
    // Reported below.
  }
  throw new LlmError('LLM_GARBAGE', 'the stream was not valid JSON');
}

/** As a server tells the tokens of a request; null: it tells none. */
export function usageOf(usage: Chunk['usage']): Extract<DialogueChunk, { type: 'usage' }> | null {
  const inputTokens = count(usage?.prompt_tokens);
  if (inputTokens === null) return null;
  const cachedTokens = count(usage?.prompt_tokens_details?.cached_tokens) ?? count(usage?.prompt_cache_hit_tokens);
  return {
    type: 'usage',
    inputTokens,
    outputTokens: count(usage?.completion_tokens) ?? 0,
    ...(cachedTokens === null ? {} : { cachedTokens }),
  };
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

/** The status that an error inside a 200 may name. */
function statusIn(error: unknown): number {
  const { code, status } = (typeof error === 'object' ? error : {}) as { code?: unknown; status?: unknown };
  const named = [code, status].find((value) => typeof value === 'number' && value >= 400 && value < 600);
  return typeof named === 'number' ? named : 500;
}

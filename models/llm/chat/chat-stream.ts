// Reads the answer to a chat completion as chunks of the dialogue port. Servers stream different things, so a reply is
// an error only when no part of it can be used.
import { Readable } from 'node:stream';
import zlib, { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type DialogueChunk, LlmError, type ToolDefinition } from '../llm.ts';
import { type ChatServer, readText } from './chat-server.ts';
import type { Deadline } from './deadline.ts';
import { dataLines } from './event-stream.ts';
import { ReplyFilter } from './reply-filter.ts';
import { thinksAloud, toldThoughts } from './thought-habits.ts';
import { newId, type Part, ToolCallAssembler } from './tool-calls.ts';

type Body = Dispatcher.ResponseData['body'];

/** An endless reply is cut at this length. */
const MAX_REPLY_CHARS = 4_000;
/** Of all text of a reply, thoughts among it. */
const MAX_TEXT_CHARS = 200_000;
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

export interface Asked {
  model: string;
  tools: readonly ToolDefinition[];
}

/**
 * `chunkTimeoutMs`: between two chunks, once there was a word. Before it the one who waits decides how long: chunks
 * without a word (a role, thoughts) are worth nothing to a caller.
 * @throws {LlmError}
 */
export async function* readReply(
  server: ChatServer,
  response: Dispatcher.ResponseData,
  deadline: Deadline,
  chunkTimeoutMs: number,
  asked: Asked,
): AsyncIterable<DialogueChunk> {
  const tools = new ToolCallAssembler();
  const thinksFirst = thinksAloud(server.place, asked.model);
  const filter = new ReplyFilter({ tools: asked.tools, thinksFirst });
  let chars = 0;
  let textChars = 0;
  let isFinished = false;
  let usage: Chunk['usage'] = null;
  for await (const chunk of chunksOf(response)) {
    if (chars > 0 || tools.hasBegun) deadline.arm(chunkTimeoutMs, 'the stream stood still');
    if (chunk.error) throw server.refused(statusIn(chunk.error), chunk);
    // Some servers repeat a running total, so only the last counts.
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    if (!choice) continue;
    const { content, tool_calls: toolCalls } = choice.delta ?? choice.message ?? {};
    const text = textOf(content);
    textChars += text.length;
    const said = text === '' || chars >= MAX_REPLY_CHARS ? '' : filter.take(text);
    if (said !== '') {
      chars += said.length;
      yield { type: 'text', text: said };
    }
    if (Array.isArray(toolCalls)) {
      if (!tools.hasBegun && toolCalls.length > 0) yield { type: 'began' };
      for (const part of toolCalls) tools.add(part as Part);
    }
    if (said !== '' || (Array.isArray(toolCalls) && toolCalls.length > 0)) {
      deadline.arm(chunkTimeoutMs, 'the stream stood still');
    }
    if (choice.finish_reason) isFinished = true;
    if (chars >= MAX_REPLY_CHARS || textChars >= MAX_TEXT_CHARS) break;
  }
  const last = filter.end().slice(0, Math.max(0, MAX_REPLY_CHARS - chars));
  if (last !== '') {
    chars += last.length;
    yield { type: 'text', text: last };
  }
  if (thinksFirst || filter.hasThoughts) toldThoughts(server.place, asked.model, filter.hasThoughts);
  const used = usageOf(usage);
  if (used) yield used;
  const calls = [...tools.finish(), ...filter.calls.map((call) => ({ id: newId(), ...call }))];
  if (!isFinished && chars === 0 && calls.length === 0)
    throw new LlmError('LLM_GARBAGE', 'the stream ended without text, tool call or end mark');
  if (!isFinished && chars > 0 && chars < MAX_REPLY_CHARS && calls.length === 0)
    throw new LlmError('LLM_UNAVAILABLE', 'the stream broke off in the middle of the reply');
  if (isFinished && chars === 0 && calls.length === 0)
    throw new LlmError('LLM_GARBAGE', tools.sawBroken ? 'the tool call was not valid JSON' : 'the reply was empty');
  for (const call of calls) yield { type: 'tool-call', ...call };
}

/** Some servers send the text as a list of parts, of which thoughts and pictures are not for the caller. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { type?: unknown; text?: unknown } | null) => (isText(part) ? part.text : '')).join('');
}

const isText = (part: { type?: unknown; text?: unknown } | null): part is { text: string } =>
  typeof part?.text === 'string' && (part.type === undefined || part.type === 'text' || part.type === 'output_text');

/** The chunks of a stream; a server that ignores `stream` answers with one. */
async function* chunksOf({ headers, body }: Dispatcher.ResponseData): AsyncIterable<Chunk> {
  let isWhole = false;
  // Destroying a body during a read emits an error.
  body.on('error', () => {});
  try {
    const bytes = unpacked(body.iterator({ destroyOnReturn: false }), headers['content-encoding']);
    const { isJson, all } = await sniffed(bytes, String(headers['content-type'] ?? ''));
    if (isJson) yield chunkOf(await readText(all, 1_000_000));
    else for await (const data of dataLines(all)) yield chunkOf(data);
    isWhole = true;
  } catch (error) {
    if (error instanceof RangeError) throw new LlmError('LLM_GARBAGE', error.message);
    throw error;
  } finally {
    if (isWhole) drain(body);
    else body.destroy();
  }
}

/** Bodies come packed where a gateway packs them unasked (RFC 9110 12.5.3). */
function unpacked(bytes: AsyncIterable<Uint8Array>, encoding: unknown): AsyncIterable<Uint8Array> {
  const unpack = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const make = unpack[String(encoding ?? '').toLowerCase() as keyof typeof unpack];
  if (make === undefined) return bytes;
  // Each part is unpacked as it comes: a stream of events is not to wait for its end.
  return Readable.from(bytes).pipe(make({ flush: zlib.constants.Z_SYNC_FLUSH })) as AsyncIterable<Uint8Array>;
}

/** Whether the body is one JSON object: some servers stream events under the label of JSON. */
async function sniffed(
  bytes: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<{ isJson: boolean; all: AsyncIterable<Uint8Array> }> {
  const reader = bytes[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let first = '';
  while (/\bjson\b/.test(contentType) && first === '') {
    const { value, done } = await reader.next();
    if (done) break;
    head.push(value);
    first = Buffer.from(value).toString('latin1').trimStart().slice(0, 1);
  }
  async function* all(): AsyncIterable<Uint8Array> {
    yield* head;
    for (let next = await reader.next(); !next.done; next = await reader.next()) yield next.value;
  }
  return { isJson: first === '{' || first === '[', all: all() };
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

function usageOf(usage: Chunk['usage']): Extract<DialogueChunk, { type: 'usage' }> | null {
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

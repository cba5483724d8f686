// Reads the answer to a chat completion as chunks of the dialogue port. Servers stream different things, so a reply is
// an error only when no part of it can be used.
import type { Dispatcher } from 'undici';
import { type DialogueChunk, LlmError } from '../llm.ts';
import { type ChatServer, readText } from './chat-server.ts';
import type { Deadline } from './deadline.ts';
import { dataLines } from './event-stream.ts';
import { type Part, ToolCallAssembler } from './tool-calls.ts';

type Body = Dispatcher.ResponseData['body'];

/** An endless reply is cut at this length. */
const MAX_REPLY_CHARS = 4_000;
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
): AsyncIterable<DialogueChunk> {
  const tools = new ToolCallAssembler();
  let chars = 0;
  let isFinished = false;
  let usage: Chunk['usage'] = null;
  for await (const chunk of chunksOf(response)) {
    const hasWords = chars > 0 || tools.hasBegun || hasDelta(chunk);
    if (hasWords) deadline.arm(chunkTimeoutMs, 'the stream stood still');
    if (chunk.error) throw server.refused(statusIn(chunk.error), chunk);
    // Some servers repeat a running total, so only the last counts.
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    if (!choice) continue;
    const { content, tool_calls: toolCalls } = choice.delta ?? choice.message ?? {};
    if (typeof content === 'string' && content !== '' && chars < MAX_REPLY_CHARS) {
      chars += content.length;
      yield { type: 'text', text: content };
    }
    if (Array.isArray(toolCalls)) {
      if (!tools.hasBegun && toolCalls.length > 0) yield { type: 'began' };
      for (const part of toolCalls) tools.add(part as Part);
    }
    if (choice.finish_reason) isFinished = true;
    if (chars >= MAX_REPLY_CHARS) break;
  }
  const used = usageOf(usage);
  if (used) yield used;
  const calls = tools.finish();
  if (!isFinished && chars === 0 && calls.length === 0)
    throw new LlmError('LLM_GARBAGE', 'the stream ended without text, tool call or end mark');
  if (!isFinished && chars > 0 && chars < MAX_REPLY_CHARS && calls.length === 0)
    throw new LlmError('LLM_UNAVAILABLE', 'the stream broke off in the middle of the reply');
  if (isFinished && chars === 0 && calls.length === 0)
    throw new LlmError('LLM_GARBAGE', tools.sawBroken ? 'the tool call was not valid JSON' : 'the reply was empty');
  for (const call of calls) yield { type: 'tool-call', ...call };
}

function hasDelta({ choices }: Chunk): boolean {
  const { content, tool_calls: toolCalls } = choices?.[0]?.delta ?? choices?.[0]?.message ?? {};
  return (typeof content === 'string' && content !== '') || (Array.isArray(toolCalls) && toolCalls.length > 0);
}

/** The chunks of a stream; a server that ignores `stream` answers with one. */
async function* chunksOf({ headers, body }: Dispatcher.ResponseData): AsyncIterable<Chunk> {
  let isWhole = false;
  // Destroying a body during a read emits an error.
  body.on('error', () => {});
  try {
    if (/\bjson\b/.test(String(headers['content-type'] ?? ''))) yield chunkOf(await readText(body, 1_000_000));
    else for await (const data of dataLines(body.iterator({ destroyOnReturn: false }))) yield chunkOf(data);
    isWhole = true;
  } catch (error) {
    if (error instanceof RangeError) throw new LlmError('LLM_GARBAGE', error.message);
    throw error;
  } finally {
    if (isWhole) drain(body);
    else body.destroy();
  }
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

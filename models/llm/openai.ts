// Any OpenAI-compatible server (OpenAI's, vLLM, Ollama, llama.cpp), by streamed chat completions with tools. Servers differ in
// what they stream, so chunks are read tolerantly: a reply is an error only when nothing of it can be used.
import { OpenAI } from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { unreachable } from '../unexpected.ts';
import { type DialogueChunk, type DialogueModel, type DialogueRequest, LlmError, type Message } from './llm.ts';
import { systemPrompt } from './prompt.ts';
import { ToolCallAssembler } from './tool-calls.ts';

export interface OpenAiOptions {
  apiKey: string | null;
  /** Without `/chat/completions`; null for OpenAI's. */
  baseUrl: string | null;
  model: string;
  /** From the request to the first chunk. */
  firstChunkTimeoutMs: number;
  /** Between two chunks. */
  chunkTimeoutMs: number;
  /** A whole reply. */
  replyTimeoutMs: number;
}

/** A small model of OpenAI's; for other servers OPENAI_MODEL names theirs. */
const DEFAULT_MODEL = 'gpt-4.1-mini';
/** A caller is waiting: nobody waits longer than 6 s for the first word, and one retry still fits. */
const DEFAULT_TIMEOUTS = { firstChunkTimeoutMs: 6_000, chunkTimeoutMs: 5_000, replyTimeoutMs: 30_000 };
/** Enough for a spoken answer; a runaway stream is cut here. */
const MAX_REPLY_TOKENS = 400;
const MAX_REPLY_CHARS = 4_000;
const MAX_COMPLETE_TOKENS = 2_000;
const RETRY_AFTER_MS = 250;

export class OpenAiDialogue implements DialogueModel {
  readonly name: string;
  readonly #options: OpenAiOptions;
  readonly #client: OpenAI;

  constructor(options: OpenAiOptions) {
    this.#options = options;
    this.name = `openai:${options.model}`;
    this.#client = new OpenAI({
      // Local servers need no key, but the client requires one.
      apiKey: options.apiKey ?? 'none',
      ...(options.baseUrl ? { baseURL: options.baseUrl } : {}),
      // Deadlines and the retry are handled here: the package's own are 10 min and two retries with long pauses.
      maxRetries: 0,
      timeout: options.replyTimeoutMs,
    });
  }

  /**
   * Streams one reply. It is retried once, and only if nothing was yielded yet, because what was spoken cannot be taken back.
   * @throws {LlmError}
   */
  async *reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const body: ChatCompletionCreateParamsStreaming = {
      model: this.#options.model,
      stream: true,
      max_tokens: MAX_REPLY_TOKENS,
      temperature: 0.4,
      messages: [{ role: 'system', content: systemPrompt(request) }, ...chatMessages(request.messages)],
      ...(request.tools.length > 0 ? { tools: request.tools.map(toolParam) } : {}),
    };
    for (let attempt = 1; ; attempt++) {
      let handedOn = false;
      try {
        for await (const chunk of this.#attempt(body, signal)) {
          handedOn = true;
          yield chunk;
        }
        return;
      } catch (error) {
        const failure = llmError(error, signal);
        if (handedOn || attempt > 1 || failure.code === 'LLM_REFUSED' || signal.aborted) throw failure;
        await pause(RETRY_AFTER_MS, signal);
      }
    }
  }

  /** @throws {LlmError} */
  complete = async (prompt: { system: string; user: string; json: boolean }, signal: AbortSignal): Promise<string> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.#client.chat.completions.create(
          {
            model: this.#options.model,
            max_tokens: MAX_COMPLETE_TOKENS,
            temperature: 0.2,
            messages: [
              { role: 'system', content: prompt.system },
              { role: 'user', content: prompt.user },
            ],
            ...(prompt.json ? { response_format: { type: 'json_object' as const } } : {}),
          },
          { signal, timeout: this.#options.replyTimeoutMs },
        );
        const text = answer.choices?.[0]?.message?.content?.trim();
        if (!text) throw new LlmError('LLM_GARBAGE', 'the model answered without text');
        return text;
      } catch (error) {
        const failure = llmError(error, signal);
        if (attempt > 1 || failure.code === 'LLM_REFUSED' || signal.aborted) throw failure;
        await pause(RETRY_AFTER_MS, signal);
      }
    }
  };

  async *#attempt(body: ChatCompletionCreateParamsStreaming, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const deadline = new Deadline(signal);
    try {
      deadline.arm(this.#options.firstChunkTimeoutMs, 'no answer');
      deadline.armTotal(this.#options.replyTimeoutMs);
      const stream = await this.#client.chat.completions.create(body, { signal: deadline.signal });
      yield* this.#read(stream, deadline);
    } catch (error) {
      throw deadline.reason ?? error;
    } finally {
      deadline.clear();
    }
  }

  async *#read(stream: AsyncIterable<ChatCompletionChunk>, deadline: Deadline): AsyncIterable<DialogueChunk> {
    const tools = new ToolCallAssembler();
    let chars = 0;
    let isFinished = false;
    for await (const chunk of stream) {
      deadline.arm(this.#options.chunkTimeoutMs, 'the stream stood still');
      const usage = chunk?.usage;
      if (usage && Number.isFinite(usage.prompt_tokens))
        yield { type: 'usage', inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens ?? 0 };
      const choice = chunk?.choices?.[0];
      if (!choice) continue;
      const { content, tool_calls: toolCalls } = choice.delta ?? {};
      if (typeof content === 'string' && content !== '' && chars < MAX_REPLY_CHARS) {
        chars += content.length;
        yield { type: 'text', text: content };
      }
      if (Array.isArray(toolCalls)) for (const part of toolCalls) tools.add(part);
      if (choice.finish_reason) isFinished = true;
      if (chars >= MAX_REPLY_CHARS) break;
    }
    const calls = tools.finish();
    if (!isFinished && chars === 0 && calls.length === 0)
      throw new LlmError('LLM_GARBAGE', 'the stream ended without text, tool call or end mark');
    if (!isFinished && chars > 0 && chars < MAX_REPLY_CHARS && calls.length === 0)
      throw new LlmError('LLM_UNAVAILABLE', 'the stream broke off in the middle of the reply');
    if (isFinished && chars === 0 && calls.length === 0)
      throw new LlmError('LLM_GARBAGE', tools.sawBroken ? 'the tool call was no valid JSON' : 'the reply was empty');
    for (const call of calls) yield { type: 'tool-call', ...call };
  }
}

/** Default export: the factory, from OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL. */
export default async function createOpenAi(environment: Record<string, string | undefined>): Promise<DialogueModel> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model } = environment;
  return new OpenAiDialogue({
    apiKey: apiKey || null,
    baseUrl: baseUrl || null,
    model: model || DEFAULT_MODEL,
    ...DEFAULT_TIMEOUTS,
  });
}

/**
 * The conversation as chat-completion messages. Consecutive tool calls become one assistant message. Because the agent greets
 * first, a user message is put before it for chat templates that require one (Gemma, Mistral).
 */
export function chatMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
  const chat: ChatCompletionMessageParam[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'caller':
        chat.push({ role: 'user', content: message.understood ? message.text : `${message.text || '…'} [unclear]` });
        break;
      case 'agent':
        if (message.text)
          chat.push({
            role: 'assistant',
            content: message.interrupted ? `${message.text} … [interrupted by the caller]` : message.text,
          });
        break;
      case 'note':
        chat.push({ role: 'user', content: `[${message.text}]` });
        break;
      case 'tool-call': {
        const call = {
          id: message.id,
          type: 'function' as const,
          function: { name: message.name, arguments: JSON.stringify(message.arguments) },
        };
        const last = chat.at(-1);
        if (last?.role === 'assistant' && last.tool_calls) last.tool_calls.push(call);
        else chat.push({ role: 'assistant', content: null, tool_calls: [call] });
        break;
      }
      case 'tool-result':
        chat.push({ role: 'tool', tool_call_id: message.id, content: JSON.stringify(message.result ?? null) });
        break;
      default:
        unreachable(message);
    }
  }
  if (chat[0]?.role === 'assistant') chat.unshift({ role: 'user', content: '[The call begins.]' });
  return chat;
}

function toolParam(tool: { name: string; description: string; parameters: Record<string, unknown> }) {
  return { type: 'function' as const, function: tool };
}

/** Combines the caller's abort signal and two timers into one signal, and remembers which timer fired. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #onOuter = () => this.#controller.abort();
  #timer: NodeJS.Timeout | null = null;
  #total: NodeJS.Timeout | null = null;
  reason: LlmError | null = null;

  constructor(outer: AbortSignal) {
    this.#outer = outer;
    if (outer.aborted) this.#controller.abort();
    else outer.addEventListener('abort', this.#onOuter, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the timer for the next chunk. */
  arm(ms: number, what: string): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#expire(`${what} for ${ms} ms`), ms);
  }

  armTotal(ms: number): void {
    this.#total = setTimeout(() => this.#expire(`the reply took over ${ms} ms`), ms);
  }

  clear(): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#total) clearTimeout(this.#total);
    this.#outer.removeEventListener('abort', this.#onOuter);
  }

  #expire(message: string): void {
    this.reason ??= new LlmError('LLM_TIMEOUT', message);
    this.#controller.abort();
  }
}

function llmError(error: unknown, signal: AbortSignal): LlmError {
  if (error instanceof LlmError) return error;
  if (signal.aborted) return new LlmError('LLM_UNAVAILABLE', 'the reply was cancelled', { cause: error });
  if (error instanceof OpenAI.APIConnectionTimeoutError)
    return new LlmError('LLM_TIMEOUT', 'the model server did not answer in time', { cause: error });
  if (error instanceof OpenAI.APIError && error.status !== undefined) {
    const { status } = error;
    // 4xx is a fault of our request or key, which a retry cannot mend, except for 408, 409 and 429.
    const refused = status >= 400 && status < 500 && ![408, 409, 429].includes(status);
    return new LlmError(refused ? 'LLM_REFUSED' : 'LLM_UNAVAILABLE', `the model server answered ${status}`, {
      cause: error,
    });
  }
  if (error instanceof SyntaxError)
    return new LlmError('LLM_GARBAGE', 'the stream was no valid JSON', { cause: error });
  return new LlmError('LLM_UNAVAILABLE', 'the model server cannot be reached', { cause: error });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

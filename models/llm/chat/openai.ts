// The dialogue model on any OpenAI-compatible server (OpenAI's, vLLM, Ollama, llama.cpp), by streamed chat completions
// with tools. It learns unaccepted parameters from the first refusal (accepted-parameters.ts). A second server can be
// its fallback (model-with-fallback.ts).

import {
  type DialogueChunk,
  type DialogueModel,
  type DialogueRequest,
  FIRST_WORD_MS,
  LlmError,
  type ModelNotice,
} from '../llm.ts';
import { DialogueWithFallback } from '../model-with-fallback.ts';
import { systemTimers, type Timers } from '../timers.ts';
import { type Accepted, acceptedBy, learn } from './accepted-parameters.ts';
import { requestMessages } from './chat-messages.ts';
import {
  ChatServer,
  type ChatServerOptions,
  isBrokenConnection,
  parsed,
  readText,
  ServerError,
} from './chat-server.ts';
import { readReply } from './chat-stream.ts';
import { Deadline, pause } from './deadline.ts';
import { checkServer, type ServerVariables } from './server-check.ts';

export interface OpenAiOptions extends ChatServerOptions {
  model: string;
  /** Between two chunks, from the first word on. */
  chunkTimeoutMs: number;
  /** A whole reply of one request. */
  replyTimeoutMs: number;
  /** The environment variables that name it in warnings. */
  variables?: ServerVariables;
  /** For the deadlines of a request, and the pauses between two. */
  timers?: Timers | undefined;
}

/** A small model of OpenAI's; for other servers OPENAI_MODEL names theirs. */
const DEFAULT_MODEL = 'gpt-4.1-mini';
/** How long a caller waits for the first word is not decided here. A whole reply takes that time and 30 s at most. */
const DEFAULT_TIMEOUTS = { chunkTimeoutMs: 5_000, replyTimeoutMs: 60_000 };
/** Enough for a spoken answer. */
const MAX_REPLY_TOKENS = 400;
/** Models with the newer name of the limit may think first, and thoughts count. The text is limited separately. */
const MAX_REPLY_AND_THOUGHT_TOKENS = 2_000;
const MAX_COMPLETE_TOKENS = 2_000;
const MAX_COMPLETE_CHARS = 200_000;
/** For replies: varied, but to the point. */
const TEMPERATURE = 0.4;
/** Before the first retry, the second and so on; the last repeats. */
const RETRY_AFTER_MS = [250, 500, 1_000] as const;
/** Nobody waits for a text task on the line, but for its call's page. */
const TASK_RETRIES_MS = 15_000;
/** Parameters that one request may have to do without. */
const MAX_LESSONS = 6;
const WARM_TIMEOUT_MS = 3_000;
/** Connections opened ahead at the same time. */
const MAX_WARMING = 8;

const FIRST_VARIABLES = { baseUrl: 'OPENAI_BASE_URL', apiKey: 'OPENAI_API_KEY', model: 'OPENAI_MODEL' };
const SECOND_VARIABLES = {
  baseUrl: 'LLM_FALLBACK_BASE_URL',
  apiKey: 'LLM_FALLBACK_API_KEY',
  model: 'LLM_FALLBACK_MODEL',
};

export class OpenAiDialogue implements DialogueModel {
  readonly name: string;
  readonly #options: OpenAiOptions;
  readonly #server: ChatServer;
  #warming = 0;
  #notify: (notice: ModelNotice) => void = () => {};

  constructor(options: OpenAiOptions) {
    this.#options = options;
    this.name = `openai:${options.model}`;
    this.#server = new ChatServer(options);
  }

  onNotice(listener: (notice: ModelNotice) => void): void {
    this.#notify = listener;
  }

  /**
   * Streams one reply. It is asked for again while the caller waits, and only if nothing was said yet, because what was
   * spoken cannot be taken back.
   * @throws {LlmError}
   */
  async *reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const model = request.model ?? this.#options.model;
    const attempts = this.#attempts(signal, model, request.firstWordWithinMs ?? FIRST_WORD_MS);
    for (;;) {
      const accepted = this.#accepted(model);
      let handedOn = false;
      yield { type: 'request', byFallback: false };
      try {
        for await (const chunk of this.#ask(request, accepted, signal)) {
          handedOn ||= chunk.type === 'text' || chunk.type === 'tool-call';
          yield chunk;
        }
        return;
      } catch (error) {
        if (handedOn) throw llmError(error, signal);
        await attempts.failed(llmError(error, signal), accepted);
      }
    }
  }

  /** @throws {LlmError} */
  complete = async (prompt: { system: string; user: string; json: boolean }, signal: AbortSignal): Promise<string> => {
    const { model } = this.#options;
    const attempts = this.#attempts(signal, model, TASK_RETRIES_MS);
    for (;;) {
      const accepted = this.#accepted(model);
      const deadline = new Deadline(signal, this.#options.timers);
      try {
        deadline.armTotal(this.#options.replyTimeoutMs);
        return await this.#completed(prompt, accepted, deadline.signal);
      } catch (error) {
        await attempts.failed(deadline.reason ?? llmError(error, signal), accepted);
      } finally {
        deadline.clear();
      }
    }
  };

  /** Opens a connection by requesting the list of models, unless one is idle. */
  warm(): void {
    if (this.#warming >= MAX_WARMING || this.#server.idleConnections > this.#warming) return;
    this.#warming++;
    const deadline = new Deadline(new AbortController().signal, this.#options.timers);
    deadline.armTotal(WARM_TIMEOUT_MS);
    this.#server
      .models(deadline.signal)
      .catch(() => undefined)
      .finally(() => {
        deadline.clear();
        this.#warming--;
      });
  }

  check(): Promise<ModelNotice[]> {
    return checkServer(this.#server, this.#options.model, this.#options.variables ?? FIRST_VARIABLES);
  }

  async *#ask(request: DialogueRequest, accepted: Accepted, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const { chunkTimeoutMs, replyTimeoutMs, timers } = this.#options;
    const deadline = new Deadline(signal, timers);
    const tools = accepted.tools ? request.tools : [];
    try {
      deadline.armTotal(replyTimeoutMs);
      // Tools and the system prompt are the same for every call of a business: providers cache such a prefix.
      const body = {
        model: request.model ?? this.#options.model,
        ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) } : {}),
        messages: requestMessages(request, accepted),
        stream: true,
        ...(accepted.streamUsage ? { stream_options: { include_usage: true } } : {}),
        ...tokenLimit(accepted, MAX_REPLY_TOKENS),
        ...(accepted.temperature ? { temperature: request.temperature ?? TEMPERATURE } : {}),
      };
      const response = await this.#server.complete(body, deadline.signal);
      yield* readReply(this.#server, response, deadline, chunkTimeoutMs);
    } catch (error) {
      throw deadline.reason ?? error;
    } finally {
      deadline.clear();
    }
  }

  async #completed(
    prompt: { system: string; user: string; json: boolean },
    accepted: Accepted,
    signal: AbortSignal,
  ): Promise<string> {
    const { system, user, json } = prompt;
    const body = {
      model: this.#options.model,
      messages: accepted.systemRole
        ? [
            { role: 'system', content: system },
            { role: 'user', content: user },
          ]
        : [{ role: 'user', content: `${system}\n\n${user}` }],
      ...tokenLimit(accepted, MAX_COMPLETE_TOKENS),
      ...(accepted.temperature ? { temperature: 0.2 } : {}),
      ...(json && accepted.jsonFormat ? { response_format: { type: 'json_object' } } : {}),
    };
    const response = await this.#server.complete(body, signal);
    const answer = parsed(await readText(response.body, MAX_COMPLETE_CHARS)) as {
      choices?: Array<{ message?: { content?: unknown } }>;
    } | null;
    const text = answer?.choices?.[0]?.message?.content;
    if (typeof text !== 'string' || text.trim() === '')
      throw new LlmError('LLM_GARBAGE', 'the model answered without text');
    return text.trim();
  }

  #accepted(model: string): Accepted {
    return acceptedBy(this.#server.place, model, this.#server.isVendor);
  }

  /** Decides after each failure of one request whether it is sent again, and waits until then. */
  #attempts(
    signal: AbortSignal,
    model: string,
    withinMs: number,
  ): { failed(failure: LlmError, sent: Accepted): Promise<void> } {
    const { timers = systemTimers } = this.#options;
    const untilMs = timers.nowMs() + withinMs;
    let lessons = 0;
    let retries = 0;
    return {
      failed: async (failure, sent) => {
        if (signal.aborted) throw failure;
        // Dropping a refused parameter costs the caller only a round trip.
        if (lessons++ < MAX_LESSONS && this.#adapts(failure, sent, model)) return;
        const delayMs = retryDelay(failure, retries++);
        if (delayMs === null || timers.nowMs() + delayMs >= untilMs) throw failure;
        await pause(delayMs, signal, timers);
        if (signal.aborted) throw failure;
      },
    };
  }

  #adapts(failure: LlmError, sent: Accepted, model: string): boolean {
    if (!(failure instanceof ServerError)) return false;
    const parameter = learn(this.#server.place, model, sent, failure.refusal);
    if (parameter === null) return false;
    const details = { ...failure.details, model, parameter };
    this.#notify({ level: 'info', text: 'the model server refuses a parameter: left out from now on', details });
    return true;
  }
}

/** Milliseconds until the next retry, after `retries` of them; null for none. */
function retryDelay(failure: LlmError, retries: number): number | null {
  // A wrong key or model is wrong a second later, too.
  if (failure.code === 'LLM_REFUSED') return null;
  if (failure.code === 'LLM_GARBAGE' && retries > 0) return null;
  // The server closed a connection that had been idle: a new one will do.
  if (isBrokenConnection(failure) && retries === 0) return 0;
  const delayMs = RETRY_AFTER_MS[Math.min(retries, RETRY_AFTER_MS.length - 1)] ?? 0;
  const askedMs = failure instanceof ServerError ? failure.retryAfterMs : null;
  // A server that asks for 0 s again and again gets our own pace.
  return askedMs === null ? delayMs : Math.max(askedMs, retries === 0 ? 0 : delayMs);
}

/**
 * Default export: the factory, from OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL and, for a second model,
 * LLM_FALLBACK_*.
 */
export default async function createOpenAi(
  environment: Record<string, string | undefined>,
  timers?: Timers,
): Promise<DialogueModel> {
  const read = ({ apiKey, baseUrl, model }: ServerVariables) => ({
    apiKey: environment[apiKey]?.trim() || null,
    baseUrl: environment[baseUrl]?.trim() || null,
    model: environment[model]?.trim() || null,
  });
  const first = read(FIRST_VARIABLES);
  const second = read(SECOND_VARIABLES);
  const hasFallback = second.baseUrl !== null || second.apiKey !== null || second.model !== null;
  const model = first.model ?? DEFAULT_MODEL;
  const dialogue = new OpenAiDialogue({ ...first, model, ...DEFAULT_TIMEOUTS, variables: FIRST_VARIABLES, timers });
  if (!hasFallback) return dialogue;
  const fallback = new OpenAiDialogue({
    ...second,
    // A second model of the same server needs only its name.
    ...(second.baseUrl === null && second.apiKey === null ? { baseUrl: first.baseUrl, apiKey: first.apiKey } : {}),
    model: second.model ?? DEFAULT_MODEL,
    ...DEFAULT_TIMEOUTS,
    variables: SECOND_VARIABLES,
    timers,
  });
  return new DialogueWithFallback(dialogue, fallback, timers);
}

function tokenLimit({ tokenLimits }: Accepted, tokens: number): Record<string, number> {
  const [name] = tokenLimits;
  if (name === undefined) return {};
  return { [name]: name === 'max_tokens' ? tokens : Math.max(tokens, MAX_REPLY_AND_THOUGHT_TOKENS) };
}

function llmError(error: unknown, signal: AbortSignal): LlmError {
  if (signal.aborted) return new LlmError('LLM_UNAVAILABLE', 'the reply was cancelled', { cause: error });
  if (error instanceof LlmError) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  const details = typeof code === 'string' ? { vendorCode: code } : {};
  return new LlmError('LLM_UNAVAILABLE', 'the connection to the model server broke', { cause: error, details });
}

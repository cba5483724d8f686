// The dialogue model on any OpenAI-compatible server (OpenAI's, vLLM, Ollama, llama.cpp), by streamed chat completions
// with tools. It learns unaccepted parameters from the first refusal (accepted-parameters.ts). A second server can be
// its fallback (model-with-fallback.ts).

import { estimatedTokens } from '../../../db/domain/cost/uses.ts';
import {
  type DialogueChunk,
  type DialogueModel,
  type DialogueRequest,
  FIRST_WORD_MS,
  type LearnedRefusals,
  LlmError,
  type ModelNotice,
  type TextTask,
} from '../llm.ts';
import { DialogueWithFallback } from '../model-with-fallback.ts';
import { systemTimers, type Timers } from '../timers.ts';
import {
  type Accepted,
  acceptedBy,
  beginsTrial,
  endTrial,
  forgetServer,
  learnedFrom,
  refusedAt,
  tokenLimit,
} from './accepted-parameters.ts';
import { requestMessages } from './chat-messages.ts';
import {
  ChatServer,
  type ChatServerOptions,
  isBrokenConnection,
  parsed,
  readText,
  ServerError,
} from './chat-server.ts';
import { contentText, readReply, usageOf, wordsWithoutThoughts } from './chat-stream.ts';
import { Deadline, pause } from './deadline.ts';
import { forgetNativeCalls } from './echoes.ts';
import { ReadAhead } from './read-ahead.ts';
import { checkServer, type ServerVariables } from './server-check.ts';
import { type TrialForm, tryServer } from './server-trial.ts';

interface OpenAiOptions extends ChatServerOptions {
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
/** A long prompt on a slow machine. The first reply ends it anyway. */
const READ_AHEAD_MS = 30_000;
/** A local server may have to load its model first. */
const TRIAL_TIMEOUT_MS = 60_000;
/** Connections opened ahead at the same time. */
const MAX_WARMING = 8;

const FIRST_VARIABLES = { baseUrl: 'OPENAI_BASE_URL', apiKey: 'OPENAI_API_KEY', model: 'OPENAI_MODEL' };
const SECOND_VARIABLES = {
  baseUrl: 'LLM_FALLBACK_BASE_URL',
  apiKey: 'LLM_FALLBACK_API_KEY',
  model: 'LLM_FALLBACK_MODEL',
};

interface ReplyBody {
  model: string;
  tools?: object[];
  messages: ReturnType<typeof requestMessages>;
  [parameter: string]: unknown;
}

export class OpenAiDialogue implements DialogueModel {
  readonly name: string;
  readonly #options: OpenAiOptions;
  readonly #server: ChatServer;
  readonly #readAhead = new ReadAhead();
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

  learned(): LearnedRefusals[] {
    const { place, isVendor } = this.#server;
    const nowMs = (this.#options.timers ?? systemTimers).nowMs();
    return refusedAt(place, isVendor).map(({ model, parameters, triedAtMs }) => ({
      server: place,
      model,
      refused: parameters,
      ageMs: nowMs - triedAtMs,
    }));
  }

  /** Lessons about its server are learned anew. */
  forget(): void {
    forgetServer(this.#server.place);
    forgetNativeCalls(this.#server.place);
  }

  /**
   * Streams one reply. It is asked for again while the caller waits, and only if nothing was said yet, because what was
   * spoken cannot be taken back.
   * @throws {LlmError}
   */
  async *reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    this.#readAhead.replyBegins();
    try {
      yield* this.#reply(request, signal);
    } finally {
      this.#readAhead.replyEnded();
    }
  }

  async *#reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const model = request.model ?? this.#options.model;
    const attempts = this.#attempts(signal, model, request.firstWordWithinMs ?? FIRST_WORD_MS);
    let accepted = this.#accepted(model);
    for (;;) {
      let handedOn = false;
      const messages = requestMessages(request, accepted, this.#server.place);
      const promptEstimate = estimatedTokens(JSON.stringify(messages).length);
      let told = false;
      let characters = 0;
      yield { type: 'request', byFallback: false, model, promptEstimate };
      try {
        for await (const chunk of this.#ask(request, messages, accepted, signal)) {
          handedOn ||= chunk.type === 'text' || chunk.type === 'tool-call';
          told ||= chunk.type === 'usage';
          if (chunk.type === 'text') characters += chunk.text.length;
          yield chunk.type === 'usage' ? { ...chunk, model, promptEstimate } : chunk;
        }
        const reckoned = { inputTokens: promptEstimate, outputTokens: estimatedTokens(characters), promptEstimate };
        if (!told) yield { type: 'usage', ...reckoned, model, isEstimated: true };
        attempts.ended('reply');
        return;
      } catch (error) {
        if (handedOn) throw llmError(error, signal);
        accepted = await attempts.failed(llmError(error, signal), accepted);
      }
    }
  }

  /** @throws {LlmError} */
  complete = async (prompt: TextTask, signal: AbortSignal): Promise<string> => {
    const { model = this.#options.model } = prompt;
    const attempts = this.#attempts(signal, model, TASK_RETRIES_MS);
    let accepted = this.#accepted(model);
    for (;;) {
      const deadline = new Deadline(signal, this.#options.timers);
      try {
        deadline.armTotal(this.#options.replyTimeoutMs);
        const text = await this.#completed(prompt, accepted, deadline.signal);
        attempts.ended('task');
        return text;
      } catch (error) {
        accepted = await attempts.failed(deadline.reason ?? llmError(error, signal), accepted);
      } finally {
        deadline.clear();
      }
    }
  };

  /**
   * Opens a connection by requesting the list of models, unless one is idle. A server near by, which asks no fee, reads
   * the call's instructions as well.
   */
  warm(briefing?: () => DialogueRequest): void {
    this.#connect();
    if (briefing !== undefined && this.#server.isNear) this.#instruct(briefing());
  }

  #connect(): void {
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

  #instruct(briefing: DialogueRequest): void {
    const accepted = this.#accepted(briefing.model ?? this.#options.model);
    const body = this.#bodyOf(briefing, requestMessages(briefing, accepted, this.#server.place), accepted);
    this.#readAhead.begin(instructionsOf(body), async (signal) => {
      const deadline = new Deadline(signal, this.#options.timers);
      deadline.armTotal(READ_AHEAD_MS);
      try {
        const response = await this.#server.complete({ ...body, ...tokenLimit(accepted, 1) }, deadline.signal);
        await readText(response.body, MAX_COMPLETE_CHARS);
      } finally {
        deadline.clear();
      }
    });
  }

  check(): Promise<ModelNotice[]> {
    return checkServer(this.#server, this.#options.model, this.#options.variables ?? FIRST_VARIABLES);
  }

  async *#ask(
    request: DialogueRequest,
    messages: ReturnType<typeof requestMessages>,
    accepted: Accepted,
    signal: AbortSignal,
  ): AsyncIterable<DialogueChunk> {
    const { chunkTimeoutMs, replyTimeoutMs, timers } = this.#options;
    const deadline = new Deadline(signal, timers);
    try {
      deadline.armTotal(replyTimeoutMs);
      const body = this.#bodyOf(request, messages, accepted);
      const response = await this.#server.complete(body, deadline.signal);
      this.#readAhead.wasRead(instructionsOf(body));
      yield* readReply(this.#server, response, deadline, { chunkTimeoutMs, model: body.model, request });
    } catch (error) {
      throw deadline.reason ?? error;
    } finally {
      deadline.clear();
    }
  }

  /** Tools and the system prompt are the same for every call of a business: providers cache such a prefix. */
  #bodyOf(request: DialogueRequest, messages: ReturnType<typeof requestMessages>, accepted: Accepted): ReplyBody {
    const tools = accepted.tools ? request.tools : [];
    return {
      model: request.model ?? this.#options.model,
      ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) } : {}),
      messages,
      stream: true,
      ...(accepted.streamUsage ? { stream_options: { include_usage: true } } : {}),
      ...tokenLimit(accepted, MAX_REPLY_TOKENS),
      ...(accepted.temperature ? { temperature: request.temperature ?? TEMPERATURE } : {}),
    };
  }

  async #completed(prompt: TextTask, accepted: Accepted, signal: AbortSignal): Promise<string> {
    const { system, user, json, model = this.#options.model, onUsed } = prompt;
    const body = {
      model,
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
    this.#readAhead.wasRead(null);
    const response = await this.#server.complete(body, signal);
    const answer = parsed(await readText(response.body, MAX_COMPLETE_CHARS)) as {
      choices?: Array<{ message?: { content?: unknown } }>;
      usage?: Parameters<typeof usageOf>[0];
    } | null;
    const content = contentText(answer?.choices?.[0]?.message?.content);
    const told = usageOf(answer?.usage);
    onUsed?.({
      model,
      inputTokens: told?.inputTokens ?? estimatedTokens(system.length + user.length),
      cachedTokens: told?.cachedTokens ?? 0,
      outputTokens: told?.outputTokens ?? estimatedTokens(content.length),
      isEstimated: told === null,
    });
    const text = wordsWithoutThoughts(content);
    if (text.trim() === '') throw new LlmError('LLM_GARBAGE', 'the model answered without text');
    return text.trim();
  }

  #accepted(model: string): Accepted {
    return acceptedBy(this.#server.place, model, this.#server.isVendor);
  }

  /**
   * Decides after each failure of one request whether it is sent again, waits until then, and says with what. Once it
   * has ended well, the server is tried where that request alone was refused, or where it has long not been tried.
   */
  #attempts(
    signal: AbortSignal,
    model: string,
    withinMs: number,
  ): { failed(failure: LlmError, sent: Accepted): Promise<Accepted>; ended(form: TrialForm): void } {
    const { timers = systemTimers } = this.#options;
    const untilMs = timers.nowMs() + withinMs;
    let lessons = 0;
    let retries = 0;
    return {
      failed: async (failure, sent) => {
        if (signal.aborted) throw failure;
        const learned =
          lessons < MAX_LESSONS && failure instanceof ServerError ? learnedFrom(sent, failure.refusal) : null;
        if (learned !== null) {
          // Leaving a refused parameter out costs the caller only a round trip.
          lessons++;
          return learned.accepted;
        }
        const delayMs = retryDelay(failure, retries++);
        if (delayMs === null || timers.nowMs() + delayMs >= untilMs) throw failure;
        await pause(delayMs, signal, timers);
        if (signal.aborted) throw failure;
        return sent;
      },
      ended: (form) => {
        if (beginsTrial(this.#server.place, model, timers.nowMs(), lessons > 0)) void this.#try(model, form);
      },
    };
  }

  /** Never fails. */
  async #try(model: string, form: TrialForm): Promise<void> {
    const { place, isVendor } = this.#server;
    const before = this.#accepted(model);
    const deadline = new Deadline(new AbortController().signal, this.#options.timers);
    try {
      deadline.armTotal(TRIAL_TIMEOUT_MS);
      const { accepted, refused } = await tryServer(this.#server, model, form, deadline);
      endTrial(place, model, accepted, isVendor);
      const isNew = JSON.stringify(this.#accepted(model)) !== JSON.stringify(before);
      for (const { parameter, details } of isNew ? refused : []) {
        const text = 'the model server refuses a parameter: left out from now on';
        this.#notify({ level: 'info', text, details: { ...details, model, parameter } });
      }
    } catch {
      endTrial(place, model, null, isVendor);
    } finally {
      deadline.clear();
    }
  }
}

/** The part of a request that all calls of an agent share. */
const instructionsOf = ({ model, tools, messages: [first] }: ReplyBody): string =>
  JSON.stringify([model, tools, first?.content]);

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
  dialogue.forget();
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
  fallback.forget();
  return new DialogueWithFallback(dialogue, fallback, timers);
}

function llmError(error: unknown, signal: AbortSignal): LlmError {
  if (signal.aborted) return new LlmError('LLM_UNAVAILABLE', 'the reply was cancelled', { cause: error });
  if (error instanceof LlmError) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  const details = typeof code === 'string' ? { vendorCode: code } : {};
  return new LlmError('LLM_UNAVAILABLE', 'the connection to the model server broke', { cause: error, details });
}

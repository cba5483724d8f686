// Two dialogue models as one: the second takes over a turn when the first fails before its first word, or is silent for
// too long. A breaker puts the second first for a while once the first has shown that it is down.
import { Breaker } from './breaker.ts';
import {
  type DialogueChunk,
  type DialogueModel,
  type DialogueRequest,
  FIRST_WORD_MS,
  type LearnedRefusals,
  LlmError,
  type ModelNotice,
} from './llm.ts';
import { failureDetails } from './loggable-words.ts';
import { systemTimers, type Timers } from './timers.ts';

/** The first model's time for its first word. The caller, who hears "Let me see" by then, gets the second's answer. */
const TAKE_OVER_MS = 2_000;
const NOTICE_EVERY_MS = 60_000;
/** Agents with a model of their own have a breaker of their own; the oldest goes. */
const BREAKERS_MAX = 500;
/** Answers about one request, which may have a tenant's tools, words or length: the next one may do well. */
const ABOUT_THE_REQUEST = new Set([400, 413, 422]);

interface Asked {
  model: DialogueModel;
  request: DialogueRequest;
  /** Time for the first word, after which the other model takes over; null: as long as the caller waits. */
  takeOverMs: number | null;
}

/** It was silent for too long, and may still be alive. */
class TakenOver extends LlmError {}

export class DialogueWithFallback implements DialogueModel {
  readonly name: string;
  readonly complete: DialogueModel['complete'];
  readonly #first: DialogueModel;
  readonly #second: DialogueModel;
  /** By the agent's own model; empty: the configured one. No agent's setting takes the first model from others. */
  readonly #breakers = new Map<string, Breaker>();
  readonly #timers: Timers;
  #notify: (notice: ModelNotice) => void = () => {};
  #noticedAtMs = Number.NEGATIVE_INFINITY;
  /** Turns taken over since the last notice. */
  #takenOver = 0;

  constructor(first: DialogueModel, second: DialogueModel, timers: Timers = systemTimers) {
    this.name = first.name;
    this.#first = first;
    this.#second = second;
    this.#timers = timers;
    const { complete } = first;
    this.complete =
      complete === null
        ? second.complete
        : (prompt, signal) =>
            complete(prompt, signal).catch((error: unknown) => {
              // The second server does not know the model that was asked for.
              if (signal.aborted || second.complete === null || prompt.model !== undefined) throw error;
              return second.complete(prompt, signal);
            });
  }

  onNotice(listener: (notice: ModelNotice) => void): void {
    this.#notify = listener;
    this.#first.onNotice?.(listener);
    this.#second.onNotice?.(listener);
  }

  learned(): LearnedRefusals[] {
    const all = [...(this.#first.learned?.() ?? []), ...(this.#second.learned?.() ?? [])];
    // Two models of one server know the same of it.
    return [...new Map(all.map((each) => [`${each.server} ${each.model}`, each])).values()];
  }

  forget(): void {
    this.#first.forget?.();
    this.#second.forget?.();
  }

  warm(briefing?: () => DialogueRequest): void {
    this.#first.warm?.(briefing);
    if (!this.#breakerOf(null).isOpen) return;
    // The second server does not know the agent's own model.
    this.#second.warm?.(briefing && (() => ({ ...briefing(), model: null })));
  }

  async check(): Promise<ModelNotice[]> {
    const findings = await Promise.all([this.#first.check?.(), this.#second.check?.()]);
    return findings.flatMap((notices) => notices ?? []);
  }

  /** @throws {LlmError} */
  async *reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const untilMs = this.#timers.nowMs() + (request.firstWordWithinMs ?? FIRST_WORD_MS);
    const triesFirst = this.#breakerOf(request.model).mayTry();
    const [model, other] = triesFirst ? [this.#first, this.#second] : [this.#second, this.#first];
    const asked: Asked[] = [
      { model, request, takeOverMs: triesFirst ? TAKE_OVER_MS : null },
      { model: other, request, takeOverMs: null },
    ];
    for (let next = asked.shift(); next; next = asked.shift()) {
      let hasSpoken = false;
      try {
        const firstWordWithinMs = Math.max(0, untilMs - this.#timers.nowMs());
        for await (const chunk of this.#ask({ ...next, request: { ...request, firstWordWithinMs } }, signal)) {
          hasSpoken ||= isWord(chunk);
          yield chunk;
        }
        return;
      } catch (error) {
        const isOver = this.#timers.nowMs() >= untilMs;
        if (hasSpoken || signal.aborted || asked.length === 0 || isOver) throw error;
        if (next.model === this.#first) this.#tell(error, request);
        // A first model that was only slow is worth the rest of the time, if the second one cannot do it at all.
        if (error instanceof TakenOver) asked.push({ model, request, takeOverMs: null });
      }
    }
  }

  async *#ask({ model, request, takeOverMs }: Asked, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const byFallback = model === this.#second;
    const patience = new AbortController();
    const cancel =
      takeOverMs === null ? () => {} : this.#timers.after(takeOverMs, () => patience.abort('silent for too long'));
    const onOuter = (): void => patience.abort();
    signal.addEventListener('abort', onOuter, { once: true });
    if (signal.aborted) patience.abort();
    try {
      // The agent's own model is one of the first server's.
      const within = { ...request, firstWordWithinMs: takeOverMs ?? request.firstWordWithinMs ?? FIRST_WORD_MS };
      const asked = byFallback ? { ...within, model: null } : within;
      for await (const chunk of model.reply(asked, patience.signal)) {
        if (isWord(chunk) || chunk.type === 'began') cancel();
        yield chunk.type === 'request' ? { ...chunk, byFallback } : chunk;
      }
      if (!byFallback) this.#breakerOf(request.model).succeeded();
    } catch (error) {
      const isLate = patience.signal.aborted && !signal.aborted;
      const failure = isLate ? new TakenOver('LLM_TIMEOUT', `no word within ${takeOverMs} ms`) : error;
      // A reply that nobody wants any more says nothing about its model.
      if (!byFallback && !signal.aborted) this.#count(failure, request.model);
      throw failure;
    } finally {
      cancel();
      signal.removeEventListener('abort', onOuter);
    }
  }

  #count(failure: unknown, model: string | null | undefined): void {
    const isRefusal = failure instanceof LlmError && failure.code === 'LLM_REFUSED';
    if (isRefusal && ABOUT_THE_REQUEST.has(Number(failure.details.status))) return;
    this.#breakerOf(model).failed(isRefusal);
  }

  #breakerOf(model: string | null | undefined): Breaker {
    const key = model ?? '';
    const known = this.#breakers.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#breakers.keys();
    if (this.#breakers.size >= BREAKERS_MAX && oldest !== undefined) this.#breakers.delete(oldest);
    const breaker = new Breaker(() => this.#timers.nowMs());
    this.#breakers.set(key, breaker);
    return breaker;
  }

  /** At most once a minute, so that a long outage does not fill the log. */
  #tell(error: unknown, request: DialogueRequest): void {
    this.#takenOver++;
    const nowMs = this.#timers.nowMs();
    if (nowMs - this.#noticedAtMs < NOTICE_EVERY_MS) return;
    const reason = failureDetails(error, request);
    const details = { ...reason, model: this.#first.name, fallback: this.#second.name, turns: this.#takenOver };
    this.#notify({ level: 'warn', text: 'the fallback model took over', details });
    this.#noticedAtMs = nowMs;
    this.#takenOver = 0;
  }
}

function isWord({ type }: DialogueChunk): boolean {
  return type === 'text' || type === 'tool-call';
}

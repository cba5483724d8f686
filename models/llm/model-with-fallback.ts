// Two dialogue models as one: the second takes over a turn when the first fails before its first word. After repeated
// failures a breaker skips the first for a while, so that not every turn waits for its time-out.
import { type DialogueChunk, type DialogueModel, type DialogueRequest, LlmError, type ModelNotice } from './llm.ts';
import { failureDetails } from './loggable-words.ts';

/** Failures in a row after which the first model counts as down; a refusal counts at once. */
const FAILURES_UNTIL_DOWN = 2;
/** After this time one turn tries the first model again. */
const DOWN_MS = 30_000;
const NOTICE_EVERY_MS = 60_000;

export class DialogueWithFallback implements DialogueModel {
  readonly name: string;
  readonly complete: DialogueModel['complete'];
  readonly #first: DialogueModel;
  readonly #second: DialogueModel;
  readonly #breaker: Breaker;
  readonly #now: () => number;
  #notify: (notice: ModelNotice) => void = () => {};
  #noticedAtMs = Number.NEGATIVE_INFINITY;
  /** Turns taken over since the last notice. */
  #takenOver = 0;

  /** `now`: a monotonic clock, ms. */
  constructor(first: DialogueModel, second: DialogueModel, now: () => number = () => performance.now()) {
    this.name = first.name;
    this.#first = first;
    this.#second = second;
    this.#now = now;
    this.#breaker = new Breaker(now);
    const { complete } = first;
    this.complete =
      complete === null
        ? second.complete
        : (prompt, signal) =>
            complete(prompt, signal).catch((error: unknown) => {
              if (signal.aborted || second.complete === null) throw error;
              return second.complete(prompt, signal);
            });
  }

  onNotice(listener: (notice: ModelNotice) => void): void {
    this.#notify = listener;
    this.#first.onNotice?.(listener);
    this.#second.onNotice?.(listener);
  }

  warm(): void {
    this.#first.warm?.();
    if (this.#breaker.isOpen) this.#second.warm?.();
  }

  async check(): Promise<ModelNotice[]> {
    const findings = await Promise.all([this.#first.check?.(), this.#second.check?.()]);
    return findings.flatMap((notices) => notices ?? []);
  }

  /** @throws {LlmError} */
  async *reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const [model, other] = this.#breaker.mayTry() ? [this.#first, this.#second] : [this.#second, this.#first];
    let hasSpoken = false;
    try {
      for await (const chunk of this.#ask(model, request, signal)) {
        hasSpoken ||= chunk.type === 'text' || chunk.type === 'tool-call';
        yield chunk;
      }
    } catch (error) {
      if (hasSpoken || signal.aborted) throw error;
      if (other === this.#second) this.#tell(error, request);
      yield* this.#ask(other, request, signal);
    }
  }

  async *#ask(model: DialogueModel, request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    const byFallback = model === this.#second;
    try {
      // The agent's own model exists only on the first server.
      const asked = byFallback ? { ...request, model: null } : request;
      for await (const chunk of model.reply(asked, signal)) {
        yield chunk.type === 'request' ? { ...chunk, byFallback } : chunk;
      }
      if (!byFallback) this.#breaker.succeeded();
    } catch (error) {
      // The failure of a cancelled reply says nothing about the model.
      if (!byFallback && !signal.aborted) this.#breaker.failed(error);
      throw error;
    }
  }

  /** At most once a minute, so that a long outage does not fill the log. */
  #tell(error: unknown, request: DialogueRequest): void {
    this.#takenOver++;
    const nowMs = this.#now();
    if (nowMs - this.#noticedAtMs < NOTICE_EVERY_MS) return;
    const reason = failureDetails(error, request);
    const details = { ...reason, model: this.#first.name, fallback: this.#second.name, turns: this.#takenOver };
    this.#notify({ level: 'warn', text: 'the fallback model took over', details });
    this.#noticedAtMs = nowMs;
    this.#takenOver = 0;
  }
}

class Breaker {
  readonly #now: () => number;
  #failures = 0;
  #downUntilMs: number | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#downUntilMs !== null && this.#now() < this.#downUntilMs;
  }

  /** Whether the next turn goes to the first model. After `DOWN_MS`, one turn does. */
  mayTry(): boolean {
    if (this.#downUntilMs === null) return true;
    if (this.isOpen) return false;
    this.#downUntilMs = this.#now() + DOWN_MS;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#downUntilMs = null;
  }

  failed(error: unknown): void {
    this.#failures++;
    const isRefused = error instanceof LlmError && error.code === 'LLM_REFUSED';
    if (isRefused || this.#failures >= FAILURES_UNTIL_DOWN) this.#downUntilMs = this.#now() + DOWN_MS;
  }
}

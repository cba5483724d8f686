// A request's deadlines: the caller's abort signal and two timers in one signal. It has a controller of its own,
// because an `AbortSignal.any` over a time-out may be collected before it fires.
import { LlmError } from '../llm.ts';
import type { Timers } from '../timers.ts';

export class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #onOuter = () => this.#controller.abort();
  #timer: NodeJS.Timeout | null = null;
  #total: NodeJS.Timeout | null = null;
  /** The timer that fired, as an error. */
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

/** Waits; returns early when aborted. */
export async function pause(ms: number, signal: AbortSignal, timers: Timers): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = timers.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}

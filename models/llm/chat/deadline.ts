// A request's deadlines: the caller's abort signal and two timers in one signal. It has a controller of its own,
// because an `AbortSignal.any` over a time-out may be collected before it fires.
import { LlmError } from '../llm.ts';
import { systemTimers, type Timers } from '../timers.ts';

export class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #onOuter = () => this.#controller.abort();
  readonly #timers: Timers;
  #stopChunk: () => void = () => undefined;
  #stopTotal: () => void = () => undefined;
  /** The timer that fired, as an error. */
  reason: LlmError | null = null;

  constructor(outer: AbortSignal, timers: Timers = systemTimers) {
    this.#outer = outer;
    this.#timers = timers;
    if (outer.aborted) this.#controller.abort();
    else outer.addEventListener('abort', this.#onOuter, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the timer for the next chunk. */
  arm(ms: number, what: string): void {
    this.#stopChunk();
    this.#stopChunk = this.#timers.after(ms, () => this.#expire(`${what} for ${ms} ms`));
  }

  armTotal(ms: number): void {
    this.#stopTotal = this.#timers.after(ms, () => this.#expire(`the reply took over ${ms} ms`));
  }

  clear(): void {
    this.#stopChunk();
    this.#stopTotal();
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

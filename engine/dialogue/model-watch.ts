// Watches the dialogue model of one call: whether its first word comes while the caller waits, and what that says to
// the callers of other calls.
import type { Breaker } from '../../models/llm/breaker.ts';
import type { Clock } from '../clock.ts';
import type { Reply } from './reply.ts';

/** Failures that the caller waited for. Others come at once: there is no wait to spare the next caller. */
const COST_TIME: ReadonlySet<string> = new Set(['LLM_TIMEOUT', 'LLM_UNAVAILABLE']);

interface ModelWatchOptions {
  clock: Clock;
  breaker: Pick<Breaker, 'mayTry' | 'succeeded' | 'failed'>;
  firstWordWithinMs: number;
  /** The caller has waited for the reply in vain. */
  onLate(reply: Reply): void;
}

export class ModelWatch {
  readonly #options: ModelWatchOptions;
  #cancel: () => void = () => {};

  constructor(options: ModelWatchOptions) {
    this.#options = options;
  }

  /** Whether the model is worth the wait. */
  mayAsk(): boolean {
    return this.#options.breaker.mayTry();
  }

  /** A model is asked for the reply. */
  asked(reply: Reply): void {
    reply.isAsking = true;
    if (reply.isCommitted) this.#wait(reply);
  }

  /** The caller waits from now on. A guess has no deadline: while it is one, nobody waits. */
  committed(reply: Reply): void {
    if (reply.isAsking) this.#wait(reply);
  }

  /** The first word of this round has come, or will not come any more. True if a model was being waited for. */
  over(reply: Reply): boolean {
    if (!reply.isAsking) return false;
    reply.isAsking = false;
    this.#cancel();
    return true;
  }

  worked(): void {
    this.#options.breaker.succeeded();
  }

  failed(code: string): void {
    if (COST_TIME.has(code)) this.#options.breaker.failed();
  }

  #wait(reply: Reply): void {
    const { clock, firstWordWithinMs, onLate } = this.#options;
    this.#cancel();
    this.#cancel = clock.after(firstWordWithinMs, () => {
      this.over(reply);
      onLate(reply);
    });
  }
}

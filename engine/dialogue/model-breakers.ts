// One breaker for each model that the calls of this process ask: while it is down, its callers need not wait for it.
// Agents with a model or a patience of their own have one of their own, so that no tenant's setting silences another's.
import { Breaker } from '../../models/llm/breaker.ts';
import type { Clock } from '../clock.ts';

/** The oldest goes: its model gets another chance sooner, nothing else. */
const BREAKERS_MAX = 500;

export class ModelBreakers {
  readonly #clock: Clock;
  readonly #breakers = new Map<string, Breaker>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `model`: the agent's own; null: the configured one. */
  of(model: string | null, firstWordWithinMs: number): Breaker {
    const key = `${firstWordWithinMs} ${model ?? ''}`;
    const known = this.#breakers.get(key);
    if (known) return known;
    const [oldest] = this.#breakers.keys();
    if (this.#breakers.size >= BREAKERS_MAX && oldest !== undefined) this.#breakers.delete(oldest);
    const breaker = new Breaker(() => this.#clock.monotonicMs());
    this.#breakers.set(key, breaker);
    return breaker;
  }
}

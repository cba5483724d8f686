// Vectors of callers' words, for all calls of the process. After a failure the server is left alone for a while: words
// alone decide then.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Vector } from '../../db/queries/knowledge/vectors.ts';
import { type EmbeddingsSettings, vectorKind } from '../../db/shared/settings/embeddings-settings.ts';
import { Embeddings, EmbeddingsError } from '../../models/knowledge/embeddings.ts';
import type { Clock } from '../clock.ts';

/** A caller's words last no longer than that. */
const WITHIN_MS = 2_000;
const REST_MS = 10_000;
/** More are no longer of use when they come. */
const AT_ONCE = 32;

export class QuestionVectors {
  readonly #server: Embeddings;
  readonly #kind: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  #restsUntilMs = Number.NEGATIVE_INFINITY;
  #running = 0;

  constructor(settings: EmbeddingsSettings, clock: Clock, log: Logger) {
    this.#server = new Embeddings(settings);
    this.#kind = vectorKind(settings);
    this.#clock = clock;
    this.#log = log;
  }

  /** Null: there is none, for whatever reason. Never throws. */
  async of(text: string): Promise<Vector | null> {
    if (this.#running >= AT_ONCE || this.#clock.monotonicMs() < this.#restsUntilMs) return null;
    this.#running++;
    try {
      const [values] = await this.#server.of([text], WITHIN_MS);
      return values === undefined ? null : { kind: this.#kind, values };
    } catch (error) {
      const known = error instanceof EmbeddingsError ? error : null;
      const restMs = known?.retryAfterMs ?? REST_MS;
      this.#restsUntilMs = this.#clock.monotonicMs() + restMs;
      this.#log.warn(
        { code: known?.code, error: known ? undefined : messageOf(error), restMs },
        'no vector for a question',
      );
      return null;
    } finally {
      this.#running--;
    }
  }
}

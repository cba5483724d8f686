// The Idempotency-Key of a request that must not be done twice: the same body gets the same one until there is an
// answer.
import { newIdempotencyKey } from './idempotency.ts';

export class AttemptKey {
  #body = '';
  #key = '';

  keyFor(body: object): string {
    const text = JSON.stringify(body);
    if (text !== this.#body || this.#key === '') this.#key = newIdempotencyKey();
    this.#body = text;
    return this.#key;
  }

  /**
   * A refusal is kept with its key, so another try needs another. After a 5xx, and without an answer, it must be the
   * same.
   */
  failed(status: number): void {
    if (status >= 400 && status < 500) this.#key = '';
  }
}

// The Idempotency-Key of a request that must not run twice: the same body gets the same key until there is an answer.
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
   * The service stores a refusal with its key, so another try needs a new key. After a 5xx, and without an answer, the
   * key must be the same.
   */
  failed(status: number): void {
    if (status >= 400 && status < 500) this.#key = '';
  }
}

// The Idempotency-Key of a request that must not be done twice: the same body gets the same one until there is an answer.

export class AttemptKey {
  #body = '';
  #key = '';

  keyFor(body: object): string {
    const text = JSON.stringify(body);
    if (text !== this.#body || this.#key === '') this.#key = uuid();
    this.#body = text;
    return this.#key;
  }

  /** A refusal is kept with its key, so another try needs another. After a 5xx, and without an answer, it must be the same. */
  failed(status: number): void {
    if (status >= 400 && status < 500) this.#key = '';
  }
}

/** `crypto.randomUUID` is for secure pages only. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // RFC 9562 5.4: version 4, variant 10.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

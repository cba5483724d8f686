// A call's instructions, sent to a model's server while the phone rings: a small machine reads them for seconds, keeps
// what it has read, and begins the first answer at once. Nobody waits behind it: nothing is sent while a reply is being
// made, and the first reply of any call ends it.

export class ReadAhead {
  #replies = 0;
  #reading: AbortController | null = null;
  /** The instructions that the server read last: one that keeps a single text has no others. */
  #last: string | null = null;

  /** `read` sends them, unless they were read last, are being read, or a caller waits for a reply. Never fails. */
  begin(instructions: string, read: (signal: AbortSignal) => Promise<void>): void {
    if (this.#replies > 0 || this.#reading !== null || this.#last === instructions) return;
    const reading = new AbortController();
    this.#reading = reading;
    const done = (isRead: boolean): void => {
      if (this.#reading !== reading) return;
      this.#reading = null;
      if (isRead) this.#last = instructions;
    };
    read(reading.signal).then(
      () => done(true),
      () => done(false),
    );
  }

  /** A caller waits for a reply; `replyEnded` follows. */
  replyBegins(): void {
    this.#replies++;
    this.#reading?.abort();
    this.#reading = null;
  }

  replyEnded(): void {
    this.#replies--;
  }

  /** The server answers by these instructions; null: something else than a reply, which may have taken their place. */
  wasRead(instructions: string | null): void {
    this.#last = instructions;
  }
}

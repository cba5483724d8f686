// One request in flight a call: more would wait for each other at the server, and their answers come too late to be of
// use. Words so far wait for the request before them, and only the newest of them is sent; a result waits for results
// only, and ends the request for words so far that is on its way.

type Send = (unwanted: AbortSignal) => Promise<void>;

interface Waiting {
  isResult: boolean;
  send: Send;
}

/** Results that wait; the turn machine has two at most. */
const MAX_RESULTS = 8;

export class OneRequest {
  #running: { isResult: boolean; unwanted: AbortController } | null = null;
  #waiting: Waiting[] = [];

  /** `send` must not fail. It is not called when newer words are asked for before its turn. */
  askWords(send: Send): void {
    this.#waiting = this.#waiting.filter(({ isResult }) => isResult);
    this.#add({ isResult: false, send });
  }

  /** `send` must not fail. Beyond the bound the oldest is sent with its signal aborted. */
  askResult(send: Send): void {
    this.#waiting = this.#waiting.filter(({ isResult }) => isResult);
    if (this.#waiting.length >= MAX_RESULTS) void this.#waiting.shift()?.send(AbortSignal.abort());
    if (this.#running !== null && !this.#running.isResult) this.#running.unwanted.abort();
    this.#add({ isResult: true, send });
  }

  #add(request: Waiting): void {
    this.#waiting.push(request);
    if (this.#running === null) this.#next();
  }

  #next(): void {
    const request = this.#waiting.shift();
    if (request === undefined) return;
    const running = { isResult: request.isResult, unwanted: new AbortController() };
    this.#running = running;
    const isOver = (): void => {
      if (this.#running !== running) return;
      this.#running = null;
      this.#next();
    };
    // The next one need not wait until the connection of an unwanted one is closed.
    running.unwanted.signal.addEventListener('abort', isOver, { once: true });
    void request.send(running.unwanted.signal).then(isOver);
  }
}

// The WebSocket of a browser call. A line that was lost (closed with anything but 1000) is joined again at the same
// address: the service waits there for the callers of an engine that has died or was replaced.

/** It takes so long at most until another engine is there, which then waits for its callers. */
const REJOIN_WITHIN_MS = 30_000;
const TRY_EVERY_MS = 300;
/** A busy engine may open the socket of a call a moment after the call was placed. */
const JOIN_WITHIN_MS = 4_000;
/** A try that nobody answers. */
const TRY_WITHIN_MS = 3_000;
const CALL_ENDED = 1000;

interface CallSocketListener {
  /** For the first time. */
  onJoined: () => void;
  onMessage: (data: ArrayBuffer | string) => void;
  /** The line was lost, and is joined again; or it is back. */
  onLost: (isLost: boolean) => void;
  /** `hasJoined`: it was a call; otherwise the address could not be reached. */
  onEnd: (hasJoined: boolean) => void;
}

type Line = Pick<WebSocket, 'binaryType' | 'readyState' | 'send' | 'close' | 'onopen' | 'onmessage' | 'onclose'>;

export interface Surroundings {
  open: (url: string) => Line;
  /** Returns a function that cancels it. */
  after: (ms: number, fire: () => void) => () => void;
  nowMs: () => number;
}

const OPEN: WebSocket['readyState'] = 1;

const page: Surroundings = {
  open: (url) => new WebSocket(url),
  after: (ms, fire) => {
    const timer = setTimeout(fire, ms);
    return () => clearTimeout(timer);
  },
  nowMs: () => performance.now(),
};

export class CallSocket {
  readonly #url: string;
  readonly #listener: CallSocketListener;
  readonly #surroundings: Surroundings;
  #line: Line | null = null;
  #cancel = (): void => undefined;
  #hasJoined = false;
  readonly #begunAtMs: number;
  /** Null while the line is there, and before the first time. */
  #lostAtMs: number | null = null;

  constructor(url: string, listener: CallSocketListener, surroundings: Surroundings = page) {
    this.#url = url;
    this.#listener = listener;
    this.#surroundings = surroundings;
    this.#begunAtMs = surroundings.nowMs();
    this.#connect();
  }

  get isLost(): boolean {
    return this.#lostAtMs !== null;
  }

  /** Does nothing while the line is not there. */
  send(data: ArrayBuffer | string): void {
    if (this.#line?.readyState === OPEN) this.#line.send(data);
  }

  /** Hangs up, and says nothing more. */
  close(): void {
    this.#cancel();
    const line = this.#line;
    this.#line = null;
    line?.close();
  }

  #connect(): void {
    const line = this.#surroundings.open(this.#url);
    line.binaryType = 'arraybuffer';
    this.#line = line;
    // Closing a line that is not open yet makes it say that it is closed.
    this.#cancel = this.#hasJoined ? this.#surroundings.after(TRY_WITHIN_MS, () => line.close()) : () => undefined;
    line.onopen = () => {
      if (this.#line === line) this.#opened();
    };
    line.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (this.#line === line) this.#listener.onMessage(data);
    };
    line.onclose = ({ code }) => {
      if (this.#line === line) this.#closed(code);
    };
  }

  #opened(): void {
    this.#cancel();
    if (this.#lostAtMs !== null) this.#listener.onLost(false);
    this.#lostAtMs = null;
    if (!this.#hasJoined) this.#listener.onJoined();
    this.#hasJoined = true;
  }

  #closed(code: number): void {
    this.#cancel();
    this.#line = null;
    const nowMs = this.#surroundings.nowMs();
    if (code === CALL_ENDED) return this.#listener.onEnd(this.#hasJoined);
    if (!this.#hasJoined) {
      if (nowMs - this.#begunAtMs > JOIN_WITHIN_MS) return this.#listener.onEnd(false);
      this.#cancel = this.#surroundings.after(TRY_EVERY_MS, () => this.#connect());
      return;
    }
    if (this.#lostAtMs === null) {
      this.#lostAtMs = nowMs;
      this.#listener.onLost(true);
      return this.#connect();
    }
    if (nowMs - this.#lostAtMs > REJOIN_WITHIN_MS) return this.#listener.onEnd(true);
    this.#cancel = this.#surroundings.after(TRY_EVERY_MS, () => this.#connect());
  }
}

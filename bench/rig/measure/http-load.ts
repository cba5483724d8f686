// Drives an HTTP server over a few keep-alive connections, one request at a time on each, and times every answer. It
// uses bare sockets, because it shares the machine with the measured server and must be cheap.
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface LoadResult {
  requests: number;
  seconds: number;
  /** One per request, ms. */
  latenciesMs: number[];
  /** Answers other than 2xx. */
  failures: number;
}

export interface LoadOptions {
  host: string;
  port: number;
  token: string;
  /** Requested in turn. */
  paths: readonly string[];
  /** Of a write; by default requests are GETs without a body. */
  write?: { method: string; body: (n: number) => string };
  connections: number;
  seconds: number;
  /** Continues after `seconds` until this many answers, because rarely run code is not compiled yet. */
  requestsMin?: number;
  /** Ends after this many requests. */
  requestsMax?: number;
  /** Ends the load after the current requests. */
  signal?: AbortSignal;
  /** Pause of a connection between an answer and its next request. */
  pauseMs?: number;
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const nextRequest = requestsOf(options);
  const latenciesMs: number[] = [];
  let failures = 0;
  const begun = performance.now();
  const until = begun + options.seconds * 1_000;
  const { requestsMin = 0, requestsMax = Number.POSITIVE_INFINITY, pauseMs = 0 } = options;
  let asked = 0;
  const isOver = (): boolean =>
    asked >= requestsMax ||
    options.signal?.aborted === true ||
    (performance.now() >= until && latenciesMs.length >= requestsMin);
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const socket = connect(options.port, options.host);
      socket.setNoDelay(true);
      const answers = new Answers(socket);
      try {
        await answers.open;
        while (!isOver()) {
          asked++;
          const request = nextRequest();
          const sent = performance.now();
          socket.write(request);
          const status = await answers.next();
          if (status < 200 || status > 299) failures++;
          latenciesMs.push(performance.now() - sent);
          if (pauseMs > 0) await delay(pauseMs);
        }
      } finally {
        socket.destroy();
      }
    }),
  );
  return { requests: latenciesMs.length, seconds: (performance.now() - begun) / 1_000, latenciesMs, failures };
}

/** Returns the requests in turn. */
function requestsOf({ host, port, token, paths, write }: LoadOptions): () => Buffer {
  const head = (path: string) =>
    `${write?.method ?? 'GET'} ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: Bearer ${token}\r\n`;
  let next = 0;
  if (write !== undefined) {
    const [path = ''] = paths;
    return () => {
      const body = write.body(next++);
      return Buffer.from(
        `${head(path)}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    };
  }
  const requests = paths.map((path) => Buffer.from(`${head(path)}\r\n`));
  return () => {
    const request = requests[next++ % requests.length];
    if (request === undefined) throw new Error('no path to ask for');
    return request;
  };
}

/** Reads a socket's answers one by one; bodies are counted, not kept. */
class Answers {
  readonly open: Promise<void>;
  #head = '';
  #missing = -1;
  #status = 0;
  #waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | null = null;
  #error: Error | null = null;

  constructor(socket: Socket) {
    this.open = new Promise((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('error', reject);
    });
    socket.on('data', (chunk) => this.#take(chunk));
    const fail = (error: Error) => {
      this.#error = error;
      this.#waiting?.reject(error);
    };
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the server closed the connection')));
  }

  next(): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#error) reject(this.#error);
      else this.#waiting = { resolve, reject };
    });
  }

  #take(chunk: Buffer): void {
    let body = chunk.length;
    if (this.#missing < 0) {
      const before = this.#head.length;
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.#status = Number(this.#head.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head.slice(0, end + 2))?.[1];
      if (length === undefined) throw new Error('an answer without a length');
      this.#missing = Number(length);
      body = chunk.length - (end + 4 - before);
    }
    this.#missing -= body;
    if (this.#missing > 0) return;
    this.#missing = -1;
    this.#head = '';
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve(this.#status);
  }
}

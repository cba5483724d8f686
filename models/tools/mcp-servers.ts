// Sessions with MCP servers, on a thread: reading what a server sends takes processor time that the server chooses, and
// neither calls nor requests may wait for it. A thread that does not come back is ended with all its sessions; the one
// that held it up is asked no more, the others begin anew at their next question.
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { AddressOptions } from '../../db/shared/net/safe-fetch.ts';
import type { McpCallOptions, McpServer, McpTool } from './mcp.ts';
import {
  AT_WORK,
  BEATS,
  type FromMcpThread,
  type McpQuestion,
  type McpThreadData,
  type ToMcpThread,
} from './mcp-messages.ts';
import type { ToolAnswer } from './tool.ts';

const HEAP_MIB = 192;
const LOOK_EVERY_MS = 1_000;
/** No answer of a server, within its bounds, takes a tenth of it, also on a busy machine. */
const STUCK_AFTER_MS = 10_000;
/** Until it has begun it may be silent as many times as long: on a busy machine it takes seconds to load. */
const STARTING = 3;

const THREAD = new URL('./mcp-thread.ts', import.meta.url);
const LOST = 'The server could not be asked: its answers took too much work.';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface McpServersOptions extends AddressOptions {
  /** For tests. */
  thread?: URL;
  stuckAfterMs?: number;
}

export class McpServers {
  readonly #options: McpServersOptions;
  readonly #waiting = new Map<number, Waiting>();
  /** Sessions that the thread knows. */
  readonly #known = new Set<number>();
  /** Sessions that held the thread up. */
  readonly #banned = new Set<number>();
  #thread: { worker: Worker; words: Int32Array } | null = null;
  #watch: NodeJS.Timeout | null = null;
  #nextId = 1;

  constructor(options: McpServersOptions) {
    this.#options = options;
  }

  session(server: McpServer): McpServerSession {
    const id = this.#nextId++;
    return {
      open: () => {
        if (!this.#banned.has(id)) this.#post(id, server, { type: 'open', session: id });
      },
      catalogue: async () => (await this.#ask(id, server, { type: 'catalogue' })) as McpTool[],
      call: (name, given, { signal, ...options }) =>
        orGivenUp(
          this.#ask(id, server, { type: 'call', name, given: { ...given }, options }, signal).then(
            (answer) => answer as ToolAnswer,
            (error): ToolAnswer => ({ ok: false, error: 'unreachable', message: messageOf(error) }),
          ),
          signal,
        ),
      close: () => this.#close(id),
    };
  }

  /** Ends the thread; questions under way fail. */
  async close(): Promise<void> {
    const worker = this.#thread?.worker;
    this.#lost('The session is closed.');
    await worker?.terminate();
  }

  async #close(id: number): Promise<void> {
    if (!this.#known.delete(id) || this.#thread === null) return;
    await this.#answerTo((question) => ({ type: 'close', session: id, question })).catch(() => undefined);
  }

  async #ask(id: number, server: McpServer, what: McpQuestion, signal?: AbortSignal): Promise<unknown> {
    if (this.#banned.has(id)) throw new Error(LOST);
    this.#know(id, server);
    let giveUp = (): void => {};
    try {
      return await this.#answerTo(
        (question) => {
          giveUp = () => this.#thread?.worker.postMessage({ type: 'give-up', question } satisfies ToMcpThread);
          signal?.addEventListener('abort', giveUp, { once: true });
          return { ...what, session: id, question };
        },
        () => signal?.aborted && giveUp(),
      );
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  #answerTo(message: (question: number) => ToMcpThread, sent: () => void = () => {}): Promise<unknown> {
    const question = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(question, { resolve, reject });
      const { worker } = this.#started();
      // The process waits for its answers only.
      worker.ref();
      worker.postMessage(message(question));
      sent();
      this.#watchThread();
    });
  }

  #post(id: number, server: McpServer, message: ToMcpThread): void {
    this.#know(id, server);
    this.#started().worker.postMessage(message);
    this.#watchThread();
  }

  #know(id: number, { url, headers }: McpServer): void {
    const { worker } = this.#started();
    if (this.#known.has(id)) return;
    this.#known.add(id);
    worker.postMessage({ type: 'server', session: id, server: { url, headers: { ...headers } } } satisfies ToMcpThread);
  }

  #started(): { worker: Worker; words: Int32Array } {
    if (this.#thread !== null) return this.#thread;
    const { allowPrivate = false, resolve, thread = THREAD } = this.#options;
    const words = new Int32Array(new SharedArrayBuffer(8));
    const workerData: McpThreadData = { allowPrivate, resolves: resolve !== undefined, words };
    const worker = new Worker(thread, { workerData, resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } });
    const made = { worker, words };
    const isOver = (): void => {
      if (this.#thread === made) this.#lost(LOST, Atomics.load(words, AT_WORK));
    };
    worker.on('message', (message: FromMcpThread) => this.#take(message, worker));
    worker.on('error', isOver);
    worker.on('exit', isOver);
    worker.unref();
    this.#thread = made;
    return made;
  }

  #take(message: FromMcpThread, worker: Worker): void {
    if (message.type === 'resolve') {
      const answer = (addresses: string[]): void =>
        worker.postMessage({ type: 'resolved', question: message.question, addresses } satisfies ToMcpThread);
      this.#options.resolve?.(message.hostname).then(answer, () => answer([]));
      return;
    }
    const waiting = this.#waiting.get(message.question);
    this.#waiting.delete(message.question);
    if (this.#waiting.size === 0) worker.unref();
    if (message.type === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(new Error(message.message));
  }

  /** Looks from time to time whether the thread still turns, as long as one is there. */
  #watchThread(): void {
    if (this.#watch !== null) return;
    const { stuckAfterMs = STUCK_AFTER_MS } = this.#options;
    let seen = -1;
    let seenAt = performance.now();
    this.#watch = setInterval(
      () => {
        if (this.#thread === null) return this.#stopWatching();
        const beats = Atomics.load(this.#thread.words, BEATS);
        if (beats !== seen) {
          seen = beats;
          seenAt = performance.now();
        } else if (performance.now() - seenAt > stuckAfterMs * (beats === 0 ? STARTING : 1)) {
          const { worker, words } = this.#thread;
          this.#lost(LOST, Atomics.load(words, AT_WORK));
          void worker.terminate();
        }
      },
      Math.min(LOOK_EVERY_MS, stuckAfterMs / 2),
    );
    this.#watch.unref();
  }

  #stopWatching(): void {
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
  }

  #lost(why: string, culprit = 0): void {
    this.#thread = null;
    this.#stopWatching();
    this.#known.clear();
    if (culprit !== 0) this.#banned.add(culprit);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Error(why));
  }
}

/** One session with a server; it is opened at the first question, or by `open`. */
export interface McpServerSession {
  /** Connects ahead of the first question. Never fails: a question will say what is wrong. */
  open(): void;
  /** All its tools, up to a hundred. @throws Error with a sentence for the one who set the server up */
  catalogue(): Promise<McpTool[]>;
  /** Calls one of its tools. `key`: in `_meta.idempotencyKey`. Never throws. */
  call(name: string, given: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<ToolAnswer>;
  /** Ends the session at the server, too, once its calls have ended. Never fails. */
  close(): Promise<void>;
}

/** A call that is given up, as at the end of a phone call, is answered at once: the thread hears of it later. */
function orGivenUp(answer: Promise<ToolAnswer>, signal: AbortSignal | undefined): Promise<ToolAnswer> {
  if (signal === undefined) return answer;
  return new Promise((resolve) => {
    const giveUp = (): void => resolve({ ok: false, error: 'cancelled', message: 'It was given up.' });
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void answer.then(resolve).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

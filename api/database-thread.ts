// A thread of the API with a connection of its own, which answers one request after the other: both its ends.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { messageOf } from '../db/domain/unexpected.ts';

type Reply<Answer> =
  | { id: number; ok: true; answer: Answer }
  /** `code` is SQLite's, where it was the database. */
  | { id: number; ok: false; message: string; code: unknown };

interface Waiting<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** The API's end. The thread begins with the first request, and again with the next after it was lost. */
export class DatabaseThread<Request, Answer> {
  readonly #module: URL;
  readonly #databasePath: string;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #worker: Worker | null = null;
  #nextId = 1;

  constructor(module: URL, databasePath: string) {
    this.#module = module;
    this.#databasePath = databasePath;
  }

  /** Requests without an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** @throws Error with SQLite's `code` where it was the database */
  ask(request: Request): Promise<Answer> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#thread().postMessage({ id, request });
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #thread(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(this.#module, { workerData: { databasePath: this.#databasePath } });
    worker.unref();
    worker.on('message', (reply: Reply<Answer>) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (reply.ok) waiting?.resolve(reply.answer);
      else waiting?.reject(Object.assign(new Error(reply.message), { code: reply.code }));
    });
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the thread ended')));
    this.#worker = worker;
    return worker;
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

/** The thread's end. */
export function answerRequests<Request, Answer>(
  open: (databasePath: string) => (request: Request) => Promise<Answer>,
): void {
  const answer = open((workerData as { databasePath: string }).databasePath);
  const replyTo = async (id: number, request: Request): Promise<Reply<Answer>> => {
    try {
      return { id, ok: true, answer: await answer(request) };
    } catch (error) {
      return { id, ok: false, message: messageOf(error), code: (error as { code?: unknown }).code };
    }
  };
  let last = Promise.resolve();
  parentPort?.on('message', ({ id, request }: { id: number; request: Request }) => {
    // One after the other: they share a connection.
    last = last.then(async () => parentPort?.postMessage(await replyTo(id, request)));
  });
}

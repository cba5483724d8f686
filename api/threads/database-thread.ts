// A thread of the API with a connection of its own, which answers one request after the other, the accounts in turn:
// both its ends.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { messageOf } from '../../db/domain/unexpected.ts';
import { FairQueue } from '../../db/shared/fair-queue.ts';

/** Requests in the thread: the next one lies there when the first is done. */
const IN_THREAD_MAX = 2;

type Reply<Answer> =
  | { id: number; ok: true; answer: Answer }
  /** `code` is SQLite's, where it was the database. */
  | { id: number; ok: false; message: string; code: unknown };

interface Waiting<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

const closed = () => new Error('the thread is closed');

/** The API's end. The thread begins with the first request, and again with the next after it was lost. */
export class DatabaseThread<Request extends { accountId: string }, Answer> {
  readonly #module: URL;
  readonly #database: string;
  readonly #queue = new FairQueue<{ id: number; request: Request }>();
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #inThread = 0;
  #worker: Worker | null = null;
  #isClosed = false;
  #nextId = 1;

  constructor(module: URL, database: string) {
    this.#module = module;
    this.#database = database;
  }

  /** Requests that have not reached the thread yet. */
  get queued(): number {
    return this.#queue.size;
  }

  queuedOf(accountId: string): number {
    return this.#queue.sizeOf(accountId);
  }

  /** @throws Error with SQLite's `code` if the database failed */
  ask(request: Request): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(closed());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#queue.add(request.accountId, { id, request });
      this.#hand();
    });
  }

  /** Refuses the newest queued request of the account that has most of them. */
  refuseOne(error: Error): void {
    const id = this.#queue.evict()?.id;
    if (id === undefined) return;
    this.#waiting.get(id)?.reject(error);
    this.#waiting.delete(id);
  }

  /** Refuses what is under way and whatever comes later. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === null) return;
    this.#lost(worker, closed());
    await worker.terminate();
  }

  #hand(): void {
    while (this.#inThread < IN_THREAD_MAX) {
      const next = this.#queue.take();
      if (next === undefined) return;
      this.#inThread++;
      this.#thread().postMessage(next);
    }
  }

  #thread(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(this.#module, { workerData: { database: this.#database } });
    worker.unref();
    worker.on('message', (reply: Reply<Answer>) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      this.#inThread--;
      this.#hand();
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
    this.#inThread = 0;
    this.#queue.clear();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

/** The thread's end. */
export function answerRequests<Request, Answer>(
  open: (database: string) => (request: Request) => Promise<Answer>,
): void {
  const answer = open((workerData as { database: string }).database);
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

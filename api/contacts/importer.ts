// Hands large requests to a thread of their own: a thousand contacts take 35 ms to check and to write, for which a list
// of hundreds of thousands would stop everybody else's answers again and again.
import { Worker } from 'node:worker_threads';
import { FairQueue } from '../../db/shared/fair-queue.ts';
import { accountBusy } from '../places-per-account.ts';
import type { ImportReply, ImportRequest } from './import-thread.ts';
import type { ContactImport, ImportOutcome } from './merge.ts';

/** Requests of one account that may wait, some 40 ms each, and of all. */
const WAITING_PER_ACCOUNT_MAX = 32;
const WAITING_MAX = 128;
/** In the thread: the next one lies there when the first is done. */
const IN_THREAD_MAX = 2;

interface Waiting {
  resolve: (outcome: ImportOutcome) => void;
  reject: (error: Error) => void;
}

export class ContactImporter {
  readonly #databasePath: string;
  readonly #queue = new FairQueue<ImportRequest>();
  readonly #waiting = new Map<number, Waiting>();
  #inThread = 0;
  #worker: Worker | null = null;
  #nextId = 1;

  constructor(databasePath: string) {
    this.#databasePath = databasePath;
  }

  /**
   * Accounts are served in turn.
   * @throws Error with SQLite's `code` where it was the database, {ApiError} 429 where too many wait
   */
  run(contacts: ContactImport): Promise<ImportOutcome> {
    const { accountId } = contacts;
    if (this.#queue.sizeOf(accountId) >= WAITING_PER_ACCOUNT_MAX || this.#queue.size >= WAITING_MAX)
      return Promise.reject(accountBusy('imports', WAITING_PER_ACCOUNT_MAX));
    const request: ImportRequest = { ...contacts, id: this.#nextId++ };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      this.#queue.add(accountId, request);
      this.#hand();
    });
  }

  #hand(): void {
    while (this.#inThread < IN_THREAD_MAX) {
      const request = this.#queue.take();
      if (request === undefined) return;
      this.#inThread++;
      this.#thread().postMessage(request);
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #thread(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL('./import-thread.ts', import.meta.url), {
      workerData: { databasePath: this.#databasePath },
    });
    worker.unref();
    worker.on('message', (reply: ImportReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      this.#inThread--;
      this.#hand();
      if (reply.ok) waiting?.resolve(reply.outcome);
      else waiting?.reject(Object.assign(new Error(reply.message), { code: reply.code }));
    });
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the import thread ended')));
    this.#worker = worker;
    return worker;
  }

  /** Rejects what waits; the next request starts another thread. */
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

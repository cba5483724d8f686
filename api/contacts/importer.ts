// Passes large requests to a separate thread: a thousand contacts take 35 ms to check and write, so a list of hundreds
// of thousands would delay all other answers again and again.
import { Worker } from 'node:worker_threads';
import type { ImportReply, ImportRequest } from './import-thread.ts';
import type { ContactImport, ImportOutcome } from './merge.ts';

/**
 * Most waiting requests, about 40 ms each. Beyond it the API's own thread does the work, which slows the sender down.
 */
const WAITING_MAX = 32;

interface Waiting {
  resolve: (outcome: ImportOutcome) => void;
  reject: (error: Error) => void;
}

export class ContactImporter {
  readonly #databasePath: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #nextId = 1;

  constructor(databasePath: string) {
    this.#databasePath = databasePath;
  }

  get isFull(): boolean {
    return this.#waiting.size >= WAITING_MAX;
  }

  /** @throws Error with SQLite's `code` if the database failed */
  run(contacts: ContactImport): Promise<ImportOutcome> {
    const request: ImportRequest = { ...contacts, id: this.#nextId++ };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      this.#thread().postMessage(request);
    });
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
      if (reply.ok) waiting?.resolve(reply.outcome);
      else waiting?.reject(Object.assign(new Error(reply.message), { code: reply.code }));
    });
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the import thread ended')));
    this.#worker = worker;
    return worker;
  }

  /** Rejects the waiting requests; the next request starts another thread. */
  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

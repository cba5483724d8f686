// Lists of calls for the API: queries that the kept totals can answer run here at once; the others run on a reader
// thread, whose totals are cached for 5 s.
import { Worker } from 'node:worker_threads';
import { type CallFilter, countKept, isKept, valueFilters } from '../../db/queries/calls/counts.ts';
import { findPage, KnownDays } from '../../db/queries/calls/page-starts.ts';
import { pageOfCalls } from '../../db/queries/calls/pages.ts';
import type { Db } from '../../db/sqlite.ts';
import { retryLater } from '../errors.ts';
import type { ReadReply, ReadRequest } from './reader-thread.ts';

/** Rows that may be skipped on the API's own thread: about 0.02 ms per thousand. */
const SKIP_INLINE = 20_000;
const TOTAL_LIVES_MS = 5_000;
const TOTALS_MAX = 1_000;
/** Most waiting reads; further ones get 429. At 50-150 ms each, more would outlast the client's timeout. */
const WAITING_MAX = 64;
const BUSY_RETRY_SECONDS = 2;

export interface CallPage {
  /** Records as JSON, separated by commas. */
  records: string;
  total: number;
}

interface Waiting {
  resolve: (page: CallPage) => void;
  reject: (error: Error) => void;
}

export class CallReader {
  readonly #db: Db;
  readonly #databasePath: string;
  readonly #now: () => number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #days = new KnownDays();
  readonly #totals = new Map<string, { total: number; until: number }>();
  #worker: Worker | null = null;
  #nextId = 1;
  #closed = false;

  constructor(db: Db, databasePath: string, now: () => number) {
    this.#db = db;
    this.#databasePath = databasePath;
    this.#now = now;
  }

  async read(accountId: string, filter: CallFilter, page: { limit: number; offset: number }): Promise<CallPage> {
    if (isKept(filter)) {
      const { total, changes } = await countKept(this.#db, accountId, filter);
      const place = { ...page, total };
      const readDays = this.#days.reader(this.#db, accountId, filter, changes);
      const start = await findPage(this.#db, accountId, filter, place, readDays);
      if (start === null) return { records: '', total };
      if (start.offset > SKIP_INLINE) return this.#ask(accountId, filter, page, total);
      return { records: await pageOfCalls(this.#db, accountId, filter, { ...place, start }), total };
    }
    const key = JSON.stringify([
      accountId,
      filter.fromMs,
      filter.toMs,
      valueFilters(filter).map((n) => [n, filter[n]]),
    ]);
    const kept = this.#totals.get(key);
    const total = kept !== undefined && kept.until > this.#now() ? kept.total : null;
    const answer = await this.#ask(accountId, filter, page, total);
    if (total === null) {
      this.#totals.delete(key);
      if (this.#totals.size >= TOTALS_MAX) {
        const oldest = this.#totals.keys().next().value;
        if (oldest !== undefined) this.#totals.delete(oldest);
      }
      this.#totals.set(key, { total: answer.total, until: this.#now() + TOTAL_LIVES_MS });
    }
    return answer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #ask(accountId: string, filter: CallFilter, page: { limit: number; offset: number }, total: number | null) {
    if (this.#waiting.size >= WAITING_MAX) {
      throw retryLater('COUNTS_BUSY', 'Too many combined filters are being counted', BUSY_RETRY_SECONDS);
    }
    const id = this.#nextId++;
    const request: ReadRequest = { id, accountId, filter, ...page, total };
    return new Promise<CallPage>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#thread().postMessage(request);
    });
  }

  #thread(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      workerData: { databasePath: this.#databasePath },
    });
    worker.unref();
    worker.on('message', (reply: ReadReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (reply.ok) waiting?.resolve({ records: reply.records, total: reply.total });
      else waiting?.reject(new Error(reply.message));
    });
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the reader thread ended')));
    this.#worker = worker;
    return worker;
  }

  /** Rejects the waiting reads; the next read starts another thread. */
  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (!this.#closed) for (const { reject } of waiting) reject(error);
  }
}

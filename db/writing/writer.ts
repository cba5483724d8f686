// The engine's only database writer: its own thread, so that an fsync never delays a call. Operations are acknowledged
// after their commit, which waiting ones share (db/writing/grouped-writes.ts, db/writing/parallel-writes.ts).

import { Worker } from 'node:worker_threads';
import type { DatabaseTarget } from '../database.ts';
import { MINUTE_MS } from '../domain/hours/durations.ts';
import { isPassingFault } from '../faults/faults.ts';
import { sharedClockMs } from '../shared/process/shared-clock.ts';
import type { OperationArgs, OperationName, OperationResult } from './operations.ts';

/** Most waiting operations; at this number the disk has failed for a while, and further ones are refused at once. */
const QUEUE_MAX = 20_000;
/** The code of writes of an engine that others took for dead. */
export const ENGINE_DEAD = 'ENGINE_DEAD';
/** Delays between tries of a write that must not be lost, while the disk is full or locked. */
const RETRY_DELAYS_MS = [100, 300, 1_000, 3_000, 5_000];
const RETRY_FOR_MS = 15 * MINUTE_MS;

export class WriterError extends Error {
  /** The database's code (`SQLITE_FULL`, `08006`, …), `WRITER_GONE`, `WRITER_OVERLOADED` or `WRITER_EXPIRED`. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'WriterError';
    this.code = code;
  }
}

export interface WriterStats {
  queued: number;
  operations: number;
  /** Of the last operation: from its arrival to the commit. */
  lastMs: number;
}

export interface WriterLimits {
  /** Most pages of the file; further writes fail with SQLITE_FULL, as on a full disk. */
  maxPages?: number;
  /** With PostgreSQL: the path of the spool, through which durable operations go in their order. */
  spool?: string;
  /** With PostgreSQL: nothing is written for an engine that others took for dead. */
  engineId?: string;
}

export interface Writer {
  /** Durable operations are done in the order of their calls, and survive this process: nobody need wait in between. */
  readonly keepsOrder: boolean;
  /** Runs one operation; resolves after its commit. @throws {WriterError} */
  run<N extends OperationName>(name: N, args: OperationArgs<N>): Promise<OperationResult<N>>;
  /**
   * The same for writes that must not be lost: retried while the disk is full or the database locked, for `forMs`, by
   * default 15 minutes.
   */
  runDurably<N extends OperationName>(name: N, args: OperationArgs<N>, forMs?: number): Promise<OperationResult<N>>;
  /**
   * The same for writes with a waiting caller: not begun later than `withinMs` from now, so that an abandoned write
   * does not take effect later. @throws {WriterError} `WRITER_EXPIRED`
   */
  runWithin<N extends OperationName>(name: N, args: OperationArgs<N>, withinMs: number): Promise<OperationResult<N>>;
  stats(): WriterStats;
  /** Starts the thread now; otherwise the first operation does, and waits for it. */
  open(): void;
  /** Waits for the queue, then ends the thread. */
  close(): Promise<void>;
}

export type WriterMessage =
  | { type: 'done'; id: number; result: unknown; ms: number }
  | { type: 'failed'; id: number; code: string; message: string; ms: number }
  /** The database is away, and durable operations wait on the disk. */
  | { type: 'away'; code: string; message: string; waiting: number }
  | { type: 'closed' };

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

type OnFault = (error: WriterError, operation: string) => void;

/** `onFault` is called for each failed try of a durable write, for the log. */
export const startWriter = (database: DatabaseTarget, onFault: OnFault, limits: WriterLimits = {}): Writer =>
  new WriterOnThread(database, onFault, limits);

class WriterOnThread implements Writer {
  readonly keepsOrder: boolean;
  readonly #onFault: OnFault;
  readonly #workerData: WriterLimits & { database: DatabaseTarget };
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #onClosed: (() => void) | null = null;
  /** Operations so far; each has the count at its sending for its id. */
  #operations = 0;
  #lastMs = 0;

  constructor(database: DatabaseTarget, onFault: OnFault, limits: WriterLimits) {
    this.keepsOrder = limits.spool !== undefined;
    this.#onFault = onFault;
    this.#workerData = { database, ...limits };
  }

  open(): void {
    this.#thread ??= this.#start();
  }

  run<N extends OperationName>(name: N, args: OperationArgs<N>): Promise<OperationResult<N>> {
    return this.#send(name, args);
  }

  runWithin<N extends OperationName>(name: N, args: OperationArgs<N>, withinMs: number): Promise<OperationResult<N>> {
    return this.#send(name, args, { notAfterMs: sharedClockMs() + withinMs });
  }

  async runDurably<N extends OperationName>(
    name: N,
    args: OperationArgs<N>,
    forMs = RETRY_FOR_MS,
  ): Promise<OperationResult<N>> {
    if (this.keepsOrder) return this.#send(name, args, { isDurable: true });
    const deadlineMs = sharedClockMs() + forMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.run(name, args);
      } catch (error) {
        if (!(error instanceof WriterError) || !isPassingFault(error) || sharedClockMs() > deadlineMs) throw error;
        this.#onFault(error, name);
        const delayMs = RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)] ?? 5_000;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  }

  stats(): WriterStats {
    return { queued: this.#waiting.size, operations: this.#operations, lastMs: this.#lastMs };
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    await new Promise<void>((resolve) => {
      this.#onClosed = resolve;
      thread.postMessage('close');
    });
    // Everything is written, and its connection is closed: nobody need wait for the thread's own end.
    void thread.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: this.#workerData });
    thread.on('message', (message: WriterMessage) => this.#onMessage(message));
    // After an uncaught error in the thread, waiting operations fail and the next one starts a new thread.
    thread.on('error', () => {});
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = null;
      for (const [id] of this.#waiting)
        this.#settle({ type: 'failed', id, code: 'WRITER_GONE', message: 'the writer thread ended', ms: 0 });
      this.#onClosed?.();
    });
    return thread;
  }

  #onMessage(message: WriterMessage): void {
    switch (message.type) {
      case 'away':
        this.#onFault(new WriterError(message.code, message.message), `${message.waiting} durable ones`);
        return;
      case 'closed':
        this.#onClosed?.();
        return;
      default:
        this.#lastMs = message.ms;
        this.#settle(message);
    }
  }

  #settle(message: Extract<WriterMessage, { id: number }>): void {
    const entry = this.#waiting.get(message.id);
    if (!entry) return;
    this.#waiting.delete(message.id);
    if (message.type === 'done') entry.resolve(message.result);
    else entry.reject(new WriterError(message.code, message.message));
  }

  #send<N extends OperationName>(
    name: N,
    args: OperationArgs<N>,
    { notAfterMs, isDurable = false }: { notAfterMs?: number; isDurable?: boolean } = {},
  ): Promise<OperationResult<N>> {
    const queued = this.#waiting.size;
    if (queued >= QUEUE_MAX)
      return Promise.reject(new WriterError('WRITER_OVERLOADED', `${queued} writes are waiting for the disk`));
    this.#thread ??= this.#start();
    const thread = this.#thread;
    const id = ++this.#operations;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      thread.postMessage({ id, name, args, notAfterMs, isDurable });
    });
  }
}

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

/** Starts the writer thread. `onFault` is called for each failed try of a durable write, for the log. */
export function startWriter(
  database: DatabaseTarget,
  onFault: (error: WriterError, operation: string) => void,
  limits: WriterLimits = {},
): Writer {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let closing: (() => void) | null = null;
  let nextId = 1;
  let operations = 0;
  let lastMs = 0;

  const open = (): Worker => {
    const fresh = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { database, ...limits } });
    fresh.on('message', (message: WriterMessage) => {
      if (message.type === 'away')
        onFault(new WriterError(message.code, message.message), `${message.waiting} durable ones`);
      else if (message.type === 'closed') closing?.();
      else {
        lastMs = message.ms;
        settle(message);
      }
    });
    // After an uncaught error in the thread, waiting operations fail and the next one starts a new thread.
    fresh.on('error', () => {});
    fresh.on('exit', () => {
      if (worker === fresh) worker = null;
      for (const [id] of waiting)
        settle({ type: 'failed', id, code: 'WRITER_GONE', message: 'the writer thread ended', ms: 0 });
      closing?.();
    });
    return fresh;
  };

  const settle = (message: Extract<WriterMessage, { id: number }>): void => {
    const entry = waiting.get(message.id);
    if (!entry) return;
    waiting.delete(message.id);
    if (message.type === 'done') entry.resolve(message.result);
    else entry.reject(new WriterError(message.code, message.message));
  };

  const send = <N extends OperationName>(
    name: N,
    args: OperationArgs<N>,
    { notAfterMs, isDurable = false }: { notAfterMs?: number; isDurable?: boolean } = {},
  ): Promise<OperationResult<N>> => {
    if (waiting.size >= QUEUE_MAX) {
      return Promise.reject(new WriterError('WRITER_OVERLOADED', `${waiting.size} writes are waiting for the disk`));
    }
    worker ??= open();
    const thread = worker;
    const id = nextId++;
    operations++;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      thread.postMessage({ id, name, args, notAfterMs, isDurable });
    });
  };

  const run = <N extends OperationName>(name: N, args: OperationArgs<N>) => send(name, args);

  const runDurably = async <N extends OperationName>(
    name: N,
    args: OperationArgs<N>,
    forMs = RETRY_FOR_MS,
  ): Promise<OperationResult<N>> => {
    if (limits.spool !== undefined) return send(name, args, { isDurable: true });
    const deadlineMs = sharedClockMs() + forMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await run(name, args);
      } catch (error) {
        if (!(error instanceof WriterError) || !isPassingFault(error) || sharedClockMs() > deadlineMs) {
          throw error;
        }
        onFault(error, name);
        const delayMs = RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)] ?? 5_000;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  };

  return {
    open() {
      worker ??= open();
    },
    run,
    runDurably,
    runWithin: (name, args, withinMs) => send(name, args, { notAfterMs: sharedClockMs() + withinMs }),
    keepsOrder: limits.spool !== undefined,
    stats: () => ({
      queued: waiting.size,
      operations,
      lastMs,
    }),
    async close() {
      const thread = worker;
      if (!thread) return;
      await new Promise<void>((resolve) => {
        closing = resolve;
        thread.postMessage('close');
      });
      // Everything is written, and its connection is closed: nobody need wait for the thread's own end.
      void thread.terminate();
    },
  };
}

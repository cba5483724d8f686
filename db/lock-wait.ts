// Waits for SQLite's write lock without blocking the thread. SQLite's own busy handler sleeps in the calling thread and
// would stop a whole server; here a timer repeats the statement, and reads continue in the meantime.
import { setTimeout as delay } from 'node:timers/promises';
import { isBusy } from './faults.ts';

/** Longest wait from the first try; then the statement fails with SQLITE_BUSY. */
const WAIT_MAX_MS = 5_000;
const DELAY_MIN_MS = 1;
/** The engine's commits take about 5 ms; a lasting lock is tried this often. */
const DELAY_MAX_MS = 25;

/** A fair mutex: waiters get it in the order of their requests. */
export class Mutex {
  #locked = false;
  readonly #waiting: Array<() => void> = [];

  get locked(): boolean {
    return this.#locked;
  }

  async lock(): Promise<void> {
    if (!this.#locked) {
      this.#locked = true;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  unlock(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#locked = false;
  }
}

export class LockWait {
  /** The holder may use the connection. */
  readonly #connection: Mutex;
  /** Only one statement at a time tries to get the lock; the others wait in order. */
  readonly #line = new Mutex();

  constructor(connection: Mutex) {
    this.#connection = connection;
  }

  /**
   * Runs a synchronous statement that needs the write lock, outside a transaction. The caller holds the connection;
   * others may use it during the wait. @throws SqliteError SQLITE_BUSY after 5 s
   */
  async run<R>(statement: () => R): Promise<R> {
    if (!this.#line.locked) {
      try {
        return statement();
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
    const deadlineMs = performance.now() + WAIT_MAX_MS;
    this.#connection.unlock();
    await this.#line.lock();
    try {
      return await this.#retry(statement, deadlineMs);
    } finally {
      this.#line.unlock();
    }
  }

  async #retry<R>(statement: () => R, deadlineMs: number): Promise<R> {
    for (let delayMs = DELAY_MIN_MS; ; delayMs = Math.min(delayMs * 2, DELAY_MAX_MS)) {
      await this.#connection.lock();
      try {
        return statement();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadlineMs) throw error;
      }
      this.#connection.unlock();
      await delay(delayMs);
    }
  }
}

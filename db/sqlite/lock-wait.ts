// Waits for SQLite's write lock without blocking the thread. SQLite's own busy handler sleeps in the calling thread and
// would stop a whole server; here a timer repeats the statement, and reads continue in the meantime.
import { setTimeout as delay } from 'node:timers/promises';
import { isBusy } from '../faults/faults.ts';

/** Longest wait from the first try; then the statement fails with SQLITE_BUSY. */
const WAIT_MAX_MS = 5_000;
const DELAY_MIN_MS = 1;
/** The engine's commits take about 5 ms; a lasting lock is tried this often. */
const DELAY_MAX_MS = 25;

/**
 * Holders follow each other within one turn of the event loop for so long; then the process looks at its sockets. Forty
 * transactions that wait for each other would otherwise be a tenth of a second in which nobody else is heard.
 */
const TURN_MAX_MS = 4;

/** A fair mutex: waiters get it in the order of their requests. */
export class Mutex {
  #locked = false;
  readonly #waiting: Array<() => void> = [];
  /** When this turn of the event loop began, as far as known: when somebody first had to wait. */
  #turnFromMs: number | null = null;

  get locked(): boolean {
    return this.#locked;
  }

  async lock(): Promise<void> {
    if (!this.#locked) {
      this.#locked = true;
      return;
    }
    if (this.#turnFromMs === null) this.#beginTurn();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  unlock(): void {
    const next = this.#waiting.shift();
    if (!next) this.#locked = false;
    else if (performance.now() - (this.#turnFromMs ?? 0) < TURN_MAX_MS) next();
    else setImmediate(next);
  }

  #beginTurn(): void {
    this.#turnFromMs = performance.now();
    setImmediate(() => {
      if (this.#waiting.length > 0) this.#beginTurn();
      else this.#turnFromMs = null;
    });
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

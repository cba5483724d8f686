// Waiting for the write lock of SQLite without blocking the thread. SQLite's own busy handler sleeps in the thread that
// asks, which would stop a whole server; here the statement is tried again on a timer, and reads go on meanwhile.
import { setTimeout as delay } from 'node:timers/promises';
import { isBusy } from './faults.ts';

/** From the first try; then the caller is refused with SQLITE_BUSY. */
const WAIT_MAX_MS = 5_000;
const DELAY_MIN_MS = 1;
/** The engine's commits take some 5 ms; a lock that lasts is looked at this often. */
const DELAY_MAX_MS = 25;

/** Held in the order of asking. */
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
  /** Whoever holds it uses the connection. */
  readonly #connection: Mutex;
  /** One at a time asks for the lock; the others stand in line. */
  readonly #line = new Mutex();

  constructor(connection: Mutex) {
    this.#connection = connection;
  }

  /**
   * Runs a synchronous statement that needs the write lock, outside a transaction. The caller holds the connection,
   * lends it to others while it waits, and holds it again afterwards. @throws SqliteError SQLITE_BUSY after 5 s
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

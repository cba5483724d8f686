// How far the database's clock is ahead of this process's. Heartbeats are compared between machines, so they are told
// by the clock that all machines ask.
import { sql } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Db } from './schema.ts';

/** More than NTP leaves between two machines: such a clock is wrong. */
export const WRONG_CLOCK_MS = 2_000;

/** Asks for the ms that the database's clock is ahead; null with SQLite, which has the machine's clock. */
export type AskSkew = (() => Promise<number>) | null;

/** `nowMs`: ms since the epoch. */
export function skewOf(db: Db, nowMs: () => number): AskSkew {
  if (!dialectOf(db).hasOwnClock) return null;
  return async () => {
    const askedMs = nowMs();
    const { rows } = await sql<{ nowMs: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`.execute(db);
    return Math.round((rows[0]?.nowMs ?? askedMs) - (askedMs + nowMs()) / 2);
  };
}

/**
 * The same between two answers of the database. Where this machine's wall clock is set meanwhile, the monotonic clock
 * says by how much: a heartbeat that is told by a clock set back, or judged by one set forward, would be a dead
 * engine's.
 */
export class ClockSkew {
  readonly #ask: AskSkew;
  readonly #clock: { nowMs(): number; monotonicMs(): number };
  #foundMs = 0;
  /** Wall clock minus monotonic clock when it was found; null: it never was. */
  #offsetMs: number | null = null;

  constructor(ask: AskSkew, clock: { nowMs(): number; monotonicMs(): number }) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** Asks the database, and returns its answer. */
  async ask(): Promise<number> {
    if (this.#ask === null) return 0;
    this.#foundMs = await this.#ask();
    this.#offsetMs = this.#offset();
    return this.#foundMs;
  }

  /** Ms by which the wall clock was set since then. */
  get stepMs(): number {
    return this.#offsetMs === null ? 0 : Math.round(this.#offset() - this.#offsetMs);
  }

  /** Ms that the database's clock is ahead now. */
  get ms(): number {
    return this.#foundMs - this.stepMs;
  }

  /**
   * The correction of the wall clock: none while it is about right. A clock that is wrong must not make calls expire
   * that another machine has just accepted, nor dial at night.
   */
  get correctionMs(): number {
    const { ms } = this;
    return Math.abs(ms) > WRONG_CLOCK_MS ? ms : 0;
  }

  #offset(): number {
    return this.#clock.nowMs() - this.#clock.monotonicMs();
  }
}

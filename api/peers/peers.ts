// The API processes of the installation. On SQLite they are on one machine and known by their process ids; on
// PostgreSQL each writes a heartbeat, so that the others know when what it had in hand is free, and how many share a
// limit.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { API_DEAD_AFTER_MS } from '../../db/domain/heartbeat.ts';
import { livingProcesses, writeProcess } from '../../db/queries/engine/processes.ts';
import type { Db } from '../../db/schema.ts';

export class Peers {
  /** Names this process; no other one ever has the name. */
  readonly id = randomUUID();
  #living: ReadonlySet<string> = new Set();
  #beatsAtMs: number | null = null;

  /** The processes that serve requests now, this one included. */
  get count(): number {
    return Math.max(1, this.#living.size);
  }

  /**
   * Whether that process has certainly ended; null where heartbeats say nothing, because this process writes none, or
   * has not for a while.
   */
  isDead(id: string, nowMs: number): boolean | null {
    if (this.#beatsAtMs === null || nowMs - this.#beatsAtMs > API_DEAD_AFTER_MS) return null;
    return !this.#living.has(id);
  }

  /** One heartbeat. `nowMs`: by the database's clock. */
  async beat(db: Db, nowMs: number): Promise<void> {
    const row = { id: this.id, kind: 'api' as const, hostname: hostname(), startedAt: nowMs, heartbeatAt: nowMs };
    await writeProcess(db, row);
    this.#living = new Set(await livingProcesses(db, nowMs - API_DEAD_AFTER_MS));
    this.#beatsAtMs = nowMs;
  }
}

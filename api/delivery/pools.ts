// Connections for deliveries: one pool per subscription, so that a slow or broken receiver does not affect others. Idle
// pools are closed.
import { Pool } from 'undici';
import { type AddressOptions, guardedConnector } from '../../db/shared/net/safe-fetch.ts';
import { WINDOW_MAX } from './lane.ts';

/** For first attempts and a few parallel retries. */
const CONNECTIONS_MAX = WINDOW_MAX + 2;
const IDLE_MS = 30_000;

export class SubscriptionPools {
  readonly #options: AddressOptions;
  readonly #pools = new Map<string, { origin: string; pool: Pool; usedAt: number }>();

  constructor(options: AddressOptions) {
    this.#options = options;
  }

  /** The subscription's pool; a new one if its URL has another host. */
  get(webhookId: string, url: string): Pool {
    const { origin } = new URL(url);
    const open = this.#pools.get(webhookId);
    if (open?.origin === origin) {
      open.usedAt = performance.now();
      return open.pool;
    }
    open?.pool.close().catch(() => {});
    const pool = openPool(origin, this.#options, CONNECTIONS_MAX);
    this.#pools.set(webhookId, { origin, pool, usedAt: performance.now() });
    return pool;
  }

  /** Closes pools that have not been used for 30 s. */
  sweep(inUse: (webhookId: string) => boolean): void {
    const nowMs = performance.now();
    for (const [webhookId, open] of this.#pools) {
      if (nowMs - open.usedAt < IDLE_MS || inUse(webhookId)) continue;
      this.#pools.delete(webhookId);
      open.pool.close().catch(() => {});
    }
  }

  /** Cuts every connection. */
  destroy(): void {
    for (const { pool } of this.#pools.values()) pool.destroy().catch(() => {});
    this.#pools.clear();
  }
}

/** A pool that connects only to addresses that the rules allow. */
export function openPool(origin: string, options: AddressOptions, connections: number): Pool {
  return new Pool(origin, { connections, pipelining: 1, connect: guardedConnector(options) });
}

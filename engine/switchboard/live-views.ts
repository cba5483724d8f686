// Tells the shards which of this engine's calls somebody watches, so that only those tell their words as they are said.
// The API renews a watched call's row every few seconds; the shard's watch ends by itself.
import { watchedCalls } from '../../db/queries/calls/running/live-views.ts';
import type { Db } from '../../db/schema.ts';
import { oneAtATime } from '../../db/shared/one-at-a-time.ts';
import type { Clock } from '../clock.ts';
import type { ShardCommand } from '../shard/protocol.ts';

interface LiveViewsOptions {
  read: Db;
  clock: Clock;
  has(callId: string): boolean;
  send(command: Extract<ShardCommand, { type: 'watch' }>): void;
}

export class LiveViews {
  readonly #options: LiveViewsOptions;
  /** The shards' knowledge: until when each call is watched. */
  #known = new Map<string, number>();

  constructor(options: LiveViewsOptions) {
    this.#options = options;
  }

  /** To be called at every change of the database. */
  readonly refresh = oneAtATime(() => this.#refresh());

  async #refresh(): Promise<void> {
    const { read, clock, has, send } = this.#options;
    const nowMs = clock.nowMs();
    const rows = (await watchedCalls(read, nowMs)).filter(({ callId }) => has(callId));
    for (const { callId, watchedUntil } of rows) {
      if (this.#known.get(callId) !== watchedUntil) send({ type: 'watch', callId, forMs: watchedUntil - nowMs });
    }
    this.#known = new Map(rows.map(({ callId, watchedUntil }) => [callId, watchedUntil]));
  }
}

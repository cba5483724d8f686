// Removes old rows from the database every few seconds, on one engine of the installation.
import { KEPT_MS } from '../db/rules/kept.ts';
import type { Writer } from '../db/writing/writer.ts';
import { type Clock, every } from './clock.ts';

const EVERY_MS = 5_000;

/** `leads`: whether it is this engine. Returns a function that stops. */
export function startHousekeeping(writer: Pick<Writer, 'run'>, clock: Clock, leads: () => boolean): () => void {
  return every(clock, EVERY_MS, () => {
    if (!leads()) return;
    const nowMs = clock.nowMs();
    const work = [
      writer.run('expireRequests', { nowMs, limit: 100 }),
      writer.run('pruneViews', { nowMs }),
      writer.run('pruneFeed', { beforeMs: nowMs - KEPT_MS.callFeed, limit: 500 }),
      writer.run('forgetEngines', { beforeMs: nowMs - KEPT_MS.engines }),
      writer.run('forgetOperations', { beforeMs: nowMs - KEPT_MS.appliedOperations, limit: 5_000 }),
    ];
    // A row that could not be removed is removed the next time.
    for (const each of work) each.catch(() => undefined);
  });
}

// Removes old rows from the database every few seconds, on one engine of the installation.
import { DAY_MS } from '../db/domain/durations.ts';
import type { Writer } from '../db/writing/writer.ts';
import { type Clock, every } from './clock.ts';

const EVERY_MS = 5_000;
/** Engines that ended are shown for so long. */
const ENGINES_KEPT_MS = 3_600_000;
/** A spool is sent within minutes; an engine's disk may return after days. */
const OPERATIONS_KEPT_MS = 7 * DAY_MS;

/** `leads`: whether it is this engine. Returns a function that stops. */
export function startHousekeeping(writer: Pick<Writer, 'run'>, clock: Clock, leads: () => boolean): () => void {
  return every(clock, EVERY_MS, () => {
    if (!leads()) return;
    const nowMs = clock.nowMs();
    const work = [
      writer.run('expireRequests', { nowMs, limit: 100 }),
      writer.run('pruneViews', { nowMs }),
      writer.run('pruneFeed', { beforeMs: nowMs - DAY_MS, limit: 500 }),
      writer.run('forgetEngines', { beforeMs: nowMs - ENGINES_KEPT_MS }),
      writer.run('forgetOperations', { beforeMs: nowMs - OPERATIONS_KEPT_MS, limit: 5_000 }),
    ];
    // A row that could not be removed is removed the next time.
    for (const each of work) each.catch(() => undefined);
  });
}

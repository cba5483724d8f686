// Tells each part of the engine that what it reads from the database has changed.
import { type ChangedTables, type DatabaseTarget, touches, watchChanges } from '../db/database.ts';

/** A part that reads again what it keeps of some tables; cheap when nothing changed. */
interface Follower {
  tables: readonly string[];
  what: string;
  read(): Promise<unknown>;
}

/** Tables that are written all the time and say nothing of what may be dialled. */
const NOT_DIALLED = new Set(['engines', 'call_feed', 'events', 'webhook_queue', 'live_views', 'leases']);

interface FollowOptions {
  database: DatabaseTarget;
  engineId: string;
  followers: readonly Follower[];
  dialler: { onChange(): void };
  onError(error: unknown, message: string): void;
}

/** Returns what lets all of them read now, and what stops. */
export function followChanges({ database, engineId, followers, dialler, onError }: FollowOptions): {
  readAll(): void;
  stop(): void;
} {
  const onChange = (changed: ChangedTables): void => {
    for (const { tables, what, read } of followers) {
      if (touches(changed, ...tables)) read().catch((error: unknown) => onError(error, `could not read ${what}`));
    }
    if (changed === null || [...changed].some((table) => !NOT_DIALLED.has(table))) dialler.onChange();
  };
  return { readAll: () => onChange(null), stop: watchChanges(database, onChange, undefined, engineId) };
}

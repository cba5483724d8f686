// Passes the engine's feed entries to live views: one read for all views, triggered by the change feed, and only while
// a view is open.
import { watchChanges } from '../../db/change-feed.ts';
import { type FeedEntry, feedAfter, newestFeedSeq } from '../../db/queries/engine/engine-requests.ts';
import type { Db } from '../../db/sqlite.ts';

const READ_MAX = 500;

export class LiveFeed {
  readonly #db: Db;
  readonly #databasePath: string;
  readonly #onError: (error: unknown) => void;
  readonly #watchers = new Map<string, Set<(entry: FeedEntry) => void>>();
  #started: Promise<void> | null = null;
  #stop: (() => void) | null = null;
  #seq = 0;
  #reading = false;
  #again = false;

  constructor(db: Db, databasePath: string, onError: (error: unknown) => void) {
    this.#db = db;
    this.#databasePath = databasePath;
    this.#onError = onError;
  }

  /** Calls `onEntry` for each further entry of the call's feed; returns a function that ends it. */
  async watch(callId: string, onEntry: (entry: FeedEntry) => void): Promise<() => void> {
    const watchers = this.#watchers.get(callId) ?? new Set();
    watchers.add(onEntry);
    this.#watchers.set(callId, watchers);
    this.#started ??= this.#start();
    await this.#started;
    return () => {
      watchers.delete(onEntry);
      if (watchers.size === 0 && this.#watchers.get(callId) === watchers) this.#watchers.delete(callId);
      if (this.#watchers.size === 0) this.close();
    };
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
    this.#started = null;
  }

  async #start(): Promise<void> {
    // Remember the feed's end first; each view reads older entries itself.
    this.#seq = await newestFeedSeq(this.#db);
    if (this.#watchers.size > 0) this.#stop = watchChanges(this.#databasePath, () => void this.#read());
    else this.#started = null;
  }

  async #read(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = true;
    try {
      do {
        this.#again = false;
        let entries: FeedEntry[];
        do {
          entries = await feedAfter(this.#db, this.#seq, READ_MAX);
          for (const entry of entries) {
            this.#seq = Math.max(this.#seq, entry.seq);
            for (const onEntry of this.#watchers.get(entry.callId) ?? []) onEntry(entry);
          }
        } while (entries.length === READ_MAX);
      } while (this.#again);
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#reading = false;
    }
  }
}

// Passes the engine's feed entries, and the words that are being said, to live views: one read for all views, triggered
// by the change feed, and only while a view is open. The engine tells words of watched calls only, so it is told which
// these are.
import { touches, watchChanges } from '../../../db/database.ts';
import { type FeedEntry, feedsAfter, newestFeedSeq } from '../../../db/queries/calls/running/feed.ts';
import { watchCall, wordsOf } from '../../../db/queries/calls/running/live-views.ts';
import type { TranscriptEntry } from '../../../db/records/resources.ts';
import type { Db } from '../../../db/schema.ts';
import type { ApiContext } from '../../context.ts';

const READ_MAX = 500;
const RENEW_MS = 10_000;
/** Longer than two renewals: one may be late. */
const WATCHED_MS = 25_000;

interface LiveView {
  accountId: string;
  onEntry(entry: FeedEntry): void;
  /** All that is being said now, in place of what was before. */
  onWords(words: readonly TranscriptEntry[]): void;
}

export class LiveFeed {
  readonly #context: ApiContext;
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  /** The views of each call. */
  readonly #watchers = new Map<string, Set<LiveView>>();
  /** The newest entry of each call that its views know. */
  readonly #seqs = new Map<string, number>();
  /** Of the words that views know, by call. */
  readonly #versions = new Map<string, number>();
  #renewal: NodeJS.Timeout | null = null;
  #stop: (() => void) | null = null;
  #reading = false;
  #again = false;

  constructor(context: ApiContext, onError: (error: unknown) => void) {
    this.#context = context;
    this.#db = context.read;
    this.#onError = onError;
  }

  /** Tells `view` each further entry of the call's feed, and its words; returns a function that ends it. */
  async watch(callId: string, view: LiveView): Promise<() => void> {
    const watchers = this.#watchers.get(callId) ?? new Set();
    watchers.add(view);
    this.#watchers.set(callId, watchers);
    const unwatch = (): void => {
      watchers.delete(view);
      if (watchers.size === 0 && this.#watchers.get(callId) === watchers) {
        this.#watchers.delete(callId);
        this.#versions.delete(callId);
        this.#seqs.delete(callId);
      }
      if (this.#watchers.size === 0) this.close();
    };
    this.#start();
    if (watchers.size > 1) return unwatch;
    this.#renew(callId, view.accountId);
    try {
      // Each view reads older entries itself.
      const newest = await newestFeedSeq(this.#db, callId);
      if (this.#watchers.get(callId) === watchers) this.#seqs.set(callId, newest);
    } catch (error) {
      unwatch();
      throw error;
    }
    return unwatch;
  }

  close(): void {
    if (this.#renewal) clearInterval(this.#renewal);
    this.#renewal = null;
    this.#stop?.();
    this.#stop = null;
  }

  #start(): void {
    this.#stop ??= watchChanges(this.#context.config.directDatabase, (changed) => {
      if (touches(changed, 'call_feed', 'live_views')) void this.#read();
    });
    this.#renewal ??= setInterval(() => this.#renewAll(), RENEW_MS).unref();
  }

  #renewAll(): void {
    for (const [callId, [view]] of this.#watchers) {
      if (view) this.#renew(callId, view.accountId);
    }
  }

  #renew(callId: string, accountId: string): void {
    const { db, now } = this.#context;
    watchCall(db, accountId, callId, now() + WATCHED_MS).catch(this.#onError);
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
          entries = await feedsAfter(this.#db, this.#seqs, READ_MAX);
          for (const entry of entries) {
            const { callId, seq } = entry;
            if (this.#seqs.has(callId)) this.#seqs.set(callId, seq);
            for (const { onEntry } of this.#watchers.get(callId) ?? []) onEntry(entry);
          }
        } while (entries.length === READ_MAX);
        await this.#readWords();
      } while (this.#again);
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#reading = false;
    }
  }

  async #readWords(): Promise<void> {
    for (const { callId, version, words } of await wordsOf(this.#db, [...this.#watchers.keys()])) {
      const views = this.#watchers.get(callId);
      if (!views || this.#versions.get(callId) === version) continue;
      this.#versions.set(callId, version);
      for (const { onWords } of views) onWords(words);
    }
  }
}

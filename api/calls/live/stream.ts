// A running call as server-sent events: first the transcript so far, then the engine's entries, until the call ends.
// Clients read it with `fetch`, because EventSource cannot send the token.

import { PassThrough } from 'node:stream';
import { callFeed, type FeedEntry } from '../../../db/queries/calls/running/feed.ts';
import type { TranscriptEntry } from '../../../db/records/resources.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import type { ApiContext } from '../../context.ts';
import { retryLater } from '../../frame/errors.ts';
import { callRow, publicEntry } from '../service.ts';
import type { LiveFeed } from './live-feed.ts';

/** Proxies close connections that are silent for 30-60 s. */
const HEARTBEAT_MS = 15_000;
/** A call whose engine died ends without an entry in its feed. */
const LOOK_AGAIN_MS = 1_000;
/** A slower reader is disconnected; a call's whole transcript is far smaller. */
const UNREAD_BYTES_MAX = 1024 * 1024;
/** Entries; a call of an hour has about 1,500. */
const READ_AT_ONCE = 2_000;
const STREAMS_PER_ACCOUNT_MAX = 100;
const STREAMS_MAX = 1_000;

/** `words`: all that is being said now. It has no id: what was said stands in the transcript. */
type StreamType = FeedEntry['type'] | 'words';

export class CallStreams {
  readonly #context: ApiContext;
  readonly #feed: LiveFeed;
  readonly #open = new Map<PassThrough, string>();

  constructor(context: ApiContext, feed: LiveFeed) {
    this.#context = context;
    this.#feed = feed;
  }

  /**
   * `afterSeq` is the last event that the client has seen. `mayGoOn` is called each second: a view ends with its
   * session or token. @throws {ApiError} 404, 429
   */
  async open(
    accountId: string,
    callId: string,
    afterSeq: number,
    mayGoOn: () => Promise<boolean>,
  ): Promise<PassThrough> {
    const row = await callRow(this.#context.read, accountId, callId);
    const own = [...this.#open.values()].filter((id) => id === accountId).length;
    if (own >= STREAMS_PER_ACCOUNT_MAX || this.#open.size >= STREAMS_MAX)
      throw retryLater('STREAM_LIMIT', 'Too many open streams', 5);
    const stream = new PassThrough({ highWaterMark: UNREAD_BYTES_MAX });
    this.#open.set(stream, accountId);
    stream.once('close', () => this.#open.delete(stream));
    void this.#run(stream, row, afterSeq, mayGoOn).catch((error: unknown) => {
      this.#context.log.error({ err: error, callId }, 'live view failed');
      stream.destroy();
    });
    return stream;
  }

  /** Ends all streams, when the server stops. */
  close(): void {
    for (const stream of this.#open.keys()) stream.end();
    this.#feed.close();
  }

  async #run(stream: PassThrough, row: CallTable, afterSeq: number, mayGoOn: () => Promise<boolean>): Promise<void> {
    const { accountId, id: callId } = row;
    const writer = new EventWriter(stream, afterSeq);
    const early: FeedEntry[] = [];
    let live = false;
    const unwatch = await this.#feed.watch(callId, {
      accountId,
      onEntry: (entry) => {
        if (live) writer.write(entry);
        else early.push(entry);
      },
      // The next words come within a second: those that come before the earlier conversation are not kept.
      onWords: (said) => live && writer.event('words', { said }, null),
    });
    // Nothing would tell it any more that its client has gone meanwhile.
    if (stream.destroyed) return unwatch();
    const heartbeat = setInterval(() => writer.comment('keep-alive'), HEARTBEAT_MS);
    const look = setInterval(() => {
      const lookAgain = async () => {
        if (await mayGoOn()) await this.#endOf(accountId, callId, writer);
        else stream.destroy();
      };
      lookAgain().catch((error: unknown) => {
        this.#context.log.error({ err: error, callId }, 'live view failed');
        stream.destroy();
      });
    }, LOOK_AGAIN_MS);
    stream.once('close', () => {
      unwatch();
      clearInterval(heartbeat);
      clearInterval(look);
    });
    writer.comment('open');
    for await (const entry of this.#saidBefore(accountId, callId, afterSeq)) writer.write(entry);
    for (const entry of early) writer.write(entry);
    live = true;
    if (row.endedAt !== null) await this.#endOf(accountId, callId, writer);
  }

  async *#saidBefore(accountId: string, callId: string, afterSeq: number) {
    for (let seq = afterSeq; ; ) {
      const entries = await callFeed(this.#context.read, accountId, callId, seq, READ_AT_ONCE);
      yield* entries;
      if (entries.length < READ_AT_ONCE) return;
      seq = entries.at(-1)?.seq ?? seq;
    }
  }

  /** Sends the end event after the end of the call and of its feed, unless the feed had one. */
  async #endOf(accountId: string, callId: string, writer: EventWriter): Promise<void> {
    const row = await callRow(this.#context.read, accountId, callId);
    if (row.endedAt === null || writer.ended) return;
    // An old call's feed has been deleted: its transcript is in its row.
    if (writer.lastSeq === 0) {
      for (const entry of JSON.parse(row.transcript) as TranscriptEntry[]) writer.event('transcript', entry, null);
    }
    const { status, outcome, endReason, durationSeconds } = row;
    writer.event('ended', { status, outcome, endReason, durationSeconds }, null);
  }
}

class EventWriter {
  readonly #stream: PassThrough;
  lastSeq: number;
  ended = false;

  constructor(stream: PassThrough, afterSeq: number) {
    this.#stream = stream;
    this.lastSeq = afterSeq;
  }

  write(entry: Pick<FeedEntry, 'seq' | 'type' | 'data'>): void {
    if (entry.seq <= this.lastSeq) return;
    this.lastSeq = entry.seq;
    const data: unknown = JSON.parse(entry.data);
    this.event(entry.type, entry.type === 'transcript' ? publicEntry(data as TranscriptEntry) : data, entry.seq);
  }

  event(type: StreamType, data: unknown, seq: number | null): void {
    if (this.ended) return;
    this.#push(`${seq === null ? '' : `id: ${seq}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    if (type !== 'ended') return;
    this.ended = true;
    this.#stream.end();
  }

  comment(text: string): void {
    if (!this.ended) this.#push(`: ${text}\n\n`);
  }

  #push(text: string): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    // Waiting for a slow reader would keep the whole call in memory.
    if (!this.#stream.write(text)) this.#stream.destroy();
  }
}

// Slow work after a call: the model's summary, which replaces the rule-based one, the latency measured on the
// recording, and its MP3 encoding. Each lane runs one job at a time from a bounded queue; a call that does not fit
// keeps its rule-based summary and its WAV.

import { access, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import { Piscina } from 'piscina';
import { TIMELINE_MAX } from '../../db/domain/calls/timeline.ts';
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { dispositionOf, scoreOf } from '../../db/domain/results.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { afterCallWork, unencodedCalls } from '../../db/queries/calls/ended/after-call.ts';
import { findTimeline } from '../../db/queries/calls/ended/timelines.ts';
import { analysisWork } from '../../db/queries/results/analysis.ts';
import type { Db } from '../../db/schema.ts';
import { FairQueue } from '../../db/shared/fair-queue.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import type { Clock } from '../clock.ts';
import { AGENT_FAILED, modelSummary } from './after-call.ts';
import { withCountedModel } from './counted-model.ts';
import { withDeadline } from './deadline.ts';
import { latencyOf } from './latency.ts';
import type { ListeningTask } from './listening-worker.ts';
import type { Mp3Task } from './mp3-worker.ts';
import { type RecordedSpeech, recordedTimeline } from './recorded-timeline.ts';

/** At 20 s per summary, more than two hours' worth of calls. */
const WAITING_MAX = 500;
const SUMMARY_TIMEOUT_MS = 60_000;
/** Keeps the WAV this long, for a reader that has just received its path. */
const WAV_GRACE_MS = 2_000;
const MP3_WORKER = new URL('./mp3-worker.ts', import.meta.url).href;
const LISTENING_WORKER = new URL('./listening-worker.ts', import.meta.url).href;
/** How far back a start looks for recordings that were not encoded. */
const UNENCODED_SINCE_MS = DAY_MS;
/** Tags that state a tool's result. They stay; the model's tags are added to them. */
const FACT_TAGS: ReadonlySet<string> = new Set([
  'appointment-booked',
  'callback-scheduled',
  'transferred',
  'opted-out',
  'callback-requested',
  AGENT_FAILED,
]);

export interface AfterCallOptions {
  read: Db;
  writer: Pick<Writer, 'run' | 'runDurably'>;
  model: DialogueModel;
  recordingsDir: string;
  /** Of recordings on this disk (db/domain/calls/recording-state.ts); null without an object store. */
  recordingState?: string | null;
  /** The file of a recording changes no more. */
  onSettled?: () => void;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Encodes one recording; default: a worker thread at nice 19. */
  encode?: (task: Mp3Task) => Promise<unknown>;
  wavGraceMs?: number;
}

export class AfterCallQueue {
  readonly #options: AfterCallOptions;
  readonly #summaries: Lane;
  readonly #recordings: Lane;
  readonly #results: Lane;
  readonly #stopped = new AbortController();
  /** Calls whose recording may still become another file. */
  readonly #settling = new Set<string>();
  #pool: Piscina | null = null;

  constructor(options: AfterCallOptions) {
    this.#options = options;
    const lost = (what: string) => (callId: string, error: unknown) =>
      options.log.warn({ callId, error: messageOf(error) }, `${what}: the call keeps what it has`);
    this.#summaries = new Lane((callId) => this.#summarise(callId), lost('no summary by the model'));
    this.#results = new Lane((callId) => this.#analyse(callId), lost('no results'));
    const noMp3 = lost('no MP3 of the recording');
    this.#recordings = new Lane(
      async (callId) => {
        await this.#settleRecording(callId);
        this.#settled(callId);
      },
      (callId, error) => {
        noMp3(callId, error);
        this.#settled(callId);
      },
    );
  }

  /** A call has ended, and will be added when its recording is complete. */
  expect(callId: string): void {
    this.#settling.add(callId);
  }

  isSettling(callId: string): boolean {
    return this.#settling.has(callId);
  }

  /** A call has ended and its row is written. */
  add(accountId: string, callId: string): void {
    if (this.#options.model.complete) this.#summaries.add(accountId, callId);
    this.#results.add(accountId, callId);
    this.#settling.add(callId);
    this.#recordings.add(accountId, callId);
  }

  /** Queues recordings that the previous engine left as WAV. */
  async resume(nowMs: number): Promise<void> {
    const { read, recordingState = null } = this.#options;
    for (const { accountId, id } of await unencodedCalls(
      read,
      nowMs - UNENCODED_SINCE_MS,
      WAITING_MAX,
      recordingState,
    )) {
      this.#settling.add(id);
      this.#recordings.add(accountId, id);
    }
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await Promise.all([this.#summaries.idle(), this.#results.idle(), this.#recordings.idle()]);
  }

  /** Resolves when no ended call waits for the model. */
  async whenModelIsFree(): Promise<void> {
    while (this.#results.isBusy || this.#summaries.isBusy) {
      await Promise.all([this.#summaries.idle(), this.#results.idle()]);
    }
  }

  /** Aborts. Waiting recordings are picked up at the next start; waiting summaries stay rule-based. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#summaries.clear();
    this.#results.clear();
    this.#recordings.clear();
    await this.#pool?.destroy();
    await this.idle();
  }

  #settled(callId: string): void {
    this.#settling.delete(callId);
    this.#options.onSettled?.();
  }

  async #summarise(callId: string): Promise<void> {
    const { read, writer, model, clock } = this.#options;
    const work = await afterCallWork(read, callId);
    if (!work?.isAnswered) return;
    const counting = { writer, clock, model, callId, accountId: work.accountId, purpose: 'summary' } as const;
    const made = await withCountedModel(counting, (counted) =>
      this.#withDeadline((signal) => modelSummary(counted, work.transcript, signal)),
    );
    if (made === null) return;
    const facts = work.tags.filter((tag) => FACT_TAGS.has(tag));
    const tags = [...new Set([...facts, ...made.tags])];
    await writer.run('replaceSummary', { callId, summary: made.summary, sentiment: made.sentiment, tags });
  }

  /**
   * Finds the results that its business and its campaign want. A model that fails leaves those that the call itself
   * knows.
   */
  async #analyse(callId: string): Promise<void> {
    const { read, writer, model, clock, log } = this.#options;
    const work = await analysisWork(read, callId);
    if (work === null) return;
    const { findByModel, findByRules } = await import('../../models/results/analysis.ts');
    const counting = { writer, clock, model, callId, accountId: work.accountId, purpose: 'results' } as const;
    const found = await withCountedModel(counting, (counted) =>
      this.#withDeadline((signal) => findByModel(counted, work, signal)),
    ).catch((error: unknown) => {
      if (this.#stopped.signal.aborted) throw error;
      log.warn({ callId, error: messageOf(error) }, 'no results by the model: what the call knows stays');
      return findByRules(work);
    });
    const nowMs = clock.nowMs();
    const score = scoreOf(found.criteria);
    await writer.run('storeAnalysis', {
      callId,
      accountId: work.accountId,
      analysis: { ...found, analysedAt: new Date(nowMs).toISOString() },
      score,
      disposition: dispositionOf(found.data, score),
      nowMs,
    });
  }

  /** Encodes the recording if the campaign wants an MP3. A row that names a missing file stops naming it. */
  async #settleRecording(callId: string): Promise<void> {
    const { read, writer, recordingsDir, log, wavGraceMs = WAV_GRACE_MS, recordingState = null } = this.#options;
    const work = await afterCallWork(read, callId);
    // A recording that is stored, or on another engine's disk, is not missing.
    if (!work || work.wavPath === null || work.recordingState !== recordingState) return;
    // DATA_DIR may have moved since the path was stored.
    const wavPath = join(recordingsDir, basename(work.wavPath));
    if (await isMissing(wavPath)) {
      // A crashed thread lost the only audio, after the row was written.
      log.warn({ callId }, 'the recording was lost before any of it was stored');
      if (recordingState !== null) await writer.runDurably('loseRecording', { callId });
      else await writer.runDurably('replaceRecording', { callId, path: null, format: 'wav' });
      return;
    }
    await this.#measure(work.accountId, callId, wavPath);
    if (!work.wantsMp3) return;
    const mp3Path = wavPath.replace(/\.wav$/, '.mp3');
    await this.#runEncoder({ wavPath, mp3Path });
    const isKept = await writer.runDurably('replaceRecording', { callId, path: mp3Path, format: 'mp3' });
    if (!isKept) {
      await rm(mp3Path, { force: true });
      return;
    }
    await this.#graceOf(wavGraceMs);
    await rm(wavPath, { force: true });
  }

  /** A failure here must not cost the call its MP3. */
  async #measure(accountId: string, callId: string, wavPath: string): Promise<void> {
    const { read, writer, log } = this.#options;
    const timeline = await findTimeline(read, accountId, callId);
    if (timeline === null || timeline.speech !== null || this.#stopped.signal.aborted) return;
    try {
      const speech: RecordedSpeech = await this.#worker().run({ wavPath } satisfies ListeningTask, {
        filename: LISTENING_WORKER,
      });
      const measured = recordedTimeline(timeline, speech);
      const gapsMs = measured.turns.map(({ gapMs }) => gapMs);
      // A full timeline does not hold all turns.
      const latency = gapsMs.length < TIMELINE_MAX ? latencyOf(gapsMs, measured.bargeIns) : null;
      await writer.run('replaceTimeline', { accountId, callId, latency, timeline: measured });
    } catch (error) {
      log.warn({ callId, error: messageOf(error) }, 'could not measure the recording: the live figures stay');
    }
  }

  #withDeadline<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withDeadline(this.#options.clock, SUMMARY_TIMEOUT_MS, this.#stopped.signal, run);
  }

  /** Waits, or returns early on stop. */
  #graceOf(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#stopped.signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#options.clock.after(ms, done);
      this.#stopped.signal.addEventListener('abort', done, { once: true });
      if (this.#stopped.signal.aborted) done();
    });
  }

  #worker(): Piscina {
    this.#pool ??= new Piscina({ minThreads: 0, maxThreads: 1, idleTimeout: 10_000 });
    return this.#pool;
  }

  #runEncoder(task: Mp3Task): Promise<unknown> {
    if (this.#options.encode) return this.#options.encode(task);
    return this.#worker().run(task, { filename: MP3_WORKER });
  }
}

/** Only if the file system reports it missing: an unreadable folder may still hold the file. */
async function isMissing(path: string): Promise<boolean> {
  try {
    await access(path);
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === 'ENOENT';
  }
}

/** A bounded queue processed one by one, accounts in turn; what does not fit is reported as lost. */
class Lane {
  readonly #work: (callId: string) => Promise<void>;
  readonly #onLost: (callId: string, error: unknown) => void;
  readonly #waiting = new FairQueue<string>();
  #running: Promise<void> | null = null;

  constructor(work: (callId: string) => Promise<void>, onLost: (callId: string, error: unknown) => void) {
    this.#work = work;
    this.#onLost = onLost;
  }

  add(accountId: string, callId: string): void {
    this.#waiting.add(accountId, callId);
    const late = this.#waiting.size > WAITING_MAX ? this.#waiting.evict() : undefined;
    if (late !== undefined) this.#onLost(late, new Error(`${WAITING_MAX} calls wait already`));
    this.#running ??= this.#run();
  }

  clear(): void {
    this.#waiting.clear();
  }

  get isBusy(): boolean {
    return this.#running !== null;
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Lets the call's own end finish first.
    await Promise.resolve();
    for (let callId = this.#waiting.take(); callId !== undefined; callId = this.#waiting.take()) {
      try {
        await this.#work(callId);
      } catch (error) {
        this.#onLost(callId, error);
      }
    }
    this.#running = null;
  }
}

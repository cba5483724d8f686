// Samples the machine's figures for `GET /admin/status` in the background: a system call or a large table may be slow,
// but the answer must not be.
import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import { waitingMails } from '../../db/queries/accounts/mails.ts';
import { waitingRecordings } from '../../db/queries/calls/ended/recordings.ts';
import { waitingFileDeletions } from '../../db/queries/files/deletions.ts';
import { campaignsWithoutNumber } from '../../db/queries/numbers/calling-numbers.ts';
import { queueState } from '../../db/queries/webhooks/events.ts';
import { webhookFaults } from '../../db/queries/webhooks/webhooks.ts';
import { heldUntil } from '../../db/rules/clock-doubt.ts';
import { type ReachedLimit, reachedSpendLimits } from '../../db/rules/spend.ts';
import type { Db } from '../../db/schema.ts';
import type { Files } from '../../db/shared/files/files.ts';

interface Disk {
  freeBytes: number;
  totalBytes: number;
  atMs: number;
}

interface ClockStep {
  byMs: number;
  atMs: number;
}

/** The object store, where one is configured. */
interface StoreState {
  /** Why it cannot be used; null: it can, or has not been asked yet. */
  error: string | null;
  /** Recordings of ended calls that are on an engine's disk only, and when the first of their calls ended. */
  recordings: { count: number; oldestAt: number | null };
  /** Files to delete that it still has. */
  deletions: { count: number; oldestAt: number | null };
}

export interface Probed {
  /** Null until the first answer. */
  disk: Disk | null;
  /** The last time that the clock was set; null: not since the start. */
  clockStep: ClockStep | null;
  /** Ms that the database's clock is ahead. */
  skewMs: number;
  /** No call is erased until then, because the clock may be wrong; null: it is believed. */
  deletionsHeldUntil: number | null;
  webhooks: { failing: number; switchedOff: number; oldestWaitingAt: number | null };
  /** Mails that could not be sent within a minute. */
  mailsWaiting: number;
  /** Names of running campaigns with waiting contacts but without a calling number. */
  campaignsWithoutNumber: readonly string[];
  /** Of the hour and the day that run. */
  reachedSpendLimits: readonly ReachedLimit[];
  /** Null without an object store. */
  store: StoreState | null;
}

/** Smaller changes are ignored: NTP slews a clock and does not set it. */
const STEP_MS = 2_000;
const MAIL_LATE_MS = 60_000;
/** Most names in the list, which is for people. */
const CAMPAIGNS_MAX = 20;
const SPENDERS_MAX = 40;
/** While it answers. One that does not is asked at each sample. */
const STORE_EVERY_MS = 60_000;

interface ProbesOptions {
  dataDir: string;
  read: Db;
  now(): number;
  /** The machine's clock, where `now` may be another. */
  wallMs?(): number;
  /** Ms that the database's clock is ahead; default: none. */
  askSkewMs?: () => Promise<number>;
  monotonicMs?: () => number;
  files?: Pick<Files, 'kind' | 'check'>;
  log?: Pick<Logger, 'warn' | 'info'>;
  statDisk?: (path: string) => Promise<{ bsize: number; blocks: number; bavail: number }>;
}

export class StatusProbes {
  readonly #options: Required<Omit<ProbesOptions, 'files' | 'log'>> & Pick<ProbesOptions, 'files' | 'log'>;
  /** Wall clock minus monotonic clock. */
  #offsetMs: number;
  #isDiskAsked = false;
  #isStoreAsked = false;
  #storeAnsweredMs = Number.NEGATIVE_INFINITY;
  #probed: Probed = {
    disk: null,
    clockStep: null,
    skewMs: 0,
    deletionsHeldUntil: null,
    webhooks: { failing: 0, switchedOff: 0, oldestWaitingAt: null },
    mailsWaiting: 0,
    campaignsWithoutNumber: [],
    reachedSpendLimits: [],
    store: null,
  };

  constructor(options: ProbesOptions) {
    this.#options = {
      monotonicMs: () => performance.now(),
      statDisk: statfs,
      askSkewMs: async () => 0,
      wallMs: options.now,
      ...options,
    };
    this.#offsetMs = this.#options.wallMs() - this.#options.monotonicMs();
  }

  get probed(): Probed {
    return this.#probed;
  }

  async sample(): Promise<void> {
    const { read, now, askSkewMs } = this.#options;
    this.#lookAtClock();
    // A hanging disk must not delay the other samples.
    void this.#askDisk();
    void this.#askStore();
    const { oldestAt: oldestWaitingAt } = await queueState(read);
    const webhooks = { ...(await webhookFaults(read)), oldestWaitingAt };
    const skewMs = await askSkewMs();
    const mailsWaiting = await waitingMails(read, now() - MAIL_LATE_MS);
    const withoutNumber = await campaignsWithoutNumber(read, CAMPAIGNS_MAX);
    const limits = (await reachedSpendLimits(read, now())).slice(0, SPENDERS_MAX);
    const deletionsHeldUntil = await heldUntil(read);
    const waiting = await this.#waitingFiles();
    // Answers that disk and store have given meanwhile stay.
    const { store } = this.#probed;
    this.#probed = {
      ...this.#probed,
      webhooks,
      skewMs,
      deletionsHeldUntil,
      mailsWaiting,
      campaignsWithoutNumber: withoutNumber,
      reachedSpendLimits: limits,
      store: waiting && { error: store?.error ?? null, ...waiting },
    };
  }

  #lookAtClock(): void {
    const { now, wallMs, monotonicMs } = this.#options;
    const offsetMs = wallMs() - monotonicMs();
    const byMs = Math.round(offsetMs - this.#offsetMs);
    this.#offsetMs = offsetMs;
    if (Math.abs(byMs) >= STEP_MS) this.#probed = { ...this.#probed, clockStep: { byMs, atMs: now() } };
  }

  /** Counts what waits for the store; its own answer comes beside. */
  async #waitingFiles(): Promise<Omit<StoreState, 'error'> | null> {
    const { files, read, now } = this.#options;
    if (files?.kind !== 's3') return null;
    const recordings = await waitingRecordings(read, null);
    const deletions = await waitingFileDeletions(read, now());
    return { recordings, deletions };
  }

  async #askStore(): Promise<void> {
    const { files, log, monotonicMs } = this.#options;
    if (files?.kind !== 's3' || this.#isStoreAsked || monotonicMs() - this.#storeAnsweredMs < STORE_EVERY_MS) return;
    this.#isStoreAsked = true;
    const before = this.#probed.store?.error ?? null;
    const error = await files.check().then(() => null, messageOf);
    if (error === null) this.#storeAnsweredMs = monotonicMs();
    const none = { count: 0, oldestAt: null };
    this.#probed = { ...this.#probed, store: { recordings: none, deletions: none, ...this.#probed.store, error } };
    // Once for each change, not for each question.
    if (error !== null && before === null) log?.warn({ reason: error }, 'the object store cannot be used');
    if (error === null && before !== null) log?.info('the object store can be used again');
    this.#isStoreAsked = false;
  }

  async #askDisk(): Promise<void> {
    if (this.#isDiskAsked) return;
    this.#isDiskAsked = true;
    try {
      const { bsize, blocks, bavail } = await this.#options.statDisk(this.#options.dataDir);
      const disk = { freeBytes: bavail * bsize, totalBytes: blocks * bsize, atMs: this.#options.now() };
      this.#probed = { ...this.#probed, disk };
    } catch {
      // On a failure the old values stay; their age shows it.
    } finally {
      this.#isDiskAsked = false;
    }
  }
}

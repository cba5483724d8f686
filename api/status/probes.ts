// Samples the machine's figures for `GET /admin/status` in the background: a system call or a large table may be slow,
// but the answer must not be.
import { statfs } from 'node:fs/promises';
import { waitingMails } from '../../db/queries/accounts/mails.ts';
import { campaignsWithoutNumber } from '../../db/queries/numbers/calling-numbers.ts';
import { queueState } from '../../db/queries/webhooks/events.ts';
import { webhookFaults } from '../../db/queries/webhooks/webhooks.ts';
import { type ReachedLimit, reachedSpendLimits } from '../../db/rules/spend.ts';
import type { Db } from '../../db/schema.ts';

export interface Disk {
  freeBytes: number;
  totalBytes: number;
  atMs: number;
}

export interface ClockStep {
  byMs: number;
  atMs: number;
}

export interface Probed {
  /** Null until the first answer. */
  disk: Disk | null;
  /** The last time that the clock was set; null: not since the start. */
  clockStep: ClockStep | null;
  /** Ms that the database's clock is ahead. */
  skewMs: number;
  webhooks: { failing: number; switchedOff: number; oldestWaitingAt: number | null };
  /** Mails that could not be sent within a minute. */
  mailsWaiting: number;
  /** Names of running campaigns with waiting contacts but without a calling number. */
  campaignsWithoutNumber: readonly string[];
  /** Of the hour and the day that run. */
  reachedSpendLimits: readonly ReachedLimit[];
}

/** Smaller changes are ignored: NTP slews a clock and does not set it. */
const STEP_MS = 2_000;
const MAIL_LATE_MS = 60_000;
/** Most names in the list, which is for people. */
const CAMPAIGNS_MAX = 20;
const SPENDERS_MAX = 40;

interface ProbesOptions {
  dataDir: string;
  read: Db;
  now(): number;
  /** Ms that the database's clock is ahead; default: none. */
  askSkewMs?: () => Promise<number>;
  monotonicMs?: () => number;
  statDisk?: (path: string) => Promise<{ bsize: number; blocks: number; bavail: number }>;
}

export class StatusProbes {
  readonly #options: Required<ProbesOptions>;
  /** Wall clock minus monotonic clock. */
  #offsetMs: number;
  #isDiskAsked = false;
  #probed: Probed = {
    disk: null,
    clockStep: null,
    skewMs: 0,
    webhooks: { failing: 0, switchedOff: 0, oldestWaitingAt: null },
    mailsWaiting: 0,
    campaignsWithoutNumber: [],
    reachedSpendLimits: [],
  };

  constructor(options: ProbesOptions) {
    this.#options = {
      monotonicMs: () => performance.now(),
      statDisk: statfs,
      askSkewMs: async () => 0,
      ...options,
    };
    this.#offsetMs = this.#options.now() - this.#options.monotonicMs();
  }

  get probed(): Probed {
    return this.#probed;
  }

  async sample(): Promise<void> {
    const { read, now, askSkewMs } = this.#options;
    this.#lookAtClock();
    // A hanging disk must not delay the other samples.
    void this.#askDisk();
    const { oldestAt: oldestWaitingAt } = await queueState(read);
    const webhooks = { ...(await webhookFaults(read)), oldestWaitingAt };
    const skewMs = await askSkewMs();
    this.#probed = {
      ...this.#probed,
      webhooks,
      skewMs,
      mailsWaiting: await waitingMails(read, now() - MAIL_LATE_MS),
      campaignsWithoutNumber: await campaignsWithoutNumber(read, CAMPAIGNS_MAX),
      reachedSpendLimits: (await reachedSpendLimits(read, now())).slice(0, SPENDERS_MAX),
    };
  }

  #lookAtClock(): void {
    const { now, monotonicMs } = this.#options;
    const offsetMs = now() - monotonicMs();
    const byMs = Math.round(offsetMs - this.#offsetMs);
    this.#offsetMs = offsetMs;
    if (Math.abs(byMs) >= STEP_MS) this.#probed = { ...this.#probed, clockStep: { byMs, atMs: now() } };
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

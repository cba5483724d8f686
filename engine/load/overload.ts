// Decides whether the engine is too late for a further call. Signs: packets leave late, the VAD judges late, audio
// waits for the recogniser, the control thread waits for a core, or audio takes nearly all the time of the cores. Then
// new calls are refused before running ones suffer. Only lasting lateness counts: a call set-up, the JIT compiler, a
// garbage collection or a neighbour stalls a thread for some tens of milliseconds, which is no reason to refuse a call.
// The gate opens again after all were in time for a while, because each call that ends makes room for one, not for a
// crowd. As only lasting lateness counts, `growth.ts` limits a rush earlier.
import type { Logger } from 'pino';
import type { LateCount } from '../../media/lateness.ts';
import type { Gate } from './admission.ts';
import { Growth } from './growth.ts';
import {
  AUDIO_SHARE,
  BACKLOG_LOOKS,
  CLOSED_MS,
  DELAY_MS,
  FEW_CALLS,
  FEW_MEDIA_SHARE,
  FEW_SHARE,
  LATE_SAMPLES,
  LATE_SHARE,
  LOOKS,
  STT_BACKLOG_MS,
  WINDOW_MS,
} from './limits.ts';

/** A shard's counts for half a second. */
export interface LatenessSample {
  /** Packets, and those that were sent more than 20 ms late or never. */
  sends: LateCount;
  /** VAD windows, and those judged more than 50 ms after their end. */
  windows: LateCount;
}

interface OverloadOptions {
  /** The places, which other engines may change. */
  maxCalls(): number;
  /** Number of calls that the cores carry without engines. */
  mediaCalls: number;
  /** The longest audio that waits for a recogniser, ms. */
  sttBacklogMs(): number;
  /** The longest delay of the control thread since the last reading, ms. */
  takeDelayMs(): number;
  /** The share of the cores' time that audio took since the last reading, 0 to 1. */
  takeAudioShare(): number;
  nowMs(): number;
  log: Pick<Logger, 'warn' | 'info'>;
}

interface Figures {
  /** Samples of the last five seconds with too much lateness, for the worst shard. */
  lateSends: number;
  lateWindows: number;
  /** Out of the last ten looks, those with too long a delay of the control thread. */
  delays: number;
  /** Out of the last ten looks, those in which audio took more than its share. */
  crowded: number;
  sttBacklogMs: number;
}

export class Overload implements Gate {
  readonly #options: OverloadOptions;
  readonly #growth: Growth;
  /** Samples of the last seconds, by shard. */
  readonly #shards = new Map<number, Array<LatenessSample & { atMs: number }>>();
  /** Delays at the last looks, the newest last. */
  #delaysMs: number[] = [];
  #audioShares: number[] = [];
  #backlogLooks = 0;
  #closedUntilMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  /** Calls came faster than the limit since the last look. */
  #isRush = false;
  #wasRush = false;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#growth = new Growth(options.mediaCalls, options.nowMs);
  }

  /** Up to these calls, it is not the calls that take the time. */
  get #few(): { calls: number; media: number } {
    const { maxCalls, mediaCalls } = this.#options;
    const most = Math.ceil(maxCalls() * FEW_SHARE);
    return {
      calls: Math.min(most, FEW_CALLS),
      media: Math.min(most, Math.max(FEW_CALLS, mediaCalls * FEW_MEDIA_SHARE)),
    };
  }

  /** Takes a shard's counts since its last sample. */
  sample(shardIndex: number, { sends, windows }: LatenessSample): void {
    const samples = this.#shards.get(shardIndex) ?? [];
    samples.push({ sends, windows, atMs: this.#options.nowMs() });
    this.#shards.set(shardIndex, samples);
  }

  /** To be called twice a second, with the number of active calls. */
  judge(activeCalls: number): void {
    const { log, nowMs } = this.#options;
    const figures = this.#figures();
    this.#backlogLooks = figures.sttBacklogMs > STT_BACKLOG_MS ? this.#backlogLooks + 1 : 0;
    const isEngineLate =
      Math.max(figures.lateSends, figures.lateWindows, figures.delays, figures.crowded) >= LATE_SAMPLES;
    const isBehind = this.#backlogLooks >= BACKLOG_LOOKS;
    if ((isEngineLate && activeCalls >= this.#few.media) || (isBehind && activeCalls >= this.#few.calls))
      this.#closedUntilMs = nowMs() + CLOSED_MS;
    const isClosed = nowMs() < this.#closedUntilMs;
    this.#growth.judge(activeCalls, isClosed);
    if (this.#isRush && !this.#wasRush)
      log.warn({ activeCalls }, 'calls come faster than may be added: some are refused');
    this.#wasRush = this.#isRush;
    this.#isRush = false;
    if (isClosed === this.#isClosed) return;
    this.#isClosed = isClosed;
    if (isClosed) log.warn({ ...figures, activeCalls }, 'too late for more calls: new ones are refused');
    else log.info({ activeCalls }, 'in time again: new calls are taken');
  }

  /** New calls should be refused. */
  get isLate(): boolean {
    return this.#isClosed;
  }

  /** With few active calls there is always room up to that few, however late the engine is. */
  room(activeCalls: number): number {
    const more = this.#isClosed ? 0 : this.#growth.room(activeCalls);
    return Math.max(more, this.#few.calls - activeCalls);
  }

  begin(activeCalls: number): void {
    this.#growth.begin(activeCalls);
  }

  refuse(): void {
    if (!this.#isClosed) this.#isRush = true;
  }

  #figures(): Figures {
    const sinceMs = this.#options.nowMs() - WINDOW_MS;
    this.#delaysMs = [...this.#delaysMs, this.#options.takeDelayMs()].slice(-LOOKS);
    this.#audioShares = [...this.#audioShares, this.#options.takeAudioShare()].slice(-LOOKS);
    const figures: Figures = {
      lateSends: 0,
      lateWindows: 0,
      delays: this.#delaysMs.filter((ms) => ms > DELAY_MS).length,
      crowded: this.#audioShares.filter((share) => share > AUDIO_SHARE).length,
      sttBacklogMs: Math.round(this.#options.sttBacklogMs()),
    };
    for (const samples of this.#shards.values()) {
      while (samples[0] && samples[0].atMs <= sinceMs) samples.shift();
      figures.lateSends = Math.max(figures.lateSends, samples.filter(({ sends }) => isLate(sends)).length);
      figures.lateWindows = Math.max(figures.lateWindows, samples.filter(({ windows }) => isLate(windows)).length);
    }
    return figures;
  }
}

function isLate({ count, late }: LateCount): boolean {
  return late > count * LATE_SHARE;
}

// Whether the engine is too late for a further call: its packets leave late, voice activity is judged late, or audio waits for
// the recogniser. Then new calls are refused before running ones suffer. It opens again when all have been in time for a while,
// because each call that ends makes room for one, not for a crowd.
import type { Logger } from 'pino';

export interface LatenessSample {
  /** From the time a packet was due to its sending, 99th percentile. */
  sendP99Ms: number;
  /** From the end of a window to the judgement on it, 99th percentile. */
  vadP99Ms: number;
}

export type LatenessKind = 'send' | 'vad' | 'stt';

const LIMITS_MS: Record<LatenessKind, number> = { send: 5, vad: 50, stt: 300 };
/** One sample may be a moment of somebody else's; samples come twice a second. */
const LATE_SAMPLES = 2;
const CLOSED_MS = 3_000;
/** A shard that is silent for this long has no calls, or was lost. */
const STALE_MS = 2_000;
/** With fewer calls something else than calls takes the time, and a refusal helps nobody. */
const FEW_CALLS = 10;
const FEW_SHARE = 0.75;

export interface OverloadOptions {
  maxCalls: number;
  /** The longest audio that waits for a recogniser, ms. */
  sttBacklogMs(): number;
  nowMs(): number;
  log: Pick<Logger, 'warn' | 'info'>;
}

export class Overload {
  readonly #options: OverloadOptions;
  readonly #fewCalls: number;
  readonly #shards = new Map<number, LatenessSample & { atMs: number }>();
  #lateSamples = 0;
  #closedUntilMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#fewCalls = Math.min(FEW_CALLS, Math.ceil(options.maxCalls * FEW_SHARE));
  }

  /** Takes a shard's figures of the last half second. */
  sample(shardIndex: number, sample: LatenessSample): void {
    this.#shards.set(shardIndex, { ...sample, atMs: this.#options.nowMs() });
  }

  /** To be called twice a second, with the calls that are up. */
  judge(activeCalls: number): void {
    const { log, nowMs } = this.#options;
    const figures = this.#figures();
    const late = activeCalls < this.#fewCalls ? undefined : KINDS.find((kind) => figures[kind] > LIMITS_MS[kind]);
    this.#lateSamples = late === undefined ? 0 : this.#lateSamples + 1;
    if (this.#lateSamples >= LATE_SAMPLES) this.#closedUntilMs = nowMs() + CLOSED_MS;
    const isClosed = nowMs() < this.#closedUntilMs;
    if (isClosed === this.#isClosed) return;
    this.#isClosed = isClosed;
    if (isClosed) log.warn({ late, lateMs: figures, activeCalls }, 'too late for more calls: new ones are refused');
    else log.info({ activeCalls }, 'in time again: new calls are taken');
  }

  /** New calls are to be refused. */
  get isLate(): boolean {
    return this.#isClosed;
  }

  #figures(): Record<LatenessKind, number> {
    const staleMs = this.#options.nowMs() - STALE_MS;
    const fresh = [...this.#shards.values()].filter(({ atMs }) => atMs > staleMs);
    return {
      send: Math.max(0, ...fresh.map(({ sendP99Ms }) => sendP99Ms)),
      vad: Math.max(0, ...fresh.map(({ vadP99Ms }) => vadP99Ms)),
      stt: this.#options.sttBacklogMs(),
    };
  }
}

const KINDS: readonly LatenessKind[] = ['send', 'vad', 'stt'];

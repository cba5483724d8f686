// Learns what the recogniser and the voice cost on this machine, for the number of calls that it carries: after the
// start and after a change of engines, by a few trials of each. They come after readiness, at the models' low priority,
// and only while no calls run; a trial into which a call came is thrown away. Each worker's least counts.
import type { Logger } from 'pino';
import { type Clock, sleep } from '../clock.ts';

/** The API process and the first callers come first. */
const FIRST_MS = 3_000;
const BETWEEN_MS = 500;
/** The first one also compiles the engine. */
const TRIALS = 3;
/** How long it waits after calls or a disturbed trial; doubled each time. */
const AGAIN_MS = 5_000;
const AGAIN_MAX_MS = 60_000;
/** An engine that computes in another process is never measured: its declared factor stays. */
const MAX_DISTURBED = 20;

/** The workers of one engine. */
export interface MeasuredGroup {
  readonly engine: string;
  /** It has been replaced or is stopping. */
  readonly isEnding: boolean;
  /** What the engine costs, once it has been measured. */
  factor: number | null;
  /** One trial of each worker, all at once; null for each that was disturbed. */
  measure(): Promise<ReadonlyArray<number | null>>;
}

export interface FactorTrialsOptions {
  /** No calls run. */
  isIdle(): boolean;
  /** All that was to be measured has been, or was given up. */
  onSettled(): void;
  clock: Clock;
  log: Pick<Logger, 'debug'>;
}

export class FactorTrials {
  readonly #options: FactorTrialsOptions;
  /** One engine is measured at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #pending = 0;
  #isStopped = false;

  constructor(options: FactorTrialsOptions) {
    this.#options = options;
  }

  /** Resolves when this group has been measured, or was given up. */
  async measure(group: MeasuredGroup): Promise<void> {
    this.#pending++;
    try {
      await this.#measure(group);
    } finally {
      this.#pending--;
      if (this.#pending === 0 && !this.#isStopped) this.#options.onSettled();
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #measure(group: MeasuredGroup): Promise<void> {
    const { clock, log, isIdle } = this.#options;
    const isOver = (): boolean => this.#isStopped || group.isEnding;
    const least: Array<number | null> = [];
    let disturbed = 0;
    let againMs = AGAIN_MS;
    for (let done = 0, waitMs = FIRST_MS; done < TRIALS; ) {
      await sleep(clock, waitMs);
      if (isOver()) return;
      const factors = await this.#try(group);
      if (isOver()) return;
      if (factors !== null) {
        for (const [worker, factor] of factors.entries()) least[worker] = lesser(least[worker] ?? null, factor);
        done++;
        waitMs = BETWEEN_MS;
        continue;
      }
      // Calls may go on for days, which costs no trial.
      if (isIdle() && ++disturbed > MAX_DISTURBED) {
        log.debug({ engine: group.engine }, 'the engine cannot be measured: its assumed cost stays');
        return;
      }
      waitMs = againMs;
      againMs = Math.min(againMs * 2, AGAIN_MAX_MS);
    }
    group.factor = mean(least.filter((factor) => factor !== null));
  }

  /** Null: calls run, or every worker was disturbed. */
  async #try(group: MeasuredGroup): Promise<ReadonlyArray<number | null> | null> {
    const { isIdle } = this.#options;
    const trial = this.#turn.then(async () => {
      if (!isIdle()) return null;
      const factors = await group.measure();
      return isIdle() && factors.some((factor) => factor !== null) ? factors : null;
    });
    this.#turn = trial;
    return trial;
  }
}

function lesser(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

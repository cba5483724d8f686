// Learns what the recogniser and the voice cost on this machine, for the number of calls that it carries: after the
// start and after a change of engines, by a few trials of each. They come after readiness, at the models' low priority,
// and only while no calls run; a trial into which a call came is thrown away. Each worker's least counts. The machine
// may have been crowded at the start: in the first two hours without calls, a later trial may find less.
import type { Logger } from 'pino';
import { type Clock, sleep } from '../clock.ts';

/** The API process and the first callers come first. */
const FIRST_MS = 3_000;
/** A trial takes two seconds of a core, which nothing waits for where the number of calls is set. */
const FIRST_UNASKED_MS = 60_000;
const BETWEEN_MS = 500;
/** The first one also compiles the engine. */
const TRIALS = 3;
/** Longer than recogniser and voice keep what they have made, ten minutes: else it would never be let go. */
const LATER_MS = 30 * 60_000;
const LATER_TIMES = 4;
/** Again the first one compiles. */
const LATER_TRIALS = 2;
/** How long it waits after calls or a disturbed trial; doubled each time. */
const AGAIN_MS = 5_000;
const AGAIN_MAX_MS = 60_000;
/** An engine that computes in another process is never measured: its declared factor stays. */
const MAX_DISTURBED = 20;

/** The least of each worker so far; null: it has been disturbed each time. */
type Least = Array<number | null>;

/** The workers of one engine. */
export interface MeasuredGroup {
  readonly engine: string;
  /** It has been replaced or is stopping. */
  readonly isEnding: boolean;
  /** The engine's cost, once it has been measured. */
  factor: number | null;
  /** One trial of each worker, all at once; null for each that was disturbed. */
  measure(): Promise<ReadonlyArray<number | null>>;
}

interface CostMeasurementsOptions {
  /** No calls run. */
  isIdle(): boolean;
  /** All that was to be measured has been, or was given up. */
  onSettled(): void;
  /** Whether the number of calls follows from what is measured; else it is only shown. */
  decides: boolean;
  clock: Clock;
  log: Pick<Logger, 'debug'>;
}

export class CostMeasurements {
  readonly #options: CostMeasurementsOptions;
  /** One engine is measured at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #pending = 0;
  #isStopped = false;

  constructor(options: CostMeasurementsOptions) {
    this.#options = options;
  }

  /** Resolves when this group is measured no more, or was given up. */
  async measure(group: MeasuredGroup): Promise<void> {
    let least: Least | null = null;
    this.#pending++;
    try {
      least = await this.#measure(group);
    } finally {
      this.#pending--;
      if (this.#pending === 0 && !this.#isStopped) this.#options.onSettled();
    }
    if (least !== null) await this.#measureLater(group, least);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** The least of each worker; null if the group was given up. */
  async #measure(group: MeasuredGroup): Promise<Least | null> {
    const { clock, log, isIdle, decides } = this.#options;
    const isOver = (): boolean => this.#isStopped || group.isEnding;
    const least: Least = [];
    let disturbed = 0;
    let againMs = AGAIN_MS;
    for (let done = 0, waitMs = decides ? FIRST_MS : FIRST_UNASKED_MS; done < TRIALS; ) {
      await sleep(clock, waitMs);
      if (isOver()) return null;
      const factors = await this.#try(group);
      if (isOver()) return null;
      if (factors !== null) {
        note(least, factors);
        done++;
        waitMs = BETWEEN_MS;
        continue;
      }
      // Calls may go on for days, which costs no trial.
      if (isIdle() && ++disturbed > MAX_DISTURBED) {
        log.debug({ engine: group.engine }, 'the engine cannot be measured: its assumed cost stays');
        return null;
      }
      waitMs = againMs;
      againMs = Math.min(againMs * 2, AGAIN_MAX_MS);
    }
    group.factor = meanOf(least);
    return least;
  }

  async #measureLater(group: MeasuredGroup, least: Least): Promise<void> {
    const { clock, onSettled } = this.#options;
    for (let trial = 0; trial < LATER_TIMES * LATER_TRIALS; trial++) {
      await sleep(clock, trial % LATER_TRIALS === 0 ? LATER_MS : BETWEEN_MS);
      if (this.#isStopped || group.isEnding) return;
      const factors = await this.#try(group);
      if (this.#isStopped || group.isEnding || factors === null) continue;
      note(least, factors);
      const factor = meanOf(least);
      if (group.factor !== null && factor >= group.factor) continue;
      group.factor = factor;
      onSettled();
    }
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

function note(least: Least, factors: ReadonlyArray<number | null>): void {
  for (const [worker, factor] of factors.entries()) least[worker] = lesser(least[worker] ?? null, factor);
}

function lesser(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

function meanOf(least: Least): number {
  const known = least.filter((factor) => factor !== null);
  return known.reduce((sum, factor) => sum + factor, 0) / Math.max(1, known.length);
}

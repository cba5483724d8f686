// Carries out runs of test suites: claims their cases from the database and runs them, one after the other of each
// kind; each is this engine's for a while.
import type { Logger } from 'pino';
import type { TestKind } from '../../db/domain/tests/definitions.ts';
import { TEST_KINDS } from '../../db/domain/tests/definitions.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Outage } from '../../db/faults/outage.ts';
import { hasOpenRuns, type TestOutcome, type TestWork } from '../../db/queries/test-runs/claims.ts';
import type { Db } from '../../db/schema.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { type Clock, sleep } from '../clock.ts';
import { CLAIMED_FOR_MS, holdClaim } from '../held-claim.ts';
import { type RunTest, unrunnable } from './work.ts';

/** Finds the cases of engines that have died; a new run is told at once. */
const LOOK_EVERY_MS = 5_000;

interface TestRunsOptions {
  read: Db;
  writer: Pick<Writer, 'run'>;
  engineId: string;
  clock: Clock;
  log: Pick<Logger, 'warn' | 'error'>;
  outage: Pick<Outage, 'explains'>;
  /** Null: this engine runs none of that kind. */
  runners: Readonly<Record<TestKind, RunTest | null>>;
  /** Cases of a kind at once; absent: one. */
  lanes?: Partial<Record<TestKind, number>>;
}

export class TestRuns {
  readonly #options: TestRunsOptions;
  readonly #stopped = new AbortController();
  #lanes: Promise<void>[] = [];
  /** Wakes the lanes that wait. */
  #woken = Promise.withResolvers<void>();

  constructor(options: TestRunsOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#lanes.length > 0) return;
    this.#lanes = TEST_KINDS.flatMap((kind) => {
      const run = this.#options.runners[kind];
      const lanes = this.#options.lanes?.[kind] ?? 1;
      return run === null ? [] : Array.from({ length: lanes }, () => this.#lane(kind, run));
    });
  }

  /** A run may have come. */
  look(): void {
    this.#woken.resolve();
    this.#woken = Promise.withResolvers<void>();
  }

  /** A case that is being run is another engine's at once. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.look();
    await Promise.all(this.#lanes);
  }

  async #lane(kind: TestKind, run: RunTest): Promise<void> {
    const { log, outage } = this.#options;
    while (!this.#stopped.signal.aborted) {
      const woken = this.#woken.promise;
      let isDone = false;
      try {
        isDone = await this.#runNext(kind, run);
      } catch (error) {
        if (!outage.explains(error)) log.warn({ kind, error: messageOf(error) }, 'could not go on with tests');
      }
      if (!isDone && !this.#stopped.signal.aborted) {
        await Promise.race([woken, sleep(this.#options.clock, LOOK_EVERY_MS)]);
      }
    }
  }

  /** False: nothing waits. */
  async #runNext(kind: TestKind, run: RunTest): Promise<boolean> {
    const { read, writer, engineId, clock } = this.#options;
    if (!(await hasOpenRuns(read))) return false;
    const nowMs = clock.nowMs();
    const work = await writer.run('claimTest', { engineId, kind, nowMs, untilMs: nowMs + CLAIMED_FOR_MS });
    if (work === null) return false;
    await this.#runOne(work, run);
    return true;
  }

  async #runOne(work: TestWork, run: RunTest): Promise<void> {
    const { writer, engineId, clock } = this.#options;
    const claimed = { resultId: work.resultId, engineId, attempt: work.attempt };
    const claim = holdClaim(this.#options, 'a test', (untilMs) => writer.run('holdTest', { ...claimed, untilMs }));
    const signal = AbortSignal.any([claim.lost, this.#stopped.signal]);
    const startedAtMs = clock.monotonicMs();
    let outcome: TestOutcome | null;
    try {
      outcome = await Promise.race([this.#outcome(work, run, signal), aborted(signal)]);
    } finally {
      claim.end();
    }
    if (outcome === null) {
      // One that was lost belongs to others: the operation leaves it alone.
      await writer.run('releaseTest', claimed);
      return;
    }
    const durationMs = Math.round(clock.monotonicMs() - startedAtMs);
    await writer.run('finishTest', { ...claimed, outcome, durationMs, nowMs: clock.nowMs() });
  }

  async #outcome(work: TestWork, run: RunTest, signal: AbortSignal): Promise<TestOutcome> {
    try {
      return await run(work, signal);
    } catch (error) {
      const { runId, caseId } = work;
      if (!signal.aborted) this.#options.log.error({ runId, caseId, error: messageOf(error) }, 'a test failed to run');
      return unrunnable(`It could not be run: ${messageOf(error)}`);
    }
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  if (signal.aborted) resolve(null);
  else signal.addEventListener('abort', () => resolve(null), { once: true });
  return promise;
}

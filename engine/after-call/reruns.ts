// Reads old calls again for what their business and their campaign want to know of them now: one at a time over the
// whole installation, by the engine that places calls, and only while no call that has just ended waits for its own
// results. Waiting calls are in the database, so another engine goes on after this one.
import type { Logger } from 'pino';
import { dispositionOf, scoreOf } from '../../db/domain/results.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Outage } from '../../db/faults/outage.ts';
import { analysisWork } from '../../db/queries/results/analysis.ts';
import { nextRerunCall, type RerunTask } from '../../db/queries/results/reruns.ts';
import type { CallAnalysis } from '../../db/records/resources.ts';
import type { Db } from '../../db/schema.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import { type Clock, sleep } from '../clock.ts';
import { withCountedModel } from './counted-model.ts';
import { withDeadline } from './deadline.ts';

const LOOK_EVERY_MS = 2_000;
const TIMEOUT_MS = 60_000;
/** After a failure: a model that is down does not cost a whole rerun within seconds. */
const AFTER_FAILURE_MS = 5_000;
/** This many failures in a row end the rerun: the model is down, or the wishes are none that it can answer. */
const FAILURES_MAX = 10;

interface RerunsOptions {
  read: Db;
  writer: Pick<Writer, 'run'>;
  /** Changes with the settings. */
  readonly model: DialogueModel;
  /** Whether this engine is the one that reads. */
  leads(): boolean;
  /** Resolves when no ended call waits for its own results. */
  whenFree(): Promise<void>;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  outage: Pick<Outage, 'explains'>;
}

interface Found {
  analysis: CallAnalysis;
  score: number | null;
  disposition: string | null;
}

export class Reruns {
  readonly #options: RerunsOptions;
  readonly #stopped = new AbortController();
  /** Of each rerun, failures since the last success. */
  readonly #failures = new Map<string, number>();
  #running: Promise<void> | null = null;

  constructor(options: RerunsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** A call that is being read waits again. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { leads, clock, log, outage } = this.#options;
    while (!this.#stopped.signal.aborted) {
      let pauseMs = LOOK_EVERY_MS;
      try {
        if (leads()) pauseMs = await this.#readNext();
      } catch (error) {
        if (this.#stopped.signal.aborted) return;
        if (!outage.explains(error)) log.warn({ error: messageOf(error) }, 'could not go on reading calls again');
      }
      if (pauseMs > 0) await this.#pause(pauseMs, clock);
    }
  }

  /** Returns how long to wait before the next. */
  async #readNext(): Promise<number> {
    const { read, writer, whenFree, clock } = this.#options;
    const task = await nextRerunCall(read);
    if (task === null) return LOOK_EVERY_MS;
    await this.#orStopped(whenFree());
    if (this.#stopped.signal.aborted) return 0;
    const { found, error } = await this.#read(task);
    if (this.#stopped.signal.aborted) return 0;
    await writer.run('storeRerun', { ...task, found, error, nowMs: clock.nowMs() });
    if (error === null) {
      this.#failures.delete(task.rerunId);
      return 0;
    }
    const failures = (this.#failures.get(task.rerunId) ?? 0) + 1;
    this.#failures.set(task.rerunId, failures);
    if (failures < FAILURES_MAX) return AFTER_FAILURE_MS;
    this.#failures.delete(task.rerunId);
    const reason = `${failures} calls in a row failed, the last one: ${error}`;
    await writer.run('endRerun', { rerunId: task.rerunId, status: 'FAILED', error: reason, nowMs: clock.nowMs() });
    return 0;
  }

  async #read({ callId }: RerunTask): Promise<{ found: Found | null; error: string | null }> {
    const { read, writer, model, clock, log } = this.#options;
    const work = await analysisWork(read, callId);
    if (work === null) return { found: null, error: 'Nothing is wanted of it now, or it was erased.' };
    if (model.complete === null && work.analysedBy === 'model') {
      return { found: null, error: 'There is no language model now, and its results are by one.' };
    }
    const { findByModel } = await import('../../models/results/analysis.ts');
    try {
      const counting = { writer, clock, model, callId, accountId: work.accountId, purpose: 'rerun' } as const;
      const found = await withCountedModel(counting, (counted) =>
        withDeadline(clock, TIMEOUT_MS, this.#stopped.signal, (signal) => findByModel(counted, work, signal)),
      );
      const score = scoreOf(found.criteria);
      const analysis = { ...found, analysedAt: new Date(clock.nowMs()).toISOString() };
      return { found: { analysis, score, disposition: dispositionOf(found.data, score) }, error: null };
    } catch (error) {
      if (!this.#stopped.signal.aborted) log.warn({ callId, error: messageOf(error) }, 'could not read the call again');
      return { found: null, error: reasonOf(error) };
    }
  }

  #pause(ms: number, clock: Clock): Promise<void> {
    return this.#orStopped(sleep(clock, ms));
  }

  async #orStopped(work: Promise<void>): Promise<void> {
    const { signal } = this.#stopped;
    const stop = Promise.withResolvers<void>();
    const resolve = () => stop.resolve();
    signal.addEventListener('abort', resolve, { once: true });
    if (signal.aborted) resolve();
    await Promise.race([work, stop.promise]);
    signal.removeEventListener('abort', resolve);
  }
}

/** For whoever started the rerun; the model's own words may repeat the call's. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === 'AbortError') return `The language model did not answer within ${TIMEOUT_MS / 1000} s.`;
  if (name === 'UnreadableAnswer') return 'The language model did not answer in the form that was asked for.';
  return `The language model failed${typeof code === 'string' ? ` (${code})` : ''}.`;
}

// Starts a sweep of old calls when one is due, and the clock is believed.
import { Worker } from 'node:worker_threads';
import { listSweeps } from '../../../db/queries/calls/ended/sweeps.ts';
import { clockDoubt } from '../../../db/rules/clock-doubt.ts';
import type { ApiContext } from '../../context.ts';
import { isSweepDue } from './sweep.ts';
import type { SweepTask } from './sweep-thread.ts';

export class CallSweeps {
  readonly #context: ApiContext;
  #worker: Worker | null = null;
  /** Said once, and not each minute. */
  #toldUntil: number | null = null;

  constructor(context: ApiContext) {
    this.#context = context;
  }

  /** Runs a sweep if one is due; resolves when it has ended. */
  async run(): Promise<void> {
    const { read, db, config, log, now, secretKey } = this.#context;
    const nowMs = now();
    if (this.#worker !== null || !(await isSweepDue(read, nowMs))) return;
    const swept = (await listSweeps(read)).map(({ sweptAt }) => sweptAt).filter((sweptAt) => sweptAt <= nowMs);
    const doubtedUntil = await clockDoubt(db, 'sweep', { newestRunMs: Math.max(0, ...swept), nowMs });
    if (doubtedUntil !== null) {
      const until = new Date(doubtedUntil).toISOString();
      if (this.#toldUntil !== doubtedUntil)
        log.warn({ until }, 'no sweep has run for days, by the clock: no call is erased until then; is it right?');
      this.#toldUntil = doubtedUntil;
      return;
    }
    const { database, recordingsDir, dataDir, store } = config;
    const workerData: SweepTask = { database, recordingsDir, dataDir, store, secretKey, nowMs };
    const worker = new Worker(new URL('./sweep-thread.ts', import.meta.url), { workerData });
    this.#worker = worker;
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (erased: number) => log.info({ erased }, 'old calls erased'));
      worker.on('error', reject);
      worker.on('exit', () => resolve());
    }).finally(() => {
      this.#worker = null;
    });
  }

  /** Ends a running sweep after the current batch; the next one continues there. */
  stop(): void {
    this.#worker?.postMessage('stop');
  }
}

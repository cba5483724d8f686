// A simulated caller as the control thread has it: a thread that calls an address, is told what to say, and tells what
// came over the line. It is over once, however it ends.
import { Worker } from 'node:worker_threads';
import type { CallerCommand, CallerNews, CallerPlan, CallerReport, OwnVoice } from './caller-plan.ts';

export class SimulatedCaller {
  readonly #worker: Worker;
  readonly #over = Promise.withResolvers<CallerReport>();

  constructor(plan: CallerPlan, onNews: (news: CallerNews) => void) {
    this.#worker = new Worker(new URL('./caller-worker.ts', import.meta.url), { workerData: plan });
    this.#worker.on('message', (news: CallerNews) => {
      if (news.type === 'ended') this.#over.resolve(news.report);
      else if (news.type === 'failed') this.#over.reject(new Error(news.message));
      onNews(news);
    });
    this.#worker.on('error', (error) => this.#over.reject(error));
    this.#worker.on('exit', () => this.#over.reject(new Error('the simulated caller’s thread has ended')));
    // Nobody may wait for it yet when it fails.
    this.#over.promise.catch(() => undefined);
  }

  /** Rejects where it could not call or speak. */
  get over(): Promise<CallerReport> {
    return this.#over.promise;
  }

  say(index: number, text: string, afterMs: number, clip?: OwnVoice): void {
    this.#post({ type: 'say', index, text, afterMs, ...(clip === undefined ? {} : { clip }) });
  }

  hangUp(): void {
    this.#post({ type: 'hang-up' });
  }

  /** Ends the thread; its call, if it has one left, is no more. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(command: CallerCommand): void {
    this.#worker.postMessage(command);
  }
}

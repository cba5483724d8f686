// The job that looks at alert rules, and the thread that counts for it.
import { isPostgres } from '../../db/database.ts';
import type { AlertCounts } from '../../db/domain/alerts/metrics.ts';
import type { ApiContext } from '../context.ts';
import type { JobRun } from '../frame/job.ts';
import { DatabaseThread } from '../threads/database-thread.ts';
import type { CountRequest } from './counts-thread.ts';
import { evaluateAlerts } from './evaluate.ts';

export class AlertJob implements JobRun {
  readonly #context: ApiContext;
  /** Null with PostgreSQL, which counts elsewhere anyway. */
  readonly #thread: DatabaseThread<CountRequest, AlertCounts> | null;

  #isStopped = false;

  constructor(context: ApiContext) {
    const { database } = context.config;
    this.#context = context;
    this.#thread = isPostgres(database)
      ? null
      : new DatabaseThread(new URL('./counts-thread.ts', import.meta.url), database);
  }

  async run(): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return evaluateAlerts(this.#context);
    try {
      await evaluateAlerts(this.#context, (request) => thread.ask(request));
    } catch (error) {
      if (!this.#isStopped) throw error;
    }
  }

  /** Its counts under way are counted again by the next process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#thread?.close();
  }
}

// The job that looks at alert rules, and the thread that counts for it.
import { isPostgres } from '../../db/database.ts';
import type { AlertCounts } from '../../db/domain/alerts/metrics.ts';
import type { ApiContext } from '../context.ts';
import { DatabaseThread } from '../threads/database-thread.ts';
import type { JobRun } from '../upkeep/job.ts';
import type { CountRequest } from './counts-thread.ts';
import { evaluateAlerts } from './evaluate.ts';

export class AlertJob implements JobRun {
  readonly #context: ApiContext;
  /** Null with PostgreSQL, which counts elsewhere anyway. */
  readonly #thread: DatabaseThread<CountRequest, AlertCounts> | null;

  constructor(context: ApiContext) {
    const { database } = context.config;
    this.#context = context;
    this.#thread = isPostgres(database)
      ? null
      : new DatabaseThread(new URL('./counts-thread.ts', import.meta.url), database);
  }

  run(): Promise<void> {
    const thread = this.#thread;
    return thread === null
      ? evaluateAlerts(this.#context)
      : evaluateAlerts(this.#context, (request) => thread.ask(request));
  }

  async stop(): Promise<void> {
    await this.#thread?.close();
  }
}

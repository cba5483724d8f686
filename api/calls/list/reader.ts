// Lists of calls for the API: queries that the kept totals can answer run here at once; the others run on a reader
// thread, whose totals are cached for 5 s.
import { type CallFilter, countKept, isKept } from '../../../db/queries/calls/list/counts.ts';
import { type CallOrder, isJudged } from '../../../db/queries/calls/list/judged-pages.ts';
import { findPage, KnownDays } from '../../../db/queries/calls/list/page-starts.ts';
import { pageOfCalls } from '../../../db/queries/calls/list/pages.ts';
import type { Db } from '../../../db/schema.ts';
import { retryLater } from '../../frame/errors.ts';
import { DatabaseThread } from '../../threads/database-thread.ts';
import type { CallPage, ReadRequest } from './reader-thread.ts';

/** Rows that may be skipped on the API's own thread: about 0.02 ms per thousand. */
const SKIP_INLINE = 20_000;
const TOTAL_LIVES_MS = 5_000;
const TOTALS_MAX = 1_000;
/**
 * Reads that may wait, accounts in turn; past it the newest of whoever waits with most is 429. At 50-150 ms each, more
 * would outlast the client's timeout.
 */
const WAITING_MAX = 64;
const BUSY_RETRY_SECONDS = 2;

export class CallReader {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #thread: DatabaseThread<ReadRequest, CallPage>;
  readonly #days = new KnownDays();
  readonly #totals = new Map<string, { total: number; until: number }>();

  constructor(db: Db, database: string, now: () => number) {
    this.#db = db;
    this.#thread = new DatabaseThread(new URL('./reader-thread.ts', import.meta.url), database);
    this.#now = now;
  }

  async read(
    accountId: string,
    filter: CallFilter,
    page: { limit: number; offset: number },
    order: CallOrder = '-startedAt',
  ): Promise<CallPage> {
    if (order === 'startedAt' && isKept(filter)) {
      const { total } = await countKept(this.#db, accountId, filter);
      return this.#ask(accountId, filter, order, page, total);
    }
    if (isKept(filter) && !isJudged(filter, order)) {
      const { total, changes } = await countKept(this.#db, accountId, filter);
      const place = { ...page, total };
      const readDays = this.#days.reader(this.#db, accountId, filter, changes);
      const start = await findPage(this.#db, accountId, filter, place, readDays);
      if (start === null) return { records: '', total, isExact: true };
      if (start.offset > SKIP_INLINE) return this.#ask(accountId, filter, order, page, total);
      return { records: await pageOfCalls(this.#db, accountId, filter, { ...place, start }), total, isExact: true };
    }
    const asked = { ...filter, outputs: Object.entries(filter.outputs ?? {}).sort() };
    const isScored = order === 'score' || order === '-score';
    const key = JSON.stringify([accountId, Object.entries(asked).sort(), isScored]);
    const kept = this.#totals.get(key);
    const total = kept !== undefined && kept.until > this.#now() ? kept.total : null;
    const answer = await this.#ask(accountId, filter, order, page, total);
    if (total === null) {
      this.#totals.delete(key);
      if (this.#totals.size >= TOTALS_MAX) {
        const oldest = this.#totals.keys().next().value;
        if (oldest !== undefined) this.#totals.delete(oldest);
      }
      this.#totals.set(key, { total: answer.total, until: this.#now() + TOTAL_LIVES_MS });
    }
    return answer;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #ask(
    accountId: string,
    filter: CallFilter,
    order: CallOrder,
    page: { limit: number; offset: number },
    total: number | null,
  ) {
    const answer = this.#thread.ask({ accountId, filter, order, ...page, total });
    if (this.#thread.queued > WAITING_MAX) {
      this.#thread.refuseOne(
        retryLater('COUNTS_BUSY', 'Too many combined filters are being counted', BUSY_RETRY_SECONDS),
      );
    }
    return answer;
  }
}

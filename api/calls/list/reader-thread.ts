// Runs slow reads of calls (several filters together, filters by results, pages deep in one busy day) on their own
// thread, so the API's thread never waits for more than a page. It has a connection of its own, which cannot write.

import { openDatabase } from '../../../db/database.ts';
import type { CallFilter } from '../../../db/queries/calls/list/counts.ts';
import { type CallOrder, countJudged, isJudged, judgedPage } from '../../../db/queries/calls/list/judged-pages.ts';
import { countCalls, pageOfCalls, recordsOf } from '../../../db/queries/calls/list/pages.ts';
import { answerRequests } from '../../threads/database-thread.ts';

export interface ReadRequest {
  accountId: string;
  filter: CallFilter;
  order: CallOrder;
  limit: number;
  offset: number;
  /** Null: count first. */
  total: number | null;
}

export interface CallPage {
  /** Records as JSON, separated by commas. */
  records: string;
  total: number;
  /** The total was read with the records, and is no older. */
  isExact?: boolean;
}

answerRequests<ReadRequest, CallPage>((database) => {
  const db = openDatabase(database, { readonly: true });
  return async ({ accountId, filter, order, limit, offset, total: known }) => {
    if (isJudged(filter, order)) {
      const total = known ?? (await countJudged(db, accountId, filter, order));
      const ids = offset >= total ? [] : await judgedPage(db, accountId, filter, { order, limit, offset });
      return { records: await recordsOf(db, accountId, ids), total };
    }
    const total = known ?? (await countCalls(db, accountId, filter));
    const records = offset >= total ? '' : await pageOfCalls(db, accountId, filter, { limit, offset, total });
    return { records, total };
  };
});

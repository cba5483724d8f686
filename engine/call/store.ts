// Database reads of a running call.
import { searchPassages } from '../../db/queries/knowledge/search.ts';
import { listBooked } from '../../db/rules/booking.ts';
import type { Db } from '../../db/schema.ts';
import { PASSAGES_IN_A_TURN } from '../../models/knowledge/passages-in-a-turn.ts';
import { contactAfterAttempt } from '../campaign/retry.ts';
import type { CallStore } from './context.ts';

/** `vectorOf`: null where no server makes vectors. */
export function createCallStore(read: Db, vectorOf: CallStore['vectorOf'] | null): CallStore {
  return {
    async listBooked(accountId, range) {
      const rows = await listBooked(read, accountId, range);
      return rows.map((row) => ({ startMs: row.startsAt, endMs: row.endsAt }));
    },
    searchPassages: (accountId, of) => searchPassages(read, { accountId, ...of, limit: PASSAGES_IN_A_TURN }),
    ...(vectorOf ? { vectorOf } : {}),
    contactAfterAttempt: (contactId, end) => contactAfterAttempt(read, contactId, end),
  };
}

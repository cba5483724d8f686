// Database reads of a running call.
import { listBooked } from '../../db/rules/booking.ts';
import type { Db } from '../../db/schema.ts';
import { contactAfterAttempt } from '../campaign/retry.ts';
import type { CallStore } from './context.ts';

export function createCallStore(read: Db): CallStore {
  return {
    async listBooked(accountId, range) {
      const rows = await listBooked(read, accountId, range);
      return rows.map((row) => ({ startMs: row.startsAt, endMs: row.endsAt }));
    },
    contactAfterAttempt: (contactId, end) => contactAfterAttempt(read, contactId, end),
  };
}

// Indexes documents again whose terms an earlier release made: one document in a transaction, until none is left.
import { documentsToIndex, indexAgain } from '../../db/queries/knowledge/documents.ts';
import type { ApiContext } from '../context.ts';

/** A document of 60 passages takes some milliseconds of the API's thread. */
const AT_ONCE = 2;

/** False: none is left. */
export async function indexOlderDocuments({ db, read }: Pick<ApiContext, 'db' | 'read'>): Promise<boolean> {
  const rows = await documentsToIndex(read, AT_ONCE);
  for (const row of rows) await db.transaction().execute((trx) => indexAgain(trx, row));
  return rows.length > 0;
}

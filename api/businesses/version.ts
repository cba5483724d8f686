// A business as its versions keep it: its fields, and which documents it has.
import { documentsInShort } from '../../db/queries/knowledge/documents.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { Db } from '../../db/schema.ts';
import { keepVersion } from '../versions/keep.ts';
import { businessRecord } from './record.ts';

/** A currency that nobody has chosen follows the country. */
export async function businessVersion(db: Db, row: BusinessTable) {
  const documents = await documentsInShort(db, row.accountId, row.id);
  return { ...businessRecord(row), currency: row.currency, documents };
}

/** Carries out a person's change of its documents, and keeps the version that it makes. */
export async function withVersion<T>(
  db: Db,
  userId: string,
  row: BusinessTable,
  nowMs: number,
  change: () => Promise<T>,
): Promise<T> {
  const before = await businessVersion(db, row);
  const changed = await change();
  const after = await businessVersion(db, row);
  await keepVersion(db, { accountId: row.accountId, userId }, { subject: 'business', before, after, nowMs });
  return changed;
}

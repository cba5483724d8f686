// A business as its versions keep it: its fields, and which documents it has.
import { drafted, getDraft } from '../../db/queries/businesses/drafts.ts';
import { documentsInShort } from '../../db/queries/knowledge/documents.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { Db } from '../../db/schema.ts';
import { keepDraftAgain, keepVersion } from '../versions/keep.ts';
import { businessRecord } from './record.ts';

/** A currency that nobody has chosen follows the country. */
export async function businessVersion(db: Db, row: BusinessTable, draft: number | null = null) {
  const documents = await documentsInShort(db, row.accountId, row.id);
  return { ...businessRecord(row, draft), currency: row.currency, documents };
}

/** Carries out a person's change of its documents, which calls obey at once, and keeps the version that it makes. */
export async function withVersion<T>(
  db: Db,
  userId: string,
  row: BusinessTable,
  nowMs: number,
  change: () => Promise<T>,
): Promise<T> {
  const draft = await getDraft(db, row.accountId, row.id);
  const number = draft?.number ?? null;
  const before = await businessVersion(db, row);
  const formerDraft = await businessVersion(db, drafted(row, draft), number);
  const changed = await change();
  const after = await businessVersion(db, row);
  const actor = { accountId: row.accountId, userId };
  await keepVersion(db, actor, { subject: 'business', before, after, nowMs });
  if (draft !== undefined) {
    const laterDraft = await businessVersion(db, drafted(row, draft), number);
    await keepDraftAgain(db, actor, draft, { before: formerDraft, after: laterDraft, nowMs });
  }
  return changed;
}

// Documents of a business: added with their passages in parts, replaced when they are read again, indexed anew for a
// later release, and due ones claimed so that one process reads each again.
import type { Selectable } from 'kysely';
import { INDEX_VERSION, type IndexedDocument, indexed, markOf } from '../../language/analysis.ts';
import type { DocumentTable } from '../../schema/knowledge.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { addNames } from './names.ts';
import { addPassages, insertPassages, removePassages } from './passage-rows.ts';

export type DocumentRow = Selectable<DocumentTable>;
/** As it is added: the index's version is this release's. */
export type NewDocument = Omit<DocumentRow, 'indexVersion' | 'vectorFailures'>;

/** Index version of a document whose passages are still being added. */
const ADDING = -1;

/** Without those that are still being added. */
const own = (db: Db, accountId: string, businessId: string) =>
  db
    .selectFrom('documents')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('indexVersion', '>', ADDING);

/** Newest first, and how many there are. */
export function listDocuments(
  db: Db,
  accountId: string,
  businessId: string,
  page: Page,
): Promise<{ rows: DocumentRow[]; total: number }> {
  return newestPage(own(db, accountId, businessId), page);
}

/** All of a business in short, in order of their addition: names, lengths and hashes. */
export function documentsInShort(db: Db, accountId: string, businessId: string) {
  return db
    .selectFrom('documents')
    .select(['id', 'name', 'characters', 'textHash'])
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('indexVersion', '>', ADDING)
    .orderBy('id')
    .execute();
}

export function getDocument(
  db: Db,
  accountId: string,
  businessId: string,
  id: string,
): Promise<DocumentRow | undefined> {
  return own(db, accountId, businessId).where('id', '=', id).executeTakeFirst();
}

/** How many documents the business has, and how many characters they have together. */
export async function documentTotals(
  db: Db,
  accountId: string,
  businessId: string,
): Promise<{ documents: number; characters: number }> {
  const row = await db
    .selectFrom('documents')
    .select(({ fn }) => [fn.countAll<number>().as('documents'), fn.sum<number | null>('characters').as('characters')])
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .executeTakeFirstOrThrow();
  return { documents: Number(row.documents), characters: Number(row.characters ?? 0) };
}

/** Its row and its first passages; `addPassages` adds the others, and `finishDocument` makes it one that is there. */
export async function beginDocument(db: Db, document: NewDocument, first: IndexedDocument['passages']): Promise<void> {
  await db
    .insertInto('documents')
    .values({ ...document, indexVersion: ADDING })
    .execute();
  await addPassages(db, document, first);
}

/** @throws {Error} when the document is gone */
export async function finishDocument(db: Db, document: NewDocument, names: IndexedDocument['names']): Promise<void> {
  const { id, accountId, businessId } = document;
  await addNames(db, id, { accountId, businessId, mark: markOf(businessId) }, names);
  const isThere = await updateDocument(db, document, { indexVersion: INDEX_VERSION });
  if (!isThere) throw new Error('the document was deleted while it was added');
}

/** Drops documents whose process ended while it added them: nobody was told of them. */
export async function dropUnfinished(db: Db, beforeMs: number): Promise<void> {
  const rows = await db
    .selectFrom('documents')
    .selectAll()
    .where('indexVersion', '=', ADDING)
    .where('createdAt', '<', beforeMs)
    .limit(10)
    .execute();
  for (const { accountId, businessId, id } of rows) await deleteDocument(db, accountId, businessId, id);
}

/** Columns of the document; false when there is none. */
export async function updateDocument(
  db: Db,
  { id, accountId }: Pick<DocumentRow, 'id' | 'accountId'>,
  changes: Partial<DocumentRow>,
): Promise<boolean> {
  const changed = await db
    .updateTable('documents')
    .set(changes)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Other passages in the place of all that the document has. */
export async function replacePassages(
  db: Db,
  document: Pick<DocumentRow, 'id' | 'accountId' | 'businessId'>,
  read: IndexedDocument,
): Promise<void> {
  await removePassages(db, document);
  await insertPassages(db, document, read);
  await updateDocument(db, document, { vectorKind: null, vectorsDueAt: null });
}

/** Documents whose terms another version made. */
export function documentsToIndex(db: Db, limit: number): Promise<DocumentRow[]> {
  return db
    .selectFrom('documents')
    .selectAll()
    .where('indexVersion', '>', ADDING)
    .where('indexVersion', '<', INDEX_VERSION)
    .orderBy('indexVersion')
    .limit(limit)
    .execute();
}

/** Its terms, by this release's analysis. */
export async function indexAgain(db: Db, document: DocumentRow): Promise<void> {
  const { id, accountId } = document;
  const texts = await db
    .selectFrom('passages')
    .select(['heading', 'body'])
    .where('accountId', '=', accountId)
    .where('documentId', '=', id)
    .orderBy('seq')
    .execute();
  await replacePassages(db, document, indexed(texts));
  await updateDocument(db, document, { indexVersion: INDEX_VERSION });
}

/** Documents that are due to be read again, the longest overdue first, `perAccount` of an account at most. */
export function documentsDue(
  db: Db,
  nowMs: number,
  { limit, perAccount }: { limit: number; perAccount: number },
): Promise<DocumentRow[]> {
  const numbered = db
    .selectFrom('documents')
    .innerJoin('businesses', 'businesses.id', 'documents.businessId')
    .where('businesses.deletedAt', 'is', null)
    .where('refreshAt', '<=', nowMs)
    .select(['documents.id', 'refreshAt'])
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((window) => window.partitionBy('documents.accountId').orderBy('refreshAt'))
        .as('place'),
    );
  return db
    .selectFrom('documents')
    .innerJoin(numbered.as('due'), 'due.id', 'documents.id')
    .selectAll('documents')
    .where('due.place', '<=', perAccount)
    .orderBy('due.refreshAt')
    .limit(limit)
    .execute();
}

/** Puts off the next reading; false when another process did before. */
export async function claimRefresh(
  db: Db,
  { id, accountId, refreshAt }: Pick<DocumentRow, 'id' | 'accountId' | 'refreshAt'>,
  nextMs: number,
): Promise<boolean> {
  const claimed = await db
    .updateTable('documents')
    .set({ refreshAt: nextMs })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('refreshAt', '=', refreshAt)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** With its passages. False when the business has none of this id. */
export async function deleteDocument(db: Db, accountId: string, businessId: string, id: string): Promise<boolean> {
  const its = { accountId, businessId, id };
  const isThere = await isDocument(db, its);
  if (!isThere) return false;
  // First the passages, by which the index and the names know what goes.
  await removePassages(db, its);
  const gone = await db
    .deleteFrom('documents')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return gone !== undefined;
}

/** Also one that is still being added. */
async function isDocument(
  db: Db,
  { id, accountId, businessId }: Pick<DocumentRow, 'id' | 'accountId' | 'businessId'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('documents')
    .select('id')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

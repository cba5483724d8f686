// The passages of a business's documents: added in parts, taken away with what the index and the names know of them,
// and their headings.
import { type IndexedDocument, markOf } from '../../language/analysis.ts';
import type { Db } from '../../schema.ts';
import { addNames, removeNames } from './names.ts';
import { removeVectors } from './vectors.ts';

interface OfDocument {
  id: string;
  accountId: string;
  businessId: string;
}

/** A passage as it is stored; a statement takes a few hundred. */
const PASSAGES_AT_ONCE = 200;

export async function insertPassages(
  db: Db,
  document: OfDocument,
  { passages, names }: IndexedDocument,
): Promise<void> {
  const { id, accountId, businessId } = document;
  await addPassages(db, document, passages);
  await addNames(db, id, { accountId, businessId, mark: markOf(businessId) }, names);
}

export async function addPassages(
  db: Db,
  { id: documentId, accountId, businessId }: OfDocument,
  passages: IndexedDocument['passages'],
): Promise<void> {
  const mark = markOf(businessId);
  for (let from = 0; from < passages.length; from += PASSAGES_AT_ONCE) {
    const some = passages.slice(from, from + PASSAGES_AT_ONCE);
    await db
      .insertInto('passages')
      .values(some.map((passage) => ({ documentId, accountId, businessId, mark, ...passage })))
      .execute();
  }
}

export async function removePassages(db: Db, { id, accountId, businessId }: OfDocument): Promise<void> {
  await removeNames(db, id, { accountId, businessId });
  await removeVectors(db, { id, accountId });
  await db.deleteFrom('passages').where('accountId', '=', accountId).where('documentId', '=', id).execute();
}

/** The number of passages that are looked at for their headings. */
const HEADINGS_OF = 300;

/** The lowest headings of the business's passages, each once, the first few hundred; null: it has no passages. */
export async function headingsOf(db: Db, accountId: string, businessId: string): Promise<string[] | null> {
  const rows = await db
    .selectFrom('passages')
    .select('heading')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .limit(HEADINGS_OF)
    .execute();
  if (rows.length === 0) return null;
  const lowest = rows.map(({ heading }) => heading.split(' > ').at(-1) ?? '');
  return [...new Set(lowest)].filter((heading) => heading !== '');
}

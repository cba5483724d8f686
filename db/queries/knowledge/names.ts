// The names, codes and words of headings in a business's documents, each once, with its trigrams: a misheard word of a
// caller, which no document has, is looked for among them.

import { likeness, trigramsOf } from '../../language/sounds.ts';
import type { Db } from '../../schema.ts';
import { namesWith } from './postings.ts';

interface Of {
  accountId: string;
  businessId: string;
  mark: string;
}

const AT_ONCE = 200;

const gramText = (sound: string): string =>
  trigramsOf(sound)
    .map((gram) => ` ${gram}`)
    .join('');

/** Adds the names of one more document. */
export async function addNames(db: Db, documentId: string, of: Of, names: ReadonlyMap<string, string>): Promise<void> {
  if (names.size === 0) return;
  // In one order, so that two documents that come at once do not wait for each other.
  const terms = [...names.keys()].sort();
  await db
    .insertInto('documentNames')
    .values({ ...ownedBy(of), documentId, terms: terms.join(' ') })
    .execute();
  for (let from = 0; from < terms.length; from += AT_ONCE) {
    const some = terms.slice(from, from + AT_ONCE);
    await db
      .insertInto('knowledgeNames')
      .values(
        some.map((term) => {
          const sound = names.get(term) ?? term;
          return { ...of, term, sound, grams: gramText(sound), uses: 1 };
        }),
      )
      .onConflict((conflict) =>
        conflict.columns(['businessId', 'term']).doUpdateSet(({ eb, ref }) => ({
          uses: eb(ref('knowledgeNames.uses'), '+', 1),
        })),
      )
      .execute();
  }
}

const ownedBy = ({ accountId, businessId }: Of) => ({ accountId, businessId });

/**
 * Removes the names of a document that goes, or is written anew. A name that no other document has is gone with every
 * letter.
 */
export async function removeNames(
  db: Db,
  documentId: string,
  { accountId, businessId }: Omit<Of, 'mark'>,
): Promise<void> {
  const mine = await db
    .deleteFrom('documentNames')
    .where('accountId', '=', accountId)
    .where('documentId', '=', documentId)
    .returning('terms')
    .executeTakeFirst();
  const terms = mine?.terms.split(' ') ?? [];
  for (let from = 0; from < terms.length; from += AT_ONCE) {
    const some = terms.slice(from, from + AT_ONCE);
    await db
      .deleteFrom('knowledgeNames')
      .where('accountId', '=', accountId)
      .where('businessId', '=', businessId)
      .where('term', 'in', some)
      .where('uses', '<=', 1)
      .execute();
    await db
      .updateTable('knowledgeNames')
      .set(({ eb }) => ({ uses: eb('uses', '-', 1) }))
      .where('accountId', '=', accountId)
      .where('businessId', '=', businessId)
      .where('term', 'in', some)
      .execute();
  }
}

/** A trigram that more names have tells little. */
const PER_GRAM = 200;
const CANDIDATES = 40;
const LIKE_MIN = 0.45;
const LIKE_MAX = 4;

interface LikeName {
  term: string;
  /** 0 to 1. */
  likeness: number;
}

/** The likest first. */
export async function namesLike(db: Db, { accountId, businessId, mark }: Of, sound: string): Promise<LikeName[]> {
  const grams = trigramsOf(sound).map((gram) => `${mark}${gram}`);
  const shared = new Map<number, number>();
  for (const seqs of await namesWith(db, grams, PER_GRAM))
    for (const seq of seqs) shared.set(seq, (shared.get(seq) ?? 0) + 1);
  const best = [...shared].sort(([, a], [, b]) => b - a).slice(0, CANDIDATES);
  if (best.length === 0) return [];
  const rows = await db
    .selectFrom('knowledgeNames')
    .select(['term', 'sound'])
    .where(
      'seq',
      'in',
      best.map(([seq]) => seq),
    )
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .execute();
  return rows
    .map((row) => ({ term: row.term, likeness: likeness(sound, row.sound) }))
    .filter((name) => name.likeness >= LIKE_MIN)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, LIKE_MAX);
}

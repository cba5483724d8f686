// The passages of a business that fit a question best: SQLite's FTS5 by BM25, PostgreSQL's text search by cover
// density.
import { sql } from 'kysely';
import { stemmer } from 'stemmer';
import { dialectOf } from '../../dialect.ts';
import type { Db } from '../../schema.ts';
import { searchWords } from './words.ts';

export interface FoundPassage {
  documentId: string;
  /** The document's. */
  name: string;
  heading: string;
  body: string;
}

interface Search {
  accountId: string;
  businessId: string;
  words: readonly string[];
  limit: number;
}

/** The best first. Empty where the question has no word that tells anything. */
export async function searchPassages(
  db: Db,
  { question, ...of }: Omit<Search, 'words'> & { question: string },
): Promise<FoundPassage[]> {
  const words = searchWords(question);
  if (words.length === 0) return [];
  const search = dialectOf(db).kind === 'sqlite' ? searchSqlite : searchPostgres;
  return search(db, { ...of, words });
}

/** A heading weighs twice as much as the text below it. */
async function searchSqlite(db: Db, { accountId, businessId, words, limit }: Search): Promise<FoundPassage[]> {
  const asked = await queryOf(db, words);
  if (asked === null) return [];
  const { rows } = await sql<FoundPassage>`
    select p.document_id, d.name, p.heading, p.body
    from passage_words w
    join passages p on p.seq = w.rowid
    join documents d on d.id = p.document_id
    where passage_words match ${asked} and p.account_id = ${accountId} and p.business_id = ${businessId}
    order by bm25(passage_words, 2.0, 1.0) limit ${limit}`.execute(db);
  return rows;
}

/** Passages that are ranked for one question: some milliseconds. */
const MAX_RANKED = 800;
const MAX_COMMON = 4;
/** A word's count is asked for again after so long: it only decides what is asked first. */
const COUNTED_FOR_MS = 600_000;
const MAX_COUNTED = 5_000;

interface Counts {
  since: number;
  counts: Map<string, number>;
}
const known = new WeakMap<Db, Counts>();

/**
 * Any of the words that few passages have: of BM25's score they are nearly all, and ranking all that have a common word
 * takes a tenth of a second in a large collection. Where each is common, those that have several. A word that no
 * passage has is left out; null: none is left.
 */
async function queryOf(db: Db, words: readonly string[]): Promise<string | null> {
  const counted = await Promise.all(words.map(async (word) => ({ word, count: await countOf(db, word) })));
  const found = counted.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count);
  const [first] = found;
  if (first === undefined) return null;
  if (first.count > MAX_RANKED) return quoted(found.slice(0, MAX_COMMON), ' AND ');
  let ranked = 0;
  const rare = found.filter(({ count }) => {
    ranked += count;
    return ranked <= MAX_RANKED;
  });
  return quoted(rare, ' OR ');
}

const quoted = (words: ReadonlyArray<{ word: string }>, joint: string): string =>
  words.map(({ word }) => `"${word}"`).join(joint);

async function countOf(db: Db, word: string): Promise<number> {
  let kept = known.get(db);
  if (kept === undefined || kept.counts.size > MAX_COUNTED || performance.now() - kept.since > COUNTED_FOR_MS) {
    kept = { since: performance.now(), counts: new Map() };
    known.set(db, kept);
  }
  const before = kept.counts.get(word);
  if (before !== undefined && before > 0) return before;
  const term = indexedTerm(word);
  const { rows } = await sql<{ doc: number }>`select doc from passage_terms where term = ${term}`.execute(db);
  const count = rows[0]?.doc ?? 0;
  kept.counts.set(word, count);
  return count;
}

/** As the index has it: without accents, and by Porter's stem. */
const indexedTerm = (word: string): string => stemmer(word.normalize('NFD').replace(/\p{M}/gu, ''));

async function searchPostgres(db: Db, { accountId, businessId, words, limit }: Search): Promise<FoundPassage[]> {
  const any = words.map((word) => `'${word}'`).join(' | ');
  const { rows } = await sql<FoundPassage>`
    select p.document_id, d.name, p.heading, p.body
    from passages p
    join documents d on d.id = p.document_id, to_tsquery('english', ${any}) question
    where to_tsvector('english', p.heading || ' ' || p.body) @@ question
      and p.account_id = ${accountId} and p.business_id = ${businessId}
    order by ts_rank_cd(to_tsvector('english', p.heading || ' ' || p.body), question, 1) desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

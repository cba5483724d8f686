// The passages of a business that fit a question best, by BM25 over their terms. First the index gives candidates, at
// most so many for each term; then these alone are ranked exactly, by all words of the question. What a caller's word
// that no document has may have been, its sound says.
import type { Db } from '../../schema.ts';
import { type AskedQuestion, type AskedWord, analysed, markOf } from './analysis.ts';
import { namesLike } from './names.ts';
import { type Posting, passagesWithAll, postingsOf } from './postings.ts';
import { soundOf } from './sounds.ts';

export interface FoundPassage {
  documentId: string;
  /** The document's. */
  name: string;
  heading: string;
  body: string;
}

interface Of {
  accountId: string;
  businessId: string;
}

/** What is looked for: a word of the question in any of its forms, with what it counts. */
interface Wanted {
  terms: readonly string[];
  weight: number;
  /** Passages of the business that have it, or so many at least. */
  passages: number;
}

/** Passages that are read of one term: with more, a term decides little, and others choose the candidates. */
const PER_TERM = 200;
/** Passages that are ranked exactly: a millisecond. */
const RANKED = 48;
/** Common terms that a candidate has together. */
const TOGETHER = 3;
/** Words that are looked for by their sound. */
const MISHEARD_MAX = 4;
/** Beside the words of a question, what it may have been by its sound counts this much. */
const MISHEARD_WEIGHT = 1;

/** The best first. Empty where the question has no word that tells anything. */
export async function searchPassages(
  db: Db,
  { question, limit, ...of }: Of & { question: string; limit: number },
): Promise<FoundPassage[]> {
  const asked = analysed(question);
  const mark = markOf(of.businessId);
  const found = await lookUp(db, mark, asked);
  const wanted = [...found.wanted, ...(await misheard(db, { ...of, mark }, asked, found))];
  const seqs = await candidates(db, mark, wanted, found.postings);
  if (seqs.length === 0) return [];
  const total = await passagesOf(db, of);
  return (await ranked(db, of, seqs, wanted, total)).slice(0, limit);
}

interface LookedUp {
  wanted: Wanted[];
  /** Words that no passage has. */
  missing: AskedWord[];
  isCodeFound: boolean;
  postings: Map<string, number[]>;
}

/** The words and codes of the question that passages have. */
async function lookUp(db: Db, mark: string, { words, codes }: AskedQuestion): Promise<LookedUp> {
  const terms = [...new Set([...words.flatMap((word) => word.terms), ...codes])];
  const postings = await readPostings(db, mark, terms);
  const countOf = (some: readonly string[]): number =>
    new Set(some.flatMap((term) => postings.get(term) ?? [])).size;
  const wanted: Wanted[] = [];
  // The longest code that there is; parts of it are none.
  const said: string[] = [];
  for (const code of codes) {
    if (countOf([code]) === 0 || said.some((longer) => longer.includes(code))) continue;
    said.push(code);
    wanted.push({ terms: [code], weight: 1, passages: countOf([code]) });
  }
  const missing: AskedWord[] = [];
  for (const word of words) {
    const passages = countOf(word.terms);
    if (passages === 0) missing.push(word);
    else if (!said.includes(word.word)) wanted.push({ terms: word.terms, weight: 1, passages });
  }
  return { wanted, missing, isCodeFound: said.length > 0, postings };
}

/** Of each term, in headings and in texts, which passages have it. */
async function readPostings(db: Db, mark: string, terms: readonly string[]): Promise<Map<string, number[]>> {
  const asked = terms.flatMap((term) => [`${mark}h${term}`, `${mark}b${term}`]);
  const found = new Map<string, number[]>();
  const add = ({ asked: at, seq }: Posting): void => {
    const term = terms[at >> 1] ?? '';
    const seqs = found.get(term);
    if (seqs === undefined) found.set(term, [seq]);
    else seqs.push(seq);
  };
  for (const posting of await postingsOf(db, asked, PER_TERM)) add(posting);
  return found;
}

/** What words that no passage has may have been. */
async function misheard(
  db: Db,
  of: Of & { mark: string },
  { codes }: AskedQuestion,
  { missing, isCodeFound, postings }: LookedUp,
): Promise<Wanted[]> {
  const sounds = missing.map(({ word }) => soundOf(word));
  const [code] = codes;
  if (!isCodeFound && code !== undefined && /\d/.test(code) && code.length >= 4) sounds.push(code);
  const wanted: Wanted[] = [];
  for (const sound of sounds.filter(({ length }) => length > 2).slice(0, MISHEARD_MAX)) {
    const like = await namesLike(db, of, sound);
    const terms = like.map(({ term }) => term);
    const read = await readPostings(db, of.mark, terms.filter((term) => !postings.has(term)));
    for (const [term, seqs] of read) postings.set(term, seqs);
    for (const { term, likeness } of like)
      wanted.push({
        terms: [term],
        weight: MISHEARD_WEIGHT * likeness * likeness,
        passages: new Set(postings.get(term)).size,
      });
  }
  return wanted;
}

/** The passages that have rare terms, and those that have several common ones. */
async function candidates(
  db: Db,
  mark: string,
  wanted: readonly Wanted[],
  postings: ReadonlyMap<string, number[]>,
): Promise<number[]> {
  const scores = new Map<number, number>();
  const byRarity = [...wanted].sort((a, b) => a.passages - b.passages);
  const common: Wanted[] = [];
  for (const each of byRarity) {
    if (each.passages >= PER_TERM) common.push(each);
    const worth = each.weight / Math.log2(2 + each.passages);
    for (const seq of each.terms.flatMap((term) => postings.get(term) ?? []))
      scores.set(seq, (scores.get(seq) ?? 0) + worth);
  }
  const together = common
    .slice(0, TOGETHER)
    .map(({ terms }) => terms.flatMap((term) => [`${mark}h${term}`, `${mark}b${term}`]));
  if (together.length > 1)
    for (const seq of await passagesWithAll(db, together, PER_TERM)) scores.set(seq, (scores.get(seq) ?? 0) + 1);
  return [...scores]
    .sort(([, a], [, b]) => b - a)
    .slice(0, RANKED)
    .map(([seq]) => seq);
}

/** A business's passages are counted again after so long: it only decides how rare a word is. */
const COUNTED_FOR_MS = 60_000;
const counts = new Map<string, { at: number; passages: number }>();
const COUNTS_MAX = 1_000;

async function passagesOf(db: Db, { accountId, businessId }: Of): Promise<number> {
  const known = counts.get(businessId);
  if (known !== undefined && performance.now() - known.at < COUNTED_FOR_MS) return known.passages;
  const row = await db
    .selectFrom('documents')
    .select(({ fn }) => fn.sum<number | null>('passages').as('passages'))
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .executeTakeFirst();
  const passages = Number(row?.passages ?? 0);
  if (counts.size >= COUNTS_MAX) counts.clear();
  counts.set(businessId, { at: performance.now(), passages });
  return passages;
}

/** Robertson and Zaragoza (2009): how much a word counts that is said again, and how much the length of a passage. */
const K1 = 1.2;
const B = 0.5;
/** A heading weighs more than the text below it. */
const HEADING_WEIGHT = 2;
/** Terms of a passage of usual length. */
const USUAL_TERMS = 60;

interface Row extends FoundPassage {
  seq: number;
  headingTerms: string;
  bodyTerms: string;
}

async function ranked(
  db: Db,
  { accountId, businessId }: Of,
  seqs: readonly number[],
  wanted: readonly Wanted[],
  total: number,
): Promise<FoundPassage[]> {
  const rows: Row[] = await db
    .selectFrom('passages')
    .innerJoin('documents', 'documents.id', 'passages.documentId')
    .select(['passages.seq', 'passages.documentId', 'documents.name', 'passages.heading', 'passages.body'])
    .select(['passages.headingTerms', 'passages.bodyTerms'])
    .where('passages.seq', 'in', seqs)
    .where('passages.accountId', '=', accountId)
    .where('passages.businessId', '=', businessId)
    .execute();
  const all = Math.max(total, rows.length);
  const scored = rows.map((row) => ({ row, score: score(row, wanted, all) }));
  return scored
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score || a.row.seq - b.row.seq)
    .map(({ row: { documentId, name, heading, body } }) => ({ documentId, name, heading, body }));
}

function score({ headingTerms, bodyTerms }: Row, wanted: readonly Wanted[], total: number): number {
  const heading = termCounts(headingTerms);
  const body = termCounts(bodyTerms);
  const length = 1 - B + (B * (heading.total + body.total)) / USUAL_TERMS;
  let sum = 0;
  for (const { terms, weight, passages } of wanted) {
    let often = 0;
    for (const term of terms) often += HEADING_WEIGHT * (heading.counts.get(term) ?? 0) + (body.counts.get(term) ?? 0);
    if (often === 0) continue;
    const rarity = Math.log(1 + (total - passages + 0.5) / (Math.min(passages, total) + 0.5));
    sum += weight * rarity * ((often * (K1 + 1)) / (often + K1 * length));
  }
  return sum;
}

function termCounts(terms: string): { counts: Map<string, number>; total: number } {
  const counts = new Map<string, number>();
  const each = terms.split(' ');
  for (const term of each) if (term !== '') counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, total: each.length - 1 };
}

// The passages of a business that fit a question best, by BM25 over their terms. First the index gives candidates, at
// most so many for each term; then these alone are ranked exactly, by all words of the question. What a caller's word
// that no document has may have been, its sound says.
import { sql } from 'kysely';
import type { Db } from '../../schema.ts';
import { type AskedQuestion, type AskedWord, analysed, markOf } from './analysis.ts';
import { kindredOf } from './kindred.ts';
import { namesLike } from './names.ts';
import { countsOf, numbersOf, passagesWithAll, postingsOf } from './postings.ts';
import { soundOf } from './sounds.ts';
import { likest, type Vector } from './vectors.ts';

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
const PER_TERM = 80;
/** Passages that are ranked exactly: a millisecond. */
const RANKED = 48;
/** Common terms that a candidate has together. */
const TOGETHER = 3;
/** Words that are looked for by their sound. */
const MISHEARD_MAX = 4;
/** Beside the words of a question, what it may have been by its sound counts this much. */
const MISHEARD_WEIGHT = 1;

/** What a word of the same meaning counts beside the one that was said. */
const KINDRED_WEIGHT = 0.5;
const TERMS_MAX = 120;

/** The best first. Empty where the question has no word that tells anything. */
export async function searchPassages(
  db: Db,
  { question, limit, vector = null, ...of }: Of & { question: string; limit: number; vector?: Vector | null },
): Promise<FoundPassage[]> {
  const asked = analysed(question);
  if (asked.words.length === 0 && asked.codes.length === 0) return [];
  const mark = markOf(of.businessId);
  const found = await lookUp(db, mark, asked);
  const wanted = [...found.wanted, ...(await misheard(db, { ...of, mark }, asked, found))];
  const seqs = await candidates(db, mark, wanted, found.postings);
  if (seqs.length === 0 && vector === null) return [];
  const total = await passagesOf(db, of);
  const byWords = await ranked(db, of, seqs, wanted, total);
  const best =
    vector === null ? byWords : joined(byWords, await likest(db, of, vector, { total, found: byWords, limit: RANKED }));
  return textsOf(db, of, best.slice(0, limit));
}

/** Cormack, Clarke and Büttcher (2009): places of two lists, whose scores cannot be compared. */
const RECIPROCAL = 60;

function joined(...lists: ReadonlyArray<readonly number[]>): number[] {
  const scores = new Map<number, number>();
  for (const list of lists)
    for (const [place, seq] of list.entries()) scores.set(seq, (scores.get(seq) ?? 0) + 1 / (RECIPROCAL + place + 1));
  return [...scores].sort(([, a], [, b]) => b - a).map(([seq]) => seq);
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
  const kindred = words.map((word) => kindredOf(word.terms));
  const terms = [...new Set([...words.flatMap((word) => word.terms), ...codes, ...kindred.flat()])].slice(0, TERMS_MAX);
  const postings = await readPostings(db, mark, terms);
  const counts = await countCommon(db, mark, postings);
  const countOf = (some: readonly string[]): number => Math.max(0, ...some.map((term) => counts.get(term) ?? 0));
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
  for (const some of kindred) {
    const there = some.filter((term) => countOf([term]) > 0);
    const passages = there.reduce((sum, term) => sum + countOf([term]), 0);
    if (there.length > 0) wanted.push({ terms: there, weight: KINDRED_WEIGHT, passages });
  }
  return { wanted, missing, isCodeFound: said.length > 0, postings };
}

/** A common term is counted again after so long: it only decides how much it counts. */
const COUNTED_FOR_MS = 600_000;
const COUNTS_MAX = 20_000;
/** Counting takes half a millisecond where tens of thousands have it: others are taken for common until next time. */
const COUNTED_AT_ONCE = 2;
const COMMON = 10_000;
const commonCounts = new Map<string, { at: number; passages: number }>();

/** In how many passages each term is: those whose list is whole by their list, others are counted. */
async function countCommon(
  db: Db,
  mark: string,
  postings: ReadonlyMap<string, readonly number[]>,
): Promise<Map<string, number>> {
  const nowMs = performance.now();
  const counts = new Map<string, number>();
  const uncounted: string[] = [];
  for (const [term, seqs] of postings) {
    const known = commonCounts.get(mark + term);
    if (seqs.length < PER_TERM) counts.set(term, new Set(seqs).size);
    else if (known !== undefined && nowMs - known.at < COUNTED_FOR_MS) counts.set(term, known.passages);
    else if (uncounted.length < COUNTED_AT_ONCE) uncounted.push(term);
    else counts.set(term, COMMON);
  }
  const places = await countsOf(
    db,
    uncounted.flatMap((term) => placesOf(mark, term)),
  );
  if (commonCounts.size > COUNTS_MAX) commonCounts.clear();
  for (const [at, term] of uncounted.entries()) {
    const passages = (places[2 * at] ?? 0) + (places[2 * at + 1] ?? 0);
    commonCounts.set(mark + term, { at: nowMs, passages });
    counts.set(term, passages);
  }
  return counts;
}

/** Of each term, in headings and in texts, which passages have it. */
async function readPostings(db: Db, mark: string, terms: readonly string[]): Promise<Map<string, number[]>> {
  const places = terms.flatMap((term) => placesOf(mark, term));
  const lists = await postingsOf(db, places, PER_TERM);
  return new Map(terms.map((term, at) => [term, [...(lists[2 * at] ?? []), ...(lists[2 * at + 1] ?? [])]]));
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
    const read = await readPostings(
      db,
      of.mark,
      terms.filter((term) => !postings.has(term)),
    );
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
  for (const { terms, weight, passages } of wanted) {
    const worth = weight / Math.log2(2 + passages);
    for (const seq of terms.flatMap((term) => postings.get(term) ?? []))
      scores.set(seq, (scores.get(seq) ?? 0) + worth);
  }
  const together = wanted
    .filter(({ passages }) => passages > PER_TERM)
    .sort((a, b) => a.passages - b.passages)
    .slice(0, TOGETHER)
    .map(({ terms }) => terms.flatMap((term) => (postings.get(term)?.length ? placesOf(mark, term) : [])));
  if (together.length > 1)
    for (const seq of await passagesWithAll(db, together, PER_TERM)) scores.set(seq, (scores.get(seq) ?? 0) + 1);
  return [...scores]
    .sort(([, a], [, b]) => b - a)
    .slice(0, RANKED)
    .map(([seq]) => seq);
}

/** A term as it is in headings and in texts. */
const placesOf = (mark: string, term: string): string[] => [`${mark}h${term}`, `${mark}b${term}`];

/** A business's passages are counted again after so long: it only decides how rare a word is. */
const TOTAL_FOR_MS = 60_000;
const TOTALS_MAX = 1_000;
const totals = new Map<string, { at: number; passages: number }>();

async function passagesOf(db: Db, { accountId, businessId }: Of): Promise<number> {
  const known = totals.get(businessId);
  if (known !== undefined && performance.now() - known.at < TOTAL_FOR_MS) return known.passages;
  const row = await db
    .selectFrom('documents')
    .select(({ fn }) => fn.sum<number | null>('passages').as('passages'))
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .executeTakeFirst();
  const passages = Number(row?.passages ?? 0);
  if (totals.size >= TOTALS_MAX) totals.clear();
  totals.set(businessId, { at: performance.now(), passages });
  return passages;
}

/** Robertson and Zaragoza (2009): how much a word counts that is said again, and how much the length of a passage. */
const K1 = 1.2;
const B = 0.5;
/** A heading weighs more than the text below it. */
const HEADING_WEIGHT = 2;
/** Characters of the terms of a passage of usual length. */
const USUAL_LENGTH = 420;

interface TermsOfPassage {
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
): Promise<number[]> {
  const { rows } = await sql<TermsOfPassage>`
    select seq, heading_terms, body_terms from passages
    where seq in (${numbersOf(db, seqs)}) and account_id = ${accountId} and business_id = ${businessId}`.execute(db);
  const scoreOf = scorer(wanted, Math.max(total, rows.length));
  return rows
    .map((row) => ({ seq: Number(row.seq), score: scoreOf(row) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.seq - b.seq)
    .map(({ seq }) => seq);
}

async function textsOf(db: Db, { accountId, businessId }: Of, seqs: readonly number[]): Promise<FoundPassage[]> {
  const { rows } = await sql<FoundPassage & { seq: number }>`
    select p.seq, p.document_id, d.name, p.heading, p.body
    from passages p join documents d on d.id = p.document_id
    where p.seq in (${numbersOf(db, seqs)}) and p.account_id = ${accountId} and p.business_id = ${businessId}`.execute(
    db,
  );
  const places = new Map(seqs.map((seq, at) => [seq, at]));
  return rows
    .sort((a, b) => (places.get(Number(a.seq)) ?? 0) - (places.get(Number(b.seq)) ?? 0))
    .map(({ documentId, name, heading, body }) => ({ documentId, name, heading, body }));
}

function scorer(wanted: readonly Wanted[], total: number): (row: TermsOfPassage) => number {
  const rarities = wanted.map(({ passages, weight }) => {
    const have = Math.min(passages, total);
    return weight * Math.log(1 + (total - have + 0.5) / (have + 0.5));
  });
  const sought = wanted.map(({ terms }) => terms.map((term) => ` ${term} `));
  return ({ headingTerms, bodyTerms }) => {
    const [heading, body] = [`${headingTerms} `, `${bodyTerms} `];
    const long = K1 * (1 - B + (B * (heading.length + body.length)) / USUAL_LENGTH);
    let sum = 0;
    for (const [at, terms] of sought.entries()) {
      let often = 0;
      for (const term of terms) often += HEADING_WEIGHT * timesIn(heading, term) + timesIn(body, term);
      if (often > 0) sum += ((rarities[at] ?? 0) * often * (K1 + 1)) / (often + long);
    }
    return sum;
  };
}

/** Splitting the text would take ten times as long. */
function timesIn(text: string, term: string): number {
  let times = 0;
  // The space behind it is the one before the next.
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length - 1)) times++;
  return times;
}

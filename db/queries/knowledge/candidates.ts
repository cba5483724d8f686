// Finds passages that may fit a question: a bounded part of the index is read, whatever the size of the collection. For
// a caller's word that no document has, words of a similar sound are looked up.

import { type AskedQuestion, type AskedWord, markOf } from '../../language/analysis.ts';
import { kindredOf } from '../../language/kindred.ts';
import { soundOf } from '../../language/sounds.ts';
import type { Db } from '../../schema.ts';
import { namesLike } from './names.ts';
import { countsOf, passagesWithAll, postingsOf } from './postings.ts';

interface Of {
  accountId: string;
  businessId: string;
}

/** A term to look for: a word of the question in any of its forms, with its weight. */
export interface Wanted {
  terms: readonly string[];
  weight: number;
  /** Passages of the business that have it, or so many at least. */
  passages: number;
  /** A code or a long number, which nothing else can be meant by. */
  isCode?: boolean;
}

/** Passages that are read of one term: with more, a term decides little, and others choose the candidates. */
const PER_TERM = 60;
/** Passages that are ranked exactly: a millisecond. */
export const RANKED = 32;
/** Common terms that a candidate has together. */
const TOGETHER = 3;
/** Words that are looked for by their sound. */
const MISHEARD_MAX = 4;
/** Beside the words of a question, what it may have been by its sound counts this much. */
const MISHEARD_WEIGHT = 1;

/** "e201", "4417": a recogniser may write a code as one word. */
const WRITTEN_CODE = /\p{L}\d|\d\p{L}|\d{3}/u;
/** Nobody says a code by chance. */
const CODE_WEIGHT = 2;
/** The weight of a word of the same meaning beside the one that was said. */
const KINDRED_WEIGHT = 0.8;
const TERMS_MAX = 120;

interface Candidates {
  /** Passages, those that have most of what is rare first. */
  seqs: number[];
  wanted: Wanted[];
}

export async function candidatesFor(db: Db, of: Of, asked: AskedQuestion): Promise<Candidates> {
  const mark = markOf(of.businessId);
  const found = await lookUp(db, mark, asked);
  const wanted = [...found.wanted, ...(await misheard(db, { ...of, mark }, asked, found))];
  return { wanted, seqs: await choose(db, mark, wanted, found.postings) };
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
  // A term that is known to be common gives no candidates by itself.
  const rare = terms.filter((term) => commonCount(mark + term) === undefined);
  const postings = await readPostings(db, mark, rare);
  const counts = await countTerms(db, mark, terms, postings);
  const countOf = (some: readonly string[]): number => Math.max(0, ...some.map((term) => counts.get(term) ?? 0));
  const wanted: Wanted[] = [];
  // The longest code that there is; parts of it are none.
  const said: string[] = [];
  for (const code of codes) {
    if (countOf([code]) === 0 || said.some((longer) => longer.includes(code))) continue;
    said.push(code);
    wanted.push({ terms: [code], weight: CODE_WEIGHT, passages: countOf([code]), isCode: true });
  }
  const missing: AskedWord[] = [];
  for (const word of words) {
    const passages = countOf(word.terms);
    if (passages === 0) missing.push(word);
    else if (!(word.isNumber && said.length > 0))
      wanted.push({
        terms: word.terms.filter((term) => countOf([term]) > 0),
        weight: 1,
        passages,
        isCode: WRITTEN_CODE.test(word.word),
      });
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
/** Counting ends here: what so many passages have is taken for a quarter of the business's. */
const COUNTED_MAX = 3_000;
const COMMON = 15_000;
const commonCounts = new Map<string, { at: number; passages: number }>();

/** Of a term that more passages have than are read of one; undefined: it is rare, or not known. */
function commonCount(key: string): number | undefined {
  const known = commonCounts.get(key);
  return known !== undefined && performance.now() - known.at < COUNTED_FOR_MS ? known.passages : undefined;
}

/** In how many passages each term is: those whose list is whole by their list, others are counted, once in a while. */
async function countTerms(
  db: Db,
  mark: string,
  terms: readonly string[],
  postings: ReadonlyMap<string, readonly number[]>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const uncounted: string[] = [];
  for (const term of terms) {
    const seqs = postings.get(term);
    const known = commonCount(mark + term);
    if (known !== undefined) counts.set(term, known);
    else if (seqs === undefined || seqs.length < PER_TERM) counts.set(term, new Set(seqs).size);
    else uncounted.push(term);
  }
  const places = await countsOf(
    db,
    uncounted.flatMap((term) => placesOf(mark, term)),
    COUNTED_MAX,
  );
  if (commonCounts.size > COUNTS_MAX) commonCounts.clear();
  for (const [at, term] of uncounted.entries()) {
    const counted = (places[2 * at] ?? 0) + (places[2 * at + 1] ?? 0);
    const passages = counted < COUNTED_MAX ? counted : COMMON;
    commonCounts.set(mark + term, { at: performance.now(), passages });
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

/** Likely intended words for query words that occur in no passage. */
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
async function choose(
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
  const common = wanted.filter(({ passages }) => passages > PER_TERM).sort((a, b) => a.passages - b.passages);
  // Of too many words together no passage may have all.
  for (let many = Math.min(TOGETHER, common.length); many > 1; many--) {
    const together = common.slice(0, many).map(({ terms }) => terms.flatMap((term) => placesOf(mark, term)));
    const seqs = await passagesWithAll(db, together, PER_TERM);
    for (const seq of seqs) scores.set(seq, (scores.get(seq) ?? 0) + 1);
    if (seqs.length >= TOGETHER) break;
  }
  const [rarest] = common;
  if (scores.size === 0 && rarest !== undefined)
    for (const seqs of (await readPostings(db, mark, rarest.terms)).values())
      for (const seq of seqs) scores.set(seq, 1);
  return [...scores]
    .sort(([, a], [, b]) => b - a)
    .slice(0, RANKED)
    .map(([seq]) => seq);
}

/** A term as it is in headings and in texts. */
const placesOf = (mark: string, term: string): string[] => [`${mark}h${term}`, `${mark}b${term}`];

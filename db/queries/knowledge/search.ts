// The passages of a business that fit a question best: candidates by the index, ranked exactly by BM25 over their
// terms, and joined with the likeness of vectors where there are any.
import { sql } from 'kysely';
import { analysed } from '../../language/analysis.ts';
import type { Db } from '../../schema.ts';
import { candidatesFor, RANKED, type Wanted } from './candidates.ts';
import { joined, type ScoredPassage } from './joined.ts';
import { numbersOf } from './postings.ts';
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

/** The best first. Empty where the question has no word that tells anything. */
export async function searchPassages(
  db: Db,
  { question, limit, vector = null, ...of }: Of & { question: string; limit: number; vector?: Vector | null },
): Promise<FoundPassage[]> {
  const asked = analysed(question);
  if (asked.words.length === 0 && asked.codes.length === 0) return [];
  const { wanted, seqs } = await candidatesFor(db, of, asked);
  if (seqs.length === 0 && vector === null) return [];
  const total = await passagesOf(db, of);
  const byWords = await scored(db, of, seqs, wanted, total);
  const best =
    vector === null ? byWords.map(({ seq }) => seq) : await withMeaning(db, of, { vector, byWords, wanted, total });
  return textsOf(db, of, best.slice(0, limit));
}

/** The words of passages that only the vectors find count too: many others may have had more of them. */
async function withMeaning(
  db: Db,
  of: Of,
  {
    vector,
    byWords,
    wanted,
    total,
  }: { vector: Vector; byWords: readonly ScoredPassage[]; wanted: readonly Wanted[]; total: number },
): Promise<number[]> {
  const found = byWords.map(({ seq }) => seq);
  const like = await likest(db, of, vector, { total, found });
  const others = like
    .slice(0, RANKED)
    .map(({ seq }) => seq)
    .filter((seq) => !found.includes(seq));
  const scores = new Map((await scored(db, of, others, wanted, total)).map((one) => [one.seq, one]));
  return joined([...byWords, ...others.map((seq) => scores.get(seq) ?? { seq, score: 0, hasCode: false })], like);
}

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

/** Of these passages, the ones that have a word of the question, the best first. */
async function scored(
  db: Db,
  { accountId, businessId }: Of,
  seqs: readonly number[],
  wanted: readonly Wanted[],
  total: number,
): Promise<ScoredPassage[]> {
  if (seqs.length === 0) return [];
  const { rows } = await sql<TermsOfPassage>`
    select seq, heading_terms, body_terms from passages
    where seq in (${numbersOf(db, seqs)}) and account_id = ${accountId} and business_id = ${businessId}`.execute(db);
  const scoreOf = scorer(wanted, Math.max(total, rows.length));
  return rows
    .map((row) => ({ seq: Number(row.seq), ...scoreOf(row) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.seq - b.seq);
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

function scorer(wanted: readonly Wanted[], total: number): (row: TermsOfPassage) => Omit<ScoredPassage, 'seq'> {
  const rarities = wanted.map(({ passages, weight }) => {
    const have = Math.min(passages, total);
    return weight * Math.log(1 + (total - have + 0.5) / (have + 0.5));
  });
  const sought = wanted.map(({ terms }) => terms.map((term) => ` ${term} `));
  return ({ headingTerms, bodyTerms }) => {
    const [heading, body] = [`${headingTerms} `, `${bodyTerms} `];
    const long = K1 * (1 - B + (B * (heading.length + body.length)) / USUAL_LENGTH);
    let score = 0;
    let hasCode = false;
    for (const [at, terms] of sought.entries()) {
      let often = 0;
      for (const term of terms) often += HEADING_WEIGHT * timesIn(heading, term) + timesIn(body, term);
      if (often === 0) continue;
      score += ((rarities[at] ?? 0) * often * (K1 + 1)) / (often + long);
      hasCode ||= wanted[at]?.isCode === true;
    }
    return { score, hasCode };
  };
}

/** Splitting the text would take ten times as long. */
function timesIn(text: string, term: string): number {
  let times = 0;
  // The space behind it is the one before the next.
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length - 1)) times++;
  return times;
}

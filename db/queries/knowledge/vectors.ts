// Vectors of passages: kept in blocks, a number a byte, and compared with a question's one after the other, so many at
// most.
import type { Selectable } from 'kysely';
import type { DocumentTable } from '../../schema/knowledge.ts';
import type { Db } from '../../schema.ts';

/** Passages whose vectors are made with one request, and kept in one row. */
export const BLOCK_PASSAGES = 64;
/** A business with more passages compares only those of documents whose words were found. */
const COMPARED_MAX = 6_000;
const DOCUMENTS_MAX = 24;
const YIELD_EVERY = 1_500;

/** A question's. */
export interface Vector {
  kind: string;
  values: Int8Array;
}

type DocumentOf = Pick<Selectable<DocumentTable>, 'id' | 'accountId' | 'businessId'>;

/** Documents without vectors of this kind that are due: those that failed least, then the oldest. */
export function documentsToEmbed(db: Db, kind: string, nowMs: number, limit: number) {
  return db
    .selectFrom('documents')
    .innerJoin('businesses', 'businesses.id', 'documents.businessId')
    .where('businesses.deletedAt', 'is', null)
    .where('documents.indexVersion', '>', 0)
    .where((eb) => eb.or([eb('vectorKind', 'is', null), eb('vectorKind', '!=', kind)]))
    .where((eb) => eb.or([eb('vectorsDueAt', 'is', null), eb('vectorsDueAt', '<=', nowMs)]))
    .select(['documents.id', 'documents.accountId', 'documents.businessId', 'vectorFailures'])
    .orderBy('vectorFailures')
    .orderBy('documents.createdAt')
    .limit(limit)
    .execute();
}

interface PassageToEmbed {
  seq: number;
  text: string;
}

/** The document's passages that have no vector of this kind yet, in blocks: also after a restart in the middle. */
export async function blocksToEmbed(
  db: Db,
  { id, accountId }: DocumentOf,
  kind: string,
): Promise<Array<{ block: number; passages: PassageToEmbed[] }>> {
  const rows = await db
    .selectFrom('passages')
    .select(['seq', 'heading', 'body'])
    .where('accountId', '=', accountId)
    .where('documentId', '=', id)
    .orderBy('seq')
    .execute();
  const made = await db
    .selectFrom('documentVectors')
    .select('block')
    .where('accountId', '=', accountId)
    .where('documentId', '=', id)
    .where('kind', '=', kind)
    .execute();
  const done = new Set(made.map(({ block }) => Number(block)));
  const blocks = [];
  for (let block = 0; block * BLOCK_PASSAGES < rows.length; block++) {
    if (done.has(block)) continue;
    const some = rows.slice(block * BLOCK_PASSAGES, (block + 1) * BLOCK_PASSAGES);
    const passages = some.map(({ seq, heading, body }) => ({ seq: Number(seq), text: `${heading}\n${body}`.trim() }));
    blocks.push({ block, passages });
  }
  return blocks;
}

/** False: the document is gone, or has other passages by now. */
export async function keepBlock(
  db: Db,
  { id, accountId, businessId }: DocumentOf,
  {
    kind,
    block,
    seqs,
    vectors,
  }: { kind: string; block: number; seqs: readonly number[]; vectors: readonly Int8Array[] },
): Promise<boolean> {
  const there = await db
    .selectFrom('passages')
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .where('accountId', '=', accountId)
    .where('documentId', '=', id)
    .where('seq', 'in', seqs)
    .executeTakeFirstOrThrow();
  if (Number(there.many) !== seqs.length) return false;
  const bytes = Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.length)));
  const row = { kind, seqs: JSON.stringify(seqs), vectors: bytes };
  await db
    .insertInto('documentVectors')
    .values({ documentId: id, block, accountId, businessId, ...row })
    .onConflict((conflict) => conflict.columns(['documentId', 'block']).doUpdateSet(row))
    .execute();
  return true;
}

/** Its passages go, or are others. */
export async function removeVectors(db: Db, { id, accountId }: Omit<DocumentOf, 'businessId'>): Promise<void> {
  await db.deleteFrom('documentVectors').where('accountId', '=', accountId).where('documentId', '=', id).execute();
}

/** A passage and how like the question it is: the cosine of the angle between their vectors, -1 to 1. */
export interface LikePassage {
  seq: number;
  likeness: number;
}

/** All passages whose vectors are compared, the likest first. */
export async function likest(
  db: Db,
  of: { accountId: string; businessId: string },
  { kind, values }: Vector,
  { total, found }: { total: number; found: readonly number[] },
): Promise<LikePassage[]> {
  let blocks = db
    .selectFrom('documentVectors')
    .select(['seqs', 'vectors'])
    .where('accountId', '=', of.accountId)
    .where('businessId', '=', of.businessId)
    .where('kind', '=', kind);
  if (total > COMPARED_MAX) {
    if (found.length === 0) return [];
    const documents = await db
      .selectFrom('passages')
      .select('documentId')
      .distinct()
      .where('accountId', '=', of.accountId)
      .where('businessId', '=', of.businessId)
      .where('seq', 'in', found)
      .limit(DOCUMENTS_MAX)
      .execute();
    blocks = blocks.where(
      'documentId',
      'in',
      documents.map(({ documentId }) => documentId),
    );
  }
  const rows = await blocks.limit(Math.ceil(COMPARED_MAX / BLOCK_PASSAGES) * 4).execute();
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  const best: LikePassage[] = [];
  let compared = 0;
  for (const { seqs, vectors } of rows) {
    const of = JSON.parse(seqs) as number[];
    const numbers = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    if (numbers.length !== of.length * values.length || compared + of.length > COMPARED_MAX) continue;
    for (const [at, seq] of of.entries())
      best.push({ seq, likeness: cosine(values, length, numbers, at * values.length) });
    const before = compared;
    compared += of.length;
    // The calls of the process have their turn in between.
    if (Math.floor(before / YIELD_EVERY) !== Math.floor(compared / YIELD_EVERY))
      await new Promise((resolve) => setImmediate(resolve));
  }
  return best.sort((a, b) => b.likeness - a.likeness || a.seq - b.seq);
}

function cosine(question: Int8Array, length: number, vectors: Int8Array, from: number): number {
  let dot = 0;
  let square = 0;
  for (let at = 0; at < question.length; at++) {
    const value = vectors[from + at] ?? 0;
    dot += (question[at] ?? 0) * value;
    square += value * value;
  }
  return square === 0 || length === 0 ? 0 : dot / (length * Math.sqrt(square));
}

// Documents: cut into passages when they come, and searched as a call searches them.
import { createHash } from 'node:crypto';
import {
  beginDocument,
  type DocumentRow,
  deleteDocument,
  finishDocument,
  getDocument,
  listDocuments,
  type NewDocument,
} from '../../db/queries/knowledge/documents.ts';
import { addPassages } from '../../db/queries/knowledge/passage-rows.ts';
import { searchPassages } from '../../db/queries/knowledge/search.ts';
import type { Vector } from '../../db/queries/knowledge/vectors.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { type EmbeddingsSettings, vectorKind } from '../../db/shared/settings/embeddings-settings.ts';
import { Embeddings, EmbeddingsError } from '../../models/knowledge/embeddings.ts';
import { PASSAGES_IN_A_TURN } from '../../models/knowledge/passages-in-a-turn.ts';
import { businessRow, liveBusiness } from '../businesses/service.ts';
import { withVersion } from '../businesses/version.ts';
import type { ApiContext } from '../context.ts';
import type { Actor } from '../frame/app.ts';
import { type FieldError, invalid, notFound, refused } from '../frame/errors.ts';
import type { Parts } from '../frame/form-parts.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import type { EarlierAnswer } from '../plugins/idempotency.ts';
import { withUploadPlace } from '../threads/upload-places.ts';
import { checkLimits } from './limits.ts';
import { asRefusal, inPlace, readBytes, readSent } from './reading/read.ts';
import type { DocumentRead } from './reading/text.ts';
import type { DocumentCreate, DocumentRecord, PassageRecord } from './schema.ts';
import { checkSource, nextRefresh, readSource, refreshSource } from './sources.ts';
import { withUpload } from './uploads.ts';

/** @throws {ApiError} 404 */
export async function documentsOf(context: ApiContext, accountId: string, businessId: string, query: PageQuery) {
  await businessRow(context.read, accountId, businessId);
  const page = { limit: query.limit, offset: offsetOf(query) };
  const { rows, total } = await listDocuments(context.read, accountId, businessId, page);
  return { data: rows.map((row) => record(context, row)), pagination: pagination(query.page, query.limit, total) };
}

/** @throws {ApiError} 404 */
export async function readDocument(
  context: ApiContext,
  accountId: string,
  { id, documentId }: { id: string; documentId: string },
): Promise<DocumentRecord> {
  const row = await getDocument(context.read, accountId, id, documentId);
  if (row === undefined) throw notFound('Document');
  return record(context, row);
}

/** Called in the transaction that adds the document. */
export type Remember = (trx: Db, added: DocumentRecord) => Promise<void>;

interface Into {
  accountId: string;
  userId: string;
  businessId: string;
  remember: Remember;
}

/** @throws {ApiError} 400, 404, 409, 422, 429 */
export async function addDocument(
  context: ApiContext,
  { accountId, userId, businessId, remember }: Into,
  body: DocumentCreate,
): Promise<DocumentRecord> {
  checkCreate(context, body);
  const { name, kind = 'text', text = '', url = null, refreshHours = null } = body;
  await liveBusiness(context.read, accountId, businessId);
  const into = { accountId, userId, businessId, remember, name, sourceUrl: url, refreshHours };
  if (url !== null) return keep(context, into, await inWords(accountId, () => readSource(context, url)));
  if (kind === 'html') {
    const bytes = Buffer.from(text);
    const read = await inWords(accountId, () => readBytes({ kind, bytes, charset: 'utf-8' }));
    return keep(context, into, { ...read, kind });
  }
  return keep(context, into, {
    ...(await readSent(accountId, text, kind).catch((error: unknown) => {
      throw asRefusal(error);
    })),
    kind,
  });
}

/** `claim` gives the earlier answer to the same file. @throws {ApiError} 400, 404, 409, 413, 422, 429 */
export async function uploadDocument(
  context: ApiContext,
  { accountId, userId, businessId, remember }: Into,
  parts: Parts,
  claim: (content: unknown) => Promise<EarlierAnswer | null>,
): Promise<{ added: DocumentRecord } | { earlier: EarlierAnswer }> {
  await liveBusiness(context.read, accountId, businessId);
  return withUploadPlace(accountId, () =>
    withUpload(context, parts, async ({ name, kind, bytes }) => {
      // In a reading place, since the file is in memory from here on.
      const read = await inWords(accountId, async () => {
        const file = await bytes();
        const earlier = await claim({ name, kind, sha256: createHash('sha256').update(file).digest('hex') });
        return earlier === null ? await readBytes({ kind, bytes: file, charset: null }) : { earlier };
      });
      if ('earlier' in read) return read;
      const into = { accountId, userId, businessId, remember, name, sourceUrl: null, refreshHours: null };
      return { added: await keep(context, into, { ...read, kind }) };
    }),
  );
}

/** Reads it from its address again; the answer says whether that failed. @throws {ApiError} 404, 409, 429 */
export async function refreshDocument(
  context: ApiContext,
  { accountId, userId }: Actor,
  params: { id: string; documentId: string },
): Promise<DocumentRecord> {
  const row = await getDocument(context.read, accountId, params.id, params.documentId);
  if (row === undefined) throw notFound('Document');
  const { sourceUrl } = row;
  if (sourceUrl === null) throw refused('DOCUMENT_HAS_NO_SOURCE', 'The document is not read from an address');
  await inPlace(accountId, () => refreshSource(context, row, sourceUrl, userId));
  return readDocument(context, accountId, params);
}

function checkCreate(context: ApiContext, { kind, text, url, refreshHours }: DocumentCreate): void {
  const faults: FieldError[] = [];
  if (text === undefined && url === undefined) faults.push({ field: 'text', message: 'is required, or url' });
  if (url !== undefined && text !== undefined) faults.push({ field: 'url', message: 'must not stand beside text' });
  if (url !== undefined && kind !== undefined)
    faults.push({ field: 'kind', message: 'must not stand beside url, whose answer has a type' });
  if (url === undefined && refreshHours !== undefined) faults.push({ field: 'refreshHours', message: 'needs url' });
  if (faults.length > 0) throw invalid(faults);
  if (url !== undefined) checkSource(context, url);
}

const inWords = <T>(accountId: string, work: () => Promise<T>): Promise<T> =>
  inPlace(accountId, work).catch((error: unknown) => {
    throw asRefusal(error);
  });

/** Passages in one transaction, some tens of milliseconds: the engine's writes come in between. */
const AT_ONCE = 200;

async function keep(
  context: ApiContext,
  { remember, userId, ...into }: Pick<DocumentRow, 'name' | 'sourceUrl' | 'refreshHours'> & Into,
  { characters, textHash, kind, ...read }: DocumentRead & Pick<DocumentRow, 'kind'>,
): Promise<DocumentRecord> {
  const nowMs = context.now();
  const row: NewDocument = {
    ...into,
    id: newId('kdc'),
    kind,
    characters,
    passages: read.passages.length,
    createdAt: nowMs,
    refreshAt: nextRefresh(into, nowMs),
    readAt: nowMs,
    error: null,
    textHash,
    vectorKind: null,
    vectorsDueAt: null,
    vectorError: null,
  };
  const { accountId, businessId } = into;
  const { passages, names } = read;
  const inTransaction = (work: (trx: Db) => Promise<void>): Promise<void> => context.db.transaction().execute(work);
  await inTransaction(async (trx) => {
    await liveBusiness(trx, accountId, businessId);
    await checkLimits(trx, accountId, businessId, characters);
    await beginDocument(trx, row, passages.slice(0, AT_ONCE));
  });
  try {
    for (let from = AT_ONCE; from < passages.length; from += AT_ONCE)
      await inTransaction((trx) => addPassages(trx, row, passages.slice(from, from + AT_ONCE)));
    await inTransaction(async (trx) => {
      const business = await businessRow(trx, accountId, businessId);
      await withVersion(trx, userId, business, nowMs, () => finishDocument(trx, row, names));
      await remember(trx, record(context, row));
    });
  } catch (error) {
    await inTransaction(async (trx) => void (await deleteDocument(trx, accountId, businessId, row.id)));
    throw error;
  }
  return record(context, row);
}

/** With every word of it. @throws {ApiError} 404 */
export async function removeDocument(
  context: ApiContext,
  { accountId, userId }: Actor,
  { id, documentId }: { id: string; documentId: string },
): Promise<DocumentRecord> {
  return context.db.transaction().execute(async (trx) => {
    const row = await getDocument(trx, accountId, id, documentId);
    if (row === undefined) throw notFound('Document');
    const business = await businessRow(trx, accountId, id);
    const isGone = await withVersion(trx, userId, business, context.now(), () =>
      deleteDocument(trx, accountId, id, documentId),
    );
    if (!isGone) throw notFound('Document');
    return record(context, row);
  });
}

/** Nobody waits on the telephone here. */
const VECTOR_WITHIN_MS = 2_000;

/** As a call has it that it came in time for; null: words alone decide. */
async function vectorOf({ config: { embeddings }, log }: ApiContext, question: string): Promise<Vector | null> {
  if (embeddings === null) return null;
  try {
    const [values] = await new Embeddings(embeddings).of([question], VECTOR_WITHIN_MS);
    return values === undefined ? null : { kind: vectorKind(embeddings), values };
  } catch (error) {
    if (!(error instanceof EmbeddingsError)) throw error;
    log.warn({ code: error.code }, 'no vector for a question');
    return null;
  }
}

/** The passages that an agent would find. @throws {ApiError} 404 */
export async function findPassages(
  context: ApiContext,
  accountId: string,
  businessId: string,
  question: string,
): Promise<PassageRecord[]> {
  await businessRow(context.read, accountId, businessId);
  const asked = { accountId, businessId, question, limit: PASSAGES_IN_A_TURN };
  const found = await searchPassages(context.read, { ...asked, vector: await vectorOf(context, question) });
  return found.map(({ documentId, name, heading, body }) => ({ documentId, name, heading, passage: body }));
}

function record({ config }: ApiContext, row: NewDocument): DocumentRecord {
  const { id, businessId, name, kind, characters, passages, createdAt, sourceUrl, refreshHours, readAt, error } = row;
  return {
    ...{ id, businessId, name, kind, characters, passages, createdAt: isoTime(createdAt) },
    ...{ sourceUrl, refreshHours, readAt: isoOrNull(readAt), error },
    ...embeddingOf(config.embeddings, row),
  };
}

function embeddingOf(
  settings: EmbeddingsSettings | null,
  { vectorKind: made, vectorError }: Pick<NewDocument, 'vectorKind' | 'vectorError'>,
): Pick<DocumentRecord, 'embedding' | 'embeddingError'> {
  if (settings === null) return { embedding: 'off', embeddingError: null };
  if (made === vectorKind(settings)) return { embedding: 'done', embeddingError: null };
  return { embedding: 'waiting', embeddingError: vectorError };
}

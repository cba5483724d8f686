// Documents: cut into passages when they come, and searched as a call searches them.
import {
  type DocumentRow,
  deleteDocument,
  documentTotals,
  getDocument,
  insertDocument,
  listDocuments,
} from '../../db/queries/knowledge/documents.ts';
import { searchPassages } from '../../db/queries/knowledge/search.ts';
import { isoTime } from '../../db/resources.ts';
import { documentLimits } from '../../db/rules/quotas.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { passagesOf } from '../../models/knowledge/passages.ts';
import { PASSAGES_IN_A_TURN } from '../../models/knowledge/passages-in-a-turn.ts';
import { businessRow } from '../businesses/service.ts';
import type { ApiContext } from '../context.ts';
import { notFound, refused } from '../errors.ts';
import { offsetOf, type PageQuery, pagination } from '../pagination.ts';
import type { DocumentCreate, DocumentRecord, PassageRecord } from './schema.ts';

/** @throws {ApiError} 404 */
export async function documentsOf(context: ApiContext, accountId: string, businessId: string, query: PageQuery) {
  await businessRow(context.read, accountId, businessId);
  const page = { limit: query.limit, offset: offsetOf(query) };
  const { rows, total } = await listDocuments(context.read, accountId, businessId, page);
  return { data: rows.map(record), pagination: pagination(query.page, query.limit, total) };
}

/** @throws {ApiError} 404 */
export async function readDocument(
  context: ApiContext,
  accountId: string,
  { id, documentId }: { id: string; documentId: string },
): Promise<DocumentRecord> {
  const row = await getDocument(context.read, accountId, id, documentId);
  if (row === undefined) throw notFound('Document');
  return record(row);
}

/** @throws {ApiError} 404, 409 */
export async function addDocument(
  context: ApiContext,
  accountId: string,
  businessId: string,
  { name, kind = 'text', text }: DocumentCreate,
): Promise<DocumentRecord> {
  const passages = passagesOf(text, { isMarkdown: kind === 'markdown' });
  const row: DocumentRow = {
    id: newId('kdc'),
    accountId,
    businessId,
    name,
    kind,
    characters: text.length,
    passages: passages.length,
    createdAt: context.now(),
  };
  await context.db.transaction().execute(async (trx) => {
    const business = await businessRow(trx, accountId, businessId);
    if (business.deletedAt !== null) throw refused('BUSINESS_DELETED', 'Business is deleted');
    await checkLimits(trx, accountId, businessId, text.length);
    await insertDocument(trx, row, passages);
  });
  return record(row);
}

async function checkLimits(db: Db, accountId: string, businessId: string, more: number): Promise<void> {
  const limits = await documentLimits(db, accountId);
  const { documents, characters } = await documentTotals(db, accountId, businessId);
  if (documents >= limits.documents)
    throw refused('QUOTA_EXCEEDED', `The account's plan allows ${limits.documents} documents a business`);
  if (characters + more > limits.characters)
    throw refused('QUOTA_EXCEEDED', `The account's plan allows ${limits.characters} characters a business`);
}

/** With every word of it. @throws {ApiError} 404 */
export async function removeDocument(
  context: ApiContext,
  accountId: string,
  { id, documentId }: { id: string; documentId: string },
): Promise<DocumentRecord> {
  return context.db.transaction().execute(async (trx) => {
    const row = await getDocument(trx, accountId, id, documentId);
    if (row === undefined || !(await deleteDocument(trx, accountId, id, documentId))) throw notFound('Document');
    return record(row);
  });
}

/** What an agent would find. @throws {ApiError} 404 */
export async function findPassages(
  context: ApiContext,
  accountId: string,
  businessId: string,
  question: string,
): Promise<PassageRecord[]> {
  await businessRow(context.read, accountId, businessId);
  const found = await searchPassages(context.read, { accountId, businessId, question, limit: PASSAGES_IN_A_TURN });
  return found.map(({ documentId, name, heading, body }) => ({ documentId, name, heading, passage: body }));
}

function record({ id, businessId, name, kind, characters, passages, createdAt }: DocumentRow): DocumentRecord {
  return { id, businessId, name, kind, characters, passages, createdAt: isoTime(createdAt) };
}

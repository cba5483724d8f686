// Receives the letter of authorization and the bill: streamed to a file with a generated name, identified by their
// first bytes and not by the client's claim, and only then added to the order.
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { addFileDeletions, endFileDeletion, isStoreKey } from '../../db/queries/files/deletions.ts';
import { noteCarrierLacks } from '../../db/queries/numbers/carrier-ports.ts';
import {
  getPortOrder,
  listPortDocuments,
  type PortDocumentRow,
  portDocumentBytes,
  putPortDocument,
} from '../../db/queries/numbers/port-orders.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import { invalid, notFound, refused } from '../frame/errors.ts';
import { formFault, type Parts, safeFileName } from '../frame/form-parts.ts';
import { documentsFolder, dropDocument, storeDocument } from './document-files.ts';
import type { PortOrder } from './schema.ts';
import { missingOrder, submitWhenReady, withDocuments } from './service.ts';

/** Enough for twenty orders with two full documents each; documents are deleted with their orders. */
const ACCOUNT_BYTES_MAX = 400 * 1024 * 1024;
const KINDS = ['loa', 'bill'] as const;
type Kind = (typeof KINDS)[number];

/** First bytes: PDF (ISO 32000-1 7.5.2), PNG (W3C PNG 5.2), JPEG (ISO 10918-1 B.1.1.3, SOI and the next marker). */
const SIGNATURES = [
  { contentType: 'application/pdf', extension: 'pdf', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { contentType: 'image/png', extension: 'png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { contentType: 'image/jpeg', extension: 'jpg', bytes: [0xff, 0xd8, 0xff] },
] as const;
const SIGNATURE_BYTES = 8;

interface Received {
  kind: string | null;
  file: { path: string; name: string; bytes: number; truncated: boolean; sha256: string } | null;
}

/** A form's file, before anything of it is kept. */
interface Upload {
  received: Received;
  /** Equal for equal forms, whatever their boundaries. */
  content: unknown;
  /** Deletes the file unless it was kept. */
  discard(): Promise<void>;
}

/**
 * Reads the form to the disk. `mayBeReplay`: its order may be closed by now, and the form has been taken before.
 * @throws {ApiError} 400, 404, 409
 */
export async function receiveDocument(
  context: ApiContext,
  { accountId, orderId, mayBeReplay }: { accountId: string; orderId: string; mayBeReplay: boolean },
  parts: Parts,
): Promise<Upload> {
  const order = await getPortOrder(context.read, accountId, orderId);
  if (order === null) throw missingOrder();
  if (!mayBeReplay) refuseIfClosed(order.status);
  const folder = documentsFolder(context);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const received = await receive(folder, parts);
  const { kind, file } = received;
  return {
    received,
    content: { kind, name: file?.name, sha256: file?.sha256 },
    async discard() {
      // After success the draft has been renamed, so this deletes nothing.
      if (file) await unlink(file.path).catch(() => {});
    },
  };
}

/** Adds one document to an order. @throws {ApiError} 404, 409, 413, 422 */
export async function addDocument(
  context: ApiContext,
  accountId: string,
  orderId: string,
  { received }: Upload,
): Promise<PortOrder> {
  const before = await getPortOrder(context.read, accountId, orderId);
  if (before === null) throw missingOrder();
  refuseIfClosed(before.status);
  return keep(context, accountId, orderId, received);
}

function refuseIfClosed(status: string): void {
  if (status !== 'DRAFT' && status !== 'SUBMITTED')
    throw refused('DOCUMENTS_CLOSED', `The order is ${status}: its documents are closed`);
}

async function receive(folder: string, parts: Parts): Promise<Received> {
  const received: Received = { kind: null, file: null };
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        if (part.fieldname === 'kind') received.kind = String(part.value);
        continue;
      }
      if (part.fieldname !== 'file' || received.file !== null) {
        part.file.resume();
        continue;
      }
      const path = join(folder, `.${randomBytes(12).toString('hex')}.part`);
      received.file = { path, name: safeFileName(part.filename), bytes: 0, truncated: false, sha256: '' };
      const hash = createHash('sha256');
      const target = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true });
      await pipeline(
        part.file,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            hash.update(chunk);
            yield chunk;
          }
        },
        target,
      );
      received.file.sha256 = hash.digest('hex');
      received.file.bytes = target.bytesWritten;
      received.file.truncated = part.file.truncated;
    }
    return received;
  } catch (error) {
    if (received.file) await unlink(received.file.path).catch(() => {});
    throw formFault(error);
  }
}

async function keep(
  context: ApiContext,
  accountId: string,
  orderId: string,
  { kind, file }: Received,
): Promise<PortOrder> {
  if (file?.truncated) throw refused('BODY_TOO_LARGE', 'The document is larger than 10 MiB');
  const known = KINDS.find((word) => word === kind);
  if (known === undefined) throw invalid([{ field: 'kind', message: `must be one of ${KINDS.join(', ')}` }]);
  if (file === null) throw invalid([{ field: 'file', message: 'is required' }]);
  const content = await recognise(file.path);
  if (content === null) throw invalid([{ field: 'file', message: 'must be a PDF, a PNG or a JPEG' }]);
  const id = newId('doc');
  const path = await storeDocument(context, file.path, `${id}.${content.extension}`, content.contentType);
  try {
    const document = {
      id,
      kind: known,
      contentType: content.contentType,
      fileName: file.name,
      path,
      bytes: file.bytes,
    };
    return await enter(context, accountId, orderId, document);
  } catch (error) {
    await dropDocument(context, path);
    throw error;
  }
}

interface StoredDocument {
  id: string;
  kind: Kind;
  contentType: string;
  fileName: string;
  path: string;
  bytes: number;
}

async function enter(
  context: ApiContext,
  accountId: string,
  orderId: string,
  document: StoredDocument,
): Promise<PortOrder> {
  const nowMs = context.now();
  const { order, replaced } = await context.db.transaction().execute(async (trx) => {
    const row = await getPortOrder(trx, accountId, orderId);
    if (row === null) throw missingOrder();
    refuseIfClosed(row.status);
    if ((await portDocumentBytes(trx, accountId)) + document.bytes > ACCOUNT_BYTES_MAX)
      throw refused(
        'QUOTA_EXCEEDED',
        `The documents of an account take at most ${ACCOUNT_BYTES_MAX / 1024 / 1024} MiB`,
      );
    const earlier = await putPortDocument(trx, accountId, { ...document, portOrderId: orderId, createdAt: nowMs });
    // Kept after all, if it is in the object store; its predecessor goes.
    await endFileDeletion(trx, document.path);
    await addFileDeletions(
      trx,
      earlier.map(({ path }) => path),
      { nowMs },
    );
    const moved = await submitWhenReady(trx, row, nowMs);
    await noteCarrierLacks(trx, orderId);
    return { order: await withDocuments(trx, moved), replaced: earlier };
  });
  for (const { path } of replaced) if (!isStoreKey(path)) await unlink(path).catch(() => {});
  return order;
}

async function recognise(path: string): Promise<(typeof SIGNATURES)[number] | null> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(SIGNATURE_BYTES);
    const { bytesRead } = await file.read(head, 0, SIGNATURE_BYTES, 0);
    const matches = (bytes: readonly number[]) =>
      bytesRead >= bytes.length && bytes.every((byte, index) => head[index] === byte);
    return SIGNATURES.find(({ bytes }) => matches(bytes)) ?? null;
  } finally {
    await file.close();
  }
}

/** A document of any account, for the reviewing ADMIN. @throws {ApiError} 404 */
export async function findDocument(context: ApiContext, orderId: string, documentId: string): Promise<PortDocumentRow> {
  const order = await getPortOrder(context.read, null, orderId);
  if (order === null) throw missingOrder();
  const documents = await listPortDocuments(context.read, order.accountId, order.id);
  const found = documents.find((document) => document.id === documentId);
  if (found === undefined) throw notFound('Document');
  return found;
}

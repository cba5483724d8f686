// Where the documents of port orders lie: in DATA_DIR, or in the object store. `path` of a row is absolute in the first
// case, a key in the second. A file of the store is noted for deletion before it is stored, and the note is taken back
// in the transaction that enters it, so that a process that dies in between leaves none behind.

import { createReadStream } from 'node:fs';
import { rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { addFileDeletions, isStoreKey } from '../../db/queries/files/deletions.ts';
import type { PortDocumentRow } from '../../db/queries/numbers/port-orders.ts';
import type { ApiContext } from '../context.ts';
import { notFound } from '../frame/errors.ts';
import { fromStore, storeDown } from '../frame/files.ts';

const FOLDER = 'port-documents';
/** No upload of 10 MiB that makes progress takes as long. */
const UPLOAD_MAX_MS = 2 * HOUR_MS;

export const documentsFolder = ({ config }: Pick<ApiContext, 'config'>): string => join(config.dataDir, FOLDER);

/** Keeps the file at `draft`, which is moved or copied; returns the row's `path`. @throws {ApiError} 503 */
export async function storeDocument(
  context: ApiContext,
  draft: string,
  name: string,
  contentType: string,
): Promise<string> {
  const { db, files } = context;
  if (files.kind === 'local') {
    const path = join(documentsFolder(context), name);
    await rename(draft, path);
    return path;
  }
  const key = `${FOLDER}/${name}`;
  const nowMs = context.now();
  await addFileDeletions(db, [key], { nowMs, dueAt: nowMs + UPLOAD_MAX_MS });
  try {
    await fromStore(context, 'Document', () => files.put(key, draft, contentType));
  } catch (error) {
    await dropDocument(context, key);
    throw error;
  }
  return key;
}

/** Deletes a document's file, which no row names: at once from the disk, from the store as soon as it answers. */
export async function dropDocument(context: Pick<ApiContext, 'db' | 'now'>, path: string): Promise<void> {
  if (isStoreKey(path)) await addFileDeletions(context.db, [path], { nowMs: context.now() });
  else await unlink(path).catch(() => {});
}

/** @throws {ApiError} 404, 503 */
export async function openDocument(
  context: ApiContext,
  { path }: PortDocumentRow,
  signal: AbortSignal,
): Promise<{ body: Readable; bytes: number }> {
  if (isStoreKey(path)) {
    if (context.files.kind === 'local') {
      context.log.error('a document is in an object store, and S3_ENDPOINT is not set');
      throw storeDown();
    }
    return fromStore(context, 'Document', () => context.files.get(path, { signal }));
  }
  const { size } = await stat(path).catch(() => {
    throw notFound('Document');
  });
  return { body: createReadStream(path), bytes: size };
}

// Reads documents on threads with limited time and memory, so many at a time.
import type { DocumentKind } from '../../../db/schema/knowledge.ts';
import { refused, retryLater } from '../../frame/errors.ts';
import { onLimitedThread } from '../../threads/limited-thread.ts';
import { PlacesPerAccount } from '../../threads/places-per-account.ts';
import { faultOf } from './kinds.ts';
import type { ReadMessage, ReadTask } from './read-thread.ts';
import { type DocumentRead, readText } from './text.ts';
import { Unreadable } from './unreadable.ts';

const MEMORY = { heapMib: 256, bufferMib: 256 };
/** A PDF of 1,000 pages takes a few seconds, others less. */
const WITHIN_MS: Readonly<Record<DocumentKind, number>> = {
  pdf: 60_000,
  docx: 30_000,
  html: 15_000,
  markdown: 15_000,
  text: 15_000,
};

/** Each takes a thread, and its file's memory. */
const places = new PlacesPerAccount({
  what: 'documents',
  total: 4,
  perAccount: 2,
  full: () => retryLater('DOCUMENTS_BUSY', 'Too many documents are being read', 5),
});

/** For the fetching or the upload of a document too. @throws {ApiError} 429 */
export const inPlace = <T>(accountId: string, work: () => Promise<T>): Promise<T> => places.hold(accountId, work);

/** @throws {Unreadable} */
export async function readBytes(task: ReadTask): Promise<DocumentRead> {
  const fault = faultOf(task.kind, task.bytes);
  if (fault !== null) throw new Unreadable(fault);
  const limits = { ...MEMORY, withinMs: WITHIN_MS[task.kind] };
  const result = await onLimitedThread<ReadMessage>(new URL('./read-thread.ts', import.meta.url), task, limits);
  if ('stopped' in result) {
    const why = { time: 'it takes too long', memory: 'it takes too much memory', fault: 'it is too complicated' };
    throw new Unreadable(why[result.stopped]);
  }
  if ('refused' in result.value) throw new Unreadable(result.value.refused);
  return result.value;
}

/** A longer text would hold up the API’s requests for more than some thirty milliseconds. */
const HERE_CHARACTERS_MAX = 50_000;

/** A text that was sent; a long one takes a place as a file does. @throws {Unreadable} @throws {ApiError} 429 */
export async function readSent(accountId: string, text: string, kind: 'text' | 'markdown'): Promise<DocumentRead> {
  if (text.length <= HERE_CHARACTERS_MAX) return readText(text, kind);
  return inPlace(accountId, () => readBytes({ kind, bytes: Buffer.from(text), charset: 'utf-8' }));
}

/** As an answer to a client. */
export const asRefusal = (error: unknown): unknown =>
  error instanceof Unreadable ? refused('DOCUMENT_UNREADABLE', `The document cannot be read: ${error.message}`) : error;

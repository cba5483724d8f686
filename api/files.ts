// Failures of the object store as answers of the API.
import type { FastifyReply } from 'fastify';
import { FilesError } from '../db/shared/files/files.ts';
import type { ApiContext } from './context.ts';
import { type ApiError, notFound, retryLater } from './errors.ts';

const RETRY_SECONDS = 10;

export const storeDown = (message = 'The object store does not answer'): ApiError =>
  retryLater('FILES_DOWN', message, RETRY_SECONDS);

/** Aborts when the client has the answer, or has gone: nothing of the store stays open then. */
export function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

/**
 * What `work` gives. `what`: the resource, for a 404 where its file is missing.
 * @throws {ApiError} 404, 503 in place of a FilesError
 */
export async function fromStore<R>({ log }: Pick<ApiContext, 'log'>, what: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    // The client is told what it can do; who can mend it reads the log.
    log.warn({ reason: error.message }, 'the object store failed');
    throw error.code === 'missing' ? notFound(what) : storeDown();
  }
}

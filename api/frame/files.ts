// Failures of the object store as answers of the API.
import type { FastifyReply } from 'fastify';
import { FilesError } from '../../db/shared/files/files.ts';
import type { ApiContext } from '../context.ts';
import { type ApiError, notFound, retryLater } from './errors.ts';

const RETRY_SECONDS = 10;

/** The engine whose disk has it is expected back. */
const engineAway = (what: string): ApiError =>
  retryLater('FILES_DOWN', `${what} is on an engine that does not answer`, RETRY_SECONDS);

export const storeDown = (message = 'The object store does not answer'): ApiError =>
  retryLater('FILES_DOWN', message, RETRY_SECONDS);

/**
 * Aborts when the client has the answer, or has gone, also where it had gone before: nothing of the store stays open
 * then. The response's end and not the socket's, which has further requests.
 */
export function whenGone(reply: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.destroyed) gone.abort();
  else reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

/**
 * The result of `work`. `what`: the resource, for a 404 where its file is missing.
 * @throws {ApiError} 404, 503 in place of a FilesError
 */
export function fromStore<R>(context: Pick<ApiContext, 'log'>, what: string, work: () => Promise<R>): Promise<R> {
  return answering(context, 'the object store failed', what, () => storeDown(), work);
}

/** As `fromStore`, of the disk of an engine. */
export function fromEngine<R>(context: Pick<ApiContext, 'log'>, what: string, work: () => Promise<R>): Promise<R> {
  return answering(context, 'a recording could not be had of its engine', what, () => engineAway(what), work);
}

async function answering<R>(
  { log }: Pick<ApiContext, 'log'>,
  failed: string,
  what: string,
  away: () => ApiError,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    // The client is told what it can do; who can mend it reads the log.
    log.warn({ reason: error.message }, failed);
    throw error.code === 'missing' ? notFound(what) : away();
  }
}

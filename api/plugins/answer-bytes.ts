// A limit of the bytes that an account is answered with in a minute. A page of a hundred records may have a hundred
// megabytes where each record is as long as it may be. Each costs a second of the thread of all requests, and memory
// until the client has read it. Files and exports are streamed, and do not count.
import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { retryLater } from '../frame/errors.ts';

const WINDOW_MS = 60_000;
const BYTES_MAX = 128 * 1024 * 1024;
/** The account that began its window first is forgotten. */
const ACCOUNTS_MAX = 10_000;

interface Window {
  beganAt: number;
  bytes: number;
}

/** Must be registered after the identity hook. */
export function registerAnswerBytes(app: App, { now }: Pick<ApiContext, 'now'>): void {
  const windows = new Map<string, Window>();
  const windowOf = (accountId: string): Window => {
    const known = windows.get(accountId);
    if (known !== undefined && Math.abs(now() - known.beganAt) < WINDOW_MS) return known;
    const fresh = { beganAt: now(), bytes: 0 };
    windows.delete(accountId);
    windows.set(accountId, fresh);
    for (const oldest of windows.keys()) {
      if (windows.size <= ACCOUNTS_MAX) break;
      windows.delete(oldest);
    }
    return fresh;
  };
  app.addHook('onRequest', async ({ identity }) => {
    const accountId = accountOf(identity);
    if (accountId === null) return;
    const { beganAt, bytes } = windowOf(accountId);
    if (bytes < BYTES_MAX) return;
    const seconds = Math.ceil((beganAt + WINDOW_MS - now()) / 1000);
    throw retryLater(
      'RATE_LIMITED',
      'The answers to the account are too long together: ask for shorter pages',
      seconds,
    );
  });
  app.addHook('onSend', async ({ identity }, _reply, payload) => {
    const accountId = accountOf(identity);
    if (accountId !== null && (typeof payload === 'string' || Buffer.isBuffer(payload)))
      windowOf(accountId).bytes += payload.length;
    return payload;
  });
}

const accountOf = (identity: FastifyRequest['identity']): string | null =>
  identity === null || identity instanceof Error ? null : identity.accountId;

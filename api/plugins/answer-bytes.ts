// A limit of the bytes that an account is answered with in a minute. A page of a hundred records may have a hundred
// megabytes where each record is as long as it may be. Each costs a second of the thread of all requests, and memory
// until the client has read it. Files and exports are streamed, and do not count.
import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { retryLater } from '../frame/errors.ts';
import { ByteBudget } from './byte-budget.ts';

const WINDOW_MS = 60_000;
/** For each request that a token may make in a minute: 131 MiB where nothing else is set. */
const BYTES_A_REQUEST = 224 * 1024;

/** Must be registered after the identity hook. */
export function registerAnswerBytes(app: App, { now, config }: Pick<ApiContext, 'now' | 'config'>): void {
  const budget = new ByteBudget({ bytes: config.rateLimitPerMinute * BYTES_A_REQUEST, windowMs: WINDOW_MS, now });
  app.addHook('onRequest', ({ identity }, _reply, done) => {
    const accountId = accountOf(identity);
    const seconds = accountId === null ? 0 : budget.waitSeconds(accountId);
    if (seconds === 0) return done();
    const message = 'The answers to the account are too long together: ask for shorter pages';
    done(retryLater('RATE_LIMITED', message, seconds));
  });
  app.addHook('onSend', ({ identity }, _reply, payload, done) => {
    const accountId = accountOf(identity);
    if (accountId !== null && (typeof payload === 'string' || Buffer.isBuffer(payload)))
      budget.spend(accountId, payload.length);
    done(null, payload);
  });
}

const accountOf = (identity: FastifyRequest['identity']): string | null =>
  identity === null || identity instanceof Error ? null : identity.accountId;

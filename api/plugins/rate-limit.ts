// The rate limit: per session or personal access token, else per source network; all tokens of an account together may
// send five times as many requests. Every answer has the headers of the IETF draft
// (draft-ietf-httpapi-ratelimit-headers: RateLimit-Policy, RateLimit), a refusal also Retry-After. Login has its own
// tighter limit, in the database.
import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { sourceNetwork } from '../../db/shared/source-network.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { retryLater } from '../frame/errors.ts';

const WINDOW_SECONDS = 60;
/** Without this limit, an account could get more requests by creating more tokens. */
const ACCOUNT_SHARES = 5;
/** With more APIs each still allows this part of the limit. */
const SHARES_MAX = 4;
/** Most keys in memory; the least recently used one is dropped. */
const KEYS_MAX = 20_000;

/** Must be registered after the identity hook and before the admission hook. */
export async function registerRateLimit(app: App, { config, peers }: ApiContext): Promise<void> {
  const perMinute = config.rateLimitPerMinute;
  /** Of this process: a load balancer is not so even that each gets its exact part. */
  const share = (most: number): number => Math.ceil(most / Math.min(peers.count, SHARES_MAX));
  await app.register(fastifyRateLimit, { global: false, cache: KEYS_MAX });
  const timeWindow = WINDOW_SECONDS * 1000;
  const check = app.createRateLimit({ max: () => share(perMinute), timeWindow, keyGenerator: rateLimitKey });
  const checkAccount = app.createRateLimit({
    max: () => share(perMinute * ACCOUNT_SHARES),
    timeWindow,
    keyGenerator: ({ identity }) => `account:${accountOf(identity)}`,
  });
  const checkPages = app.createRateLimit({
    max: () => share(perMinute),
    timeWindow,
    keyGenerator: ({ ip }) => `pages:${sourceNetwork(ip)}`,
  });
  const policy = `"default";q=${perMinute};w=${WINDOW_SECONDS}`;
  app.addHook('onRequest', async (request, reply) => {
    const { bare, probe } = request.routeOptions.config;
    if (probe) return;
    const state = await (bare ? checkPages(request) : check(request));
    if (state.isAllowed) return;
    if (!bare) {
      reply.header('ratelimit-policy', policy);
      reply.header('ratelimit', `"default";r=${state.remaining};t=${state.ttlInSeconds}`);
    }
    if (state.isExceeded) throw retryLater('RATE_LIMITED', 'Too many requests', state.ttlInSeconds);
    if (accountOf(request.identity) === null) return;
    const account = await checkAccount(request);
    if (!account.isAllowed && account.isExceeded)
      throw retryLater('RATE_LIMITED', "Too many requests by the account's tokens together", account.ttlInSeconds);
  });
}

function rateLimitKey(request: FastifyRequest): string {
  const { identity } = request;
  if (identity == null || identity instanceof Error) return `ip:${sourceNetwork(request.ip)}`;
  // A session keeps its allowance after a refresh.
  return `token:${identity.familyId ?? identity.tokenId}`;
}

const accountOf = (identity: FastifyRequest['identity']): string | null =>
  identity == null || identity instanceof Error ? null : identity.accountId;

// Authentication by a session token (JWT) or a personal access token, after `Bearer` and exactly one space. Errors use
// the contract's exact wording. The rate limit runs between identification and refusal, so that guessing is limited.
import type { FastifyRequest } from 'fastify';
import { findAccessToken } from '../../db/queries/accounts/access-tokens.ts';
import { findSessionUser } from '../../db/queries/accounts/sessions.ts';
import { isLiveCredential } from '../../db/rules/live-credential.ts';
import { ACCESS_TOKEN_PREFIX, hashToken } from '../auth/secrets.ts';
import type { SessionTokens } from '../auth/session-tokens.ts';
import { TokenUses } from '../auth/token-uses.ts';
import type { ApiContext } from '../context.ts';
import type { App, Auth } from '../frame/app.ts';
import { type ApiError, forbidden, refused } from '../frame/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, or the reason for its absence; the rate limit reads it before a request is refused. */
    identity: Auth | ApiError | null;
  }
}

/** Identifies the caller without refusing anything yet. */
export function registerIdentity(app: App, context: ApiContext, tokens: SessionTokens): void {
  const uses = new TokenUses(context);
  app.decorateRequest('identity', null);
  // biome-ignore lint/suspicious/noExplicitAny: no placeholder may pass for an identity; the hook below sets it.
  app.decorateRequest('auth', null as any);
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.bare) return;
    request.identity = await identify(context, tokens, uses, request);
  });
}

/** Refuses callers without permission for the route. */
export function registerAdmission(app: App): void {
  app.addHook('onRequest', async (request) => {
    const { config, url } = request.routeOptions;
    // No route: 404 for every caller.
    if (config.bare || config.public || url === undefined) return;
    const { identity } = request;
    if (identity === null || identity instanceof Error)
      throw identity ?? refused('AUTHENTICATION_REQUIRED', 'No bearer token provided');
    if (config.session && identity.kind !== 'session')
      throw refused('SESSION_REQUIRED', 'This needs a signed-in session');
    if (config.admin && identity.role !== 'ADMIN') throw forbidden();
    request.auth = identity;
  });
}

async function identify(
  context: ApiContext,
  tokens: SessionTokens,
  uses: TokenUses,
  request: FastifyRequest,
): Promise<Auth | ApiError> {
  const token = /^Bearer ([\x21-\x7e]+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return refused('AUTHENTICATION_REQUIRED', 'No bearer token provided');
  if (token.startsWith(ACCESS_TOKEN_PREFIX)) return identifyAccessToken(context, uses, token);
  const claims = tokens.verify(token);
  if (claims === null) return refused('INVALID_TOKEN', 'Invalid token');
  const nowMs = context.now();
  if (claims.expiresAt <= nowMs) return refused('TOKEN_EXPIRED', 'Token has expired');
  const user = await findSessionUser(context.read, claims.userId, claims.tokenId, claims.familyId);
  if (user === undefined) return refused('TOKEN_REVOKED', 'Token has been revoked');
  if (user.revoked || claims.generation !== user.sessionGeneration)
    return refused('TOKEN_REVOKED', 'Token has been revoked');
  return {
    accountId: user.accountId,
    userId: claims.userId,
    role: user.role,
    kind: 'session',
    tokenId: claims.tokenId,
    familyId: claims.familyId,
    generation: claims.generation,
    expiresAt: claims.expiresAt,
  };
}

/**
 * Whether the session or token of a running request is still valid. Its expiry does not count, because a renewed
 * session continues.
 */
export async function isStillValid(context: ApiContext, auth: Auth): Promise<boolean> {
  return isLiveCredential(context.read, auth);
}

async function identifyAccessToken(context: ApiContext, uses: TokenUses, token: string): Promise<Auth | ApiError> {
  const found = await findAccessToken(context.read, context.config.appEnv, hashToken(token));
  if (found === undefined) return refused('INVALID_TOKEN', 'Invalid token');
  if (found.revokedAt !== null) return refused('TOKEN_REVOKED', 'Token has been revoked');
  uses.note(found.id, found.lastUsedAt);
  const { accountId, userId, role, id } = found;
  return { accountId, userId, role, kind: 'token', tokenId: id, familyId: null, generation: null, expiresAt: null };
}

// Authentication by a session token (JWT) or a personal access token, after `Bearer` and exactly one space. Errors use
// the contract's exact wording. The rate limit runs between identification and refusal, so that guessing is limited.
import type { FastifyRequest } from 'fastify';
import { findAccessToken } from '../../db/queries/accounts/access-tokens.ts';
import { findSessionUser } from '../../db/queries/accounts/sessions.ts';
import { isLiveCredential } from '../../db/rules/live-credential.ts';
import { hasScope, type Scope, scopesOf, scopesOfAccess } from '../../db/shared/secrets/token-scopes.ts';
import { ACCESS_TOKEN_PREFIX, hashToken } from '../auth/secrets.ts';
import type { SessionTokens } from '../auth/session-tokens.ts';
import { TokenUses } from '../auth/token-uses.ts';
import type { ApiContext } from '../context.ts';
import type { App, Auth } from '../frame/app.ts';
import { errorResponses } from '../frame/envelope-schema.ts';
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

const scopeOf = (method: string): Scope => (method === 'GET' || method === 'HEAD' ? 'read' : 'change');

/** Of a token, what is wanting; of a person, whose role it is. */
export const scopeMissing = ({ scopes, kind }: Pick<Auth, 'scopes' | 'kind'>, scope: Scope): ApiError => {
  if (kind === 'session') return refused('INSUFFICIENT_PERMISSIONS', 'Your role does not allow this');
  const needed = scope === 'work' ? 'change' : scope;
  return refused('SCOPE_MISSING', `The token lacks the scope "${needed}": it has ${scopes.join(', ')}`);
};

/** @throws {ApiError} 403 for a token, or a person, that may not do this */
export function requireScope(auth: Pick<Auth, 'scopes' | 'kind'>, scope: Scope): void {
  if (!hasScope(auth.scopes, scope)) throw scopeMissing(auth, scope);
}

/** Refuses callers without permission for the route. */
export function registerAdmission(app: App): void {
  // Any token may be one of fewer scopes.
  app.addHook('onRoute', (route) => {
    const { config = {}, schema } = route;
    if (config.bare || config.public || config.scope === 'any' || schema === undefined) return;
    route.schema = { ...schema, response: { ...errorResponses(403), ...(schema.response ?? {}) } };
  });
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
    if (config.scope !== 'any') requireScope(identity, config.scope ?? scopeOf(request.method));
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
    scopes: scopesOfAccess(user.access),
    kind: 'session',
    tokenId: claims.tokenId,
    familyId: claims.familyId,
    generation: claims.generation,
    endsAt: claims.endsAt,
    expiresAt: claims.expiresAt,
    seen: user.seen,
  };
}

/** Whether the session or token of a running request is still valid. */
export async function isStillValid(context: ApiContext, auth: Auth): Promise<boolean> {
  return isLiveCredential(context.read, auth, context.now());
}

async function identifyAccessToken(context: ApiContext, uses: TokenUses, token: string): Promise<Auth | ApiError> {
  const found = await findAccessToken(context.read, context.config.appEnv, hashToken(token));
  if (found === undefined) return refused('INVALID_TOKEN', 'Invalid token');
  if (found.revokedAt !== null) return refused('TOKEN_REVOKED', 'Token has been revoked');
  if (found.expiresAt !== null && found.expiresAt <= context.now())
    return refused('TOKEN_EXPIRED', 'Token has expired');
  uses.note(found.id, found.lastUsedAt);
  const { accountId, userId, role, id, expiresAt, seen } = found;
  const scopes = scopesOf(found.scopes);
  const noSession = { familyId: null, generation: null, endsAt: null };
  return { accountId, userId, role, scopes, kind: 'token', tokenId: id, ...noSession, expiresAt, seen };
}

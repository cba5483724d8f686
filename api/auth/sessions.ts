// Signing in and out: a login starts a family of refresh tokens, each valid once. A refresh token used twice was stolen
// or copied, so its whole family ends, including access tokens.

import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { revokeAccessTokenById } from '../../db/queries/accounts/access-tokens.ts';
import { findAccount } from '../../db/queries/accounts/accounts.ts';
import { insertOneTimeToken } from '../../db/queries/accounts/one-time-tokens.ts';
import {
  findRefreshToken,
  insertRefreshToken,
  revokeFamily,
  revokeToken,
  sessionGeneration,
  useRefreshToken,
} from '../../db/queries/accounts/sessions.ts';
import { findUserByEmail, findUserById } from '../../db/queries/accounts/users.ts';
import type { RefreshTokenTable, UserTable } from '../../db/schema/users.ts';
import type { Db } from '../../db/schema.ts';
import { noteAudit } from '../audit/note.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { ApiError, refused } from '../frame/errors.ts';
import { beginLogin, cancelLogin, forgiveLogin } from './lockout.ts';
import type { LoginResult, Session, TokenPair, User } from './schema.ts';
import { hashToken, PENDING_TOKEN_PREFIX, REFRESH_TOKEN_PREFIX, randomToken } from './secrets.ts';
import { ACCESS_TOKEN_LIFETIME_MS, type SessionTokens } from './session-tokens.ts';
import { userRecord } from './users.ts';

const REFRESH_TOKEN_LIFETIME_MS = 7 * DAY_MS;
const USER_AGENT_MAX = 300;
const PENDING_LIFETIME_MS = 5 * MINUTE_MS;

/** The device of a session, as its request says. */
export interface Device {
  address: string;
  userAgent: string | null;
}

export const deviceOf = ({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Device => ({
  address: ip,
  userAgent: headers['user-agent'] ?? null,
});

export async function login(
  context: ApiContext,
  tokens: SessionTokens,
  body: { email: string; password: string },
  device: Device,
): Promise<LoginResult> {
  const { address: ip } = device;
  const email = body.email.toLowerCase();
  await beginLogin(context, email, ip);
  const user = await findUserByEmail(context.read, email);
  let right: boolean;
  try {
    right = await context.passwords.verify(user?.passwordHash ?? null, body.password);
  } catch (error) {
    await cancelLogin(context, email, ip);
    throw error;
  }
  if (!user || !right) {
    context.log.info({ reason: 'wrong email or password', sourceAddress: ip }, 'login refused');
    await noteSignIn(context, 'signInRefused', user, ip);
    throw refused('INVALID_CREDENTIALS', 'Invalid email or password');
  }
  await forgiveLogin(context, email, ip);
  if (user.emailVerifiedAt === null) throw refused('EMAIL_NOT_VERIFIED', 'Please verify your email before logging in.');
  refuseOffPasswords(context, user);
  return passFirstFactor(context, tokens, user, device);
}

/** Where passwords are off, an ADMIN of the installation has one still: the way in while the provider is down. */
export function refuseOffPasswords({ config }: ApiContext, { role }: Pick<UserTable, 'role'>): void {
  if (config.signInProvider?.isOnly && role !== 'ADMIN')
    throw refused('PASSWORDS_OFF', 'Sign in by your identity provider: passwords are switched off here');
}

/** The session, or the wait for the second factor. */
export async function passFirstFactor(
  context: ApiContext,
  tokens: SessionTokens,
  user: UserTable,
  device: Device,
  provider: string | null = null,
): Promise<LoginResult> {
  if (user.totpEnabledAt === null) return startSession(context, tokens, user, device, provider);
  return { requires2FA: true, pendingToken: await pendingLogin(context, user, provider) };
}

async function pendingLogin(context: ApiContext, user: UserTable, provider: string | null): Promise<string> {
  const token = randomToken(PENDING_TOKEN_PREFIX);
  const nowMs = context.now();
  await context.db.transaction().execute(async (tx) => {
    await refuseReplaced(tx, user);
    await insertOneTimeToken(tx, {
      tokenHash: hashToken(token),
      kind: 'pending-2fa',
      provider,
      userId: user.id,
      tries: 0,
      expiresAt: nowMs + PENDING_LIFETIME_MS,
      usedAt: null,
      createdAt: nowMs,
      appEnv: context.config.appEnv,
    });
  });
  return token;
}

/** The password may have been replaced since its check, which ended all sessions and waits. @throws {ApiError} 401 */
async function refuseReplaced(tx: Db, user: UserTable): Promise<void> {
  if ((await sessionGeneration(tx, user.id)) !== user.sessionGeneration)
    throw refused('INVALID_CREDENTIALS', 'Invalid email or password');
}

/** An address that nobody here has is not kept: it may be anybody's. */
export const noteSignIn = (
  context: ApiContext,
  action: 'signIn' | 'signInByProvider' | 'signInRefused' | 'signInByProviderRefused',
  user: Pick<UserTable, 'id' | 'accountId'> | undefined,
  address: string,
): Promise<void> =>
  noteAudit(context, {
    ...{ action, resource: 'session', resourceId: null, fields: '[]', tokenId: null, address },
    accountId: user?.accountId ?? null,
    actor: user?.id ?? 'unknown',
  });

/** A new token family for a user who has passed every factor. `provider`: the issuer that says who they are. */
export async function startSession(
  context: ApiContext,
  tokens: SessionTokens,
  user: UserTable,
  device: Device,
  provider: string | null = null,
): Promise<Session> {
  const nowMs = context.now();
  const hours = provider === null ? null : (context.config.signInProvider?.sessionHours ?? 0);
  const pair = await context.db.transaction().execute(async (tx) => {
    await refuseReplaced(tx, user);
    return issuePair(context, tx, tokens, {
      userId: user.id,
      familyId: randomUUID(),
      generation: user.sessionGeneration,
      signedInAt: nowMs,
      provider,
      endsAt: hours === null ? null : nowMs + hours * HOUR_MS,
      device,
    });
  });
  context.log.info({ userId: user.id, provider }, 'signed in');
  await noteSignIn(context, provider === null ? 'signIn' : 'signInByProvider', user, device.address);
  return { user: await readUser(context, user), ...pair };
}

/** Shared by all tokens of a family. */
type FamilyOf = Pick<RefreshTokenTable, 'userId' | 'familyId' | 'signedInAt' | 'provider' | 'endsAt'>;

async function issuePair(
  context: ApiContext,
  db: Db,
  tokens: SessionTokens,
  session: FamilyOf & { generation: number; device: Device },
): Promise<TokenPair> {
  const nowMs = context.now();
  const refreshToken = randomToken(REFRESH_TOKEN_PREFIX);
  await insertRefreshToken(db, {
    tokenHash: hashToken(refreshToken),
    familyId: session.familyId,
    userId: session.userId,
    expiresAt: Math.min(nowMs + REFRESH_TOKEN_LIFETIME_MS, session.endsAt ?? Number.POSITIVE_INFINITY),
    usedAt: null,
    revokedAt: null,
    createdAt: nowMs,
    appEnv: context.config.appEnv,
    signedInAt: session.signedInAt,
    userAgent: session.device.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
    address: session.device.address,
    provider: session.provider,
    endsAt: session.endsAt,
  });
  return { token: tokens.issue(session, nowMs), refreshToken };
}

/** Rotation: one of several simultaneous uses wins; the others, like any later use, end the family. */
export async function refresh(
  context: ApiContext,
  tokens: SessionTokens,
  refreshToken: string,
  device: Device,
): Promise<TokenPair> {
  const tokenHash = hashToken(refreshToken);
  const outcome = await context.db.transaction().execute(async (tx): Promise<TokenPair | ApiError> => {
    const row = await findRefreshToken(tx, context.config.appEnv, tokenHash);
    const refusal = await refuseRefresh(context, tx, row);
    // Returned, not thrown: the revocation must be committed.
    if (refusal !== null || row === undefined) return refusal ?? refused('INVALID_TOKEN', 'Invalid token');
    const { userId, familyId, signedInAt, provider, endsAt } = row;
    const generation = await sessionGeneration(tx, userId);
    if (generation === null) return refused('TOKEN_REVOKED', 'Token has been revoked');
    await useRefreshToken(tx, tokenHash, context.now());
    return issuePair(context, tx, tokens, { userId, familyId, generation, signedInAt, provider, endsAt, device });
  });
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
}

async function refuseRefresh(
  context: ApiContext,
  tx: Db,
  row: RefreshTokenTable | undefined,
): Promise<ApiError | null> {
  const nowMs = context.now();
  if (row === undefined) return refused('INVALID_TOKEN', 'Invalid token');
  if (row.usedAt !== null) {
    if (row.revokedAt === null) context.log.warn({ userId: row.userId }, 'refresh token used twice: family revoked');
    await endFamily(tx, row.familyId, nowMs);
    return refused('TOKEN_REVOKED', 'Token has been revoked');
  }
  if (row.revokedAt !== null) return refused('TOKEN_REVOKED', 'Token has been revoked');
  if (row.expiresAt <= nowMs) return refused('TOKEN_EXPIRED', 'Token has expired');
  return null;
}

export async function endFamily(db: Db, familyId: string, nowMs: number): Promise<void> {
  await revokeFamily(db, familyId, nowMs);
  await revokeToken(db, familyId, nowMs + ACCESS_TOKEN_LIFETIME_MS);
}

/** Revokes the presented token and, for a session, its refresh family. */
export async function logout(context: ApiContext, auth: Auth): Promise<void> {
  const nowMs = context.now();
  if (auth.kind === 'token') {
    await revokeAccessTokenById(context.db, auth.accountId, auth.tokenId, nowMs);
    return;
  }
  const { familyId } = auth;
  await context.db.transaction().execute(async (tx) => {
    await revokeToken(tx, auth.tokenId, auth.expiresAt ?? nowMs + ACCESS_TOKEN_LIFETIME_MS);
    if (familyId !== null) await endFamily(tx, familyId, nowMs);
  });
}

export async function currentUser(context: ApiContext, auth: Auth): Promise<User> {
  const user = await findUserById(context.read, auth.userId);
  if (!user) throw refused('TOKEN_REVOKED', 'Token has been revoked');
  // A personal access token may have a different role from its user's current one.
  return { ...(await readUser(context, user)), role: auth.role };
}

async function readUser(context: ApiContext, user: UserTable): Promise<User> {
  const account = await findAccount(context.read, user.accountId);
  return userRecord(user, account?.plan ?? 'STARTER');
}

// Users' own sessions, which they see and end, and the change of their password. A session is known by its family of
// refresh tokens, whose id opens nothing.
import { listSessions, revokeSessions, type SessionRow } from '../../db/queries/accounts/sessions.ts';
import { findUserById, updateUser } from '../../db/queries/accounts/users.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { beginPasswordCheck, forgivePasswordCheck } from './lockout.ts';
import type { OwnSession, Session } from './schema.ts';
import { requireUser } from './second-factor.ts';
import type { SessionTokens } from './session-tokens.ts';
import { type Device, endFamily, refuseOffPasswords, startSession } from './sessions.ts';

const isoTime = (ms: number): string => new Date(ms).toISOString();

const record = (row: SessionRow, auth: Auth): OwnSession => ({
  id: row.familyId,
  isCurrent: row.familyId === auth.familyId,
  userAgent: row.userAgent,
  address: row.address,
  provider: row.provider,
  signedInAt: row.signedInAt === null ? null : isoTime(row.signedInAt),
  lastUsedAt: isoTime(row.createdAt),
  expiresAt: isoTime(row.expiresAt),
});

/** A page of the user's living sessions, the last used first. */
export async function listOwnSessions(context: ApiContext, auth: Auth, query: PageQuery) {
  const rows = await listSessions(context.read, auth.userId, context.config.appEnv, context.now());
  const from = offsetOf(query);
  return {
    data: rows.slice(from, from + query.limit).map((row) => record(row, auth)),
    pagination: pagination(query.page, query.limit, rows.length),
  };
}

/** Ends one session of the user, its access tokens at once. @throws {ApiError} 404 for another user's */
export async function endOwnSession(context: ApiContext, auth: Auth, id: string): Promise<OwnSession> {
  const nowMs = context.now();
  return context.db.transaction().execute(async (tx) => {
    const rows = await listSessions(tx, auth.userId, context.config.appEnv, nowMs);
    const row = rows.find(({ familyId }) => familyId === id);
    if (row === undefined) throw notFound('Session');
    await endFamily(tx, row.familyId, nowMs);
    return record(row, auth);
  });
}

/** Ends all sessions of the user but the one that asks; returns how many. */
export async function endOtherSessions(context: ApiContext, auth: Auth): Promise<number> {
  const nowMs = context.now();
  return context.db.transaction().execute(async (tx) => {
    const rows = await listSessions(tx, auth.userId, context.config.appEnv, nowMs);
    const others = rows.filter(({ familyId }) => familyId !== auth.familyId);
    for (const { familyId } of others) await endFamily(tx, familyId, nowMs);
    return others.length;
  });
}

/**
 * Sets a new password for a user who knows the old one. All sessions end, also one that begins at this moment with the
 * old password; the one that asks goes on as the new one that is returned. Personal tokens stay.
 * @throws {ApiError} 400 for a wrong password, 423 after too many
 */
export async function changePassword(
  context: ApiContext,
  tokens: SessionTokens,
  auth: Auth,
  { currentPassword, newPassword, device }: { currentPassword: string; newPassword: string; device: Device },
): Promise<Session> {
  const user = await requireUser(context, auth);
  refuseOffPasswords(context, user);
  await beginPasswordCheck(context, user.id);
  if (!(await context.passwords.verify(user.passwordHash, currentPassword)))
    throw refused('INVALID_PASSWORD', 'Invalid password');
  await forgivePasswordCheck(context, user.id);
  const passwordHash = await context.passwords.hash(newPassword);
  await context.db.transaction().execute(async (tx) => {
    const now = await findUserById(tx, user.id);
    // Another request may have changed it since the check.
    if (now?.passwordHash !== user.passwordHash) throw refused('INVALID_PASSWORD', 'Invalid password');
    await updateUser(tx, user.id, { passwordHash });
    await revokeSessions(tx, user.id, context.now());
  });
  context.log.info({ userId: user.id }, 'password changed');
  return startSession(context, tokens, await freshUser(context, user.id), device);
}

async function freshUser(context: ApiContext, userId: string) {
  const user = await findUserById(context.db, userId);
  if (!user) throw refused('TOKEN_REVOKED', 'Token has been revoked');
  return user;
}
